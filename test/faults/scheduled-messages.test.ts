import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { until } from '../support/waiting.js'
import { passRound } from '../support/webhook-bots.js'
import { faulty, unavailable, type Fault } from './faulty-client.js'

const rounds = 20
const messagesPerRound = 12

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`scheduled messages (${database.name})`, () => {
    it('are sent exactly once in hundreds of races of two edits with the delivery', async () => {
      const host = new TestHost('koa', database)
      await host.start()
      try {
        const { people, channels } = await host.organization()
        const { alice, bob } = people
        let applied = 0
        for (let round = 0; round < rounds; round += 1) {
          const feed = await bob.listen({ event_types: ['message'] })
          const ids = await Promise.all(
            Array.from({ length: messagesPerRound }, async (_, index) => {
              const answer = await alice.post('/scheduled_messages', {
                type: 'channel',
                to: channels.design,
                topic: `race ${round}`,
                content: `${index} original`,
                scheduled_delivery_timestamp: host.clock.seconds + 30,
              })
              return answer.body.scheduled_message_id
            }),
          )

          host.clock.advance(60)
          const sent: string[] = []
          const read = async (): Promise<void> => {
            for (const event of await feed.poll()) sent.push(event['message'].content as string)
          }
          // Afterwards some deliveries are earlier than the edits, and some later.
          if (round % 2 === 0) await read()
          const edits = await Promise.all(
            ids.flatMap((id, index) =>
              ['first', 'second'].map(async (name) => {
                const content = `${index} ${name}`
                const answer = await alice.patch(`/scheduled_messages/${id}`, { content })
                return { index, content, status: answer.status, text: answer.body.msg as string }
              }),
            ),
          )

          const readAll = async (): Promise<boolean> => {
            if (sent.length < messagesPerRound) await read()
            return sent.length >= messagesPerRound
          }
          await until(`${messagesPerRound} messages`, readAll, { instead: () => sent })
          for (const event of await feed.drain()) sent.push(event['message'].content as string)
          assert.equal(sent.length, messagesPerRound)
          for (let index = 0; index < messagesPerRound; index += 1) {
            const own = sent.filter((content) => content.startsWith(`${index} `))
            assert.equal(own.length, 1, `${index} was sent ${own.length} times`)
            const accepted = edits.filter((edit) => edit.index === index && edit.status === 200)
            const possible = accepted.map((edit) => edit.content)
            if (possible.length === 0) assert.equal(own[0], `${index} original`)
            else assert.ok(possible.includes(own[0] ?? ''), `${own[0]} is no accepted edit`)
            applied += accepted.length
          }
          for (const edit of edits) {
            if (edit.status === 200) continue
            assert.deepEqual([edit.status, edit.text], [400, 'Scheduled message was already sent'])
          }
        }
        assert.ok(applied > 0, 'no edit was ever first')
        assert.ok(applied < 2 * rounds * messagesPerRound, 'no delivery was ever first')
      } finally {
        await host.stop()
      }
    })

    it('are sent once by two servers that share the database', async () => {
      const first = new TestHost('koa', database)
      await first.start()
      const second = await first.another('koa')
      try {
        const { people, channels } = await first.organization()
        const feed = await people.bob.listen({ event_types: ['message'] })
        const count = 100
        for (let index = 0; index < count; index += 1) {
          await people.alice.post('/scheduled_messages', {
            type: 'channel',
            to: channels.design,
            topic: 'shared',
            content: `message ${index}`,
            scheduled_delivery_timestamp: first.clock.seconds + 30,
          })
        }

        first.clock.advance(60)
        second.clock.advance(60)

        const stored = async (): Promise<number> => {
          const narrow = [
            { operator: 'channel', operand: channels.design },
            { operator: 'topic', operand: 'shared' },
          ]
          const page = { narrow, anchor: 'newest', num_before: 2 * count, num_after: 0 }
          return (await people.bob.get('/messages', page)).body.messages.length
        }
        await until(`${count} messages`, async () => (await stored()) >= count)
        // The first server reads the second one's commits from the log.
        first.clock.advance(1)
        const sent: string[] = []
        for (const event of await feed.drain()) sent.push(event['message'].content as string)
        assert.equal(sent.length, count)
        assert.equal(new Set(sent).size, count)
      } finally {
        await second.stop()
        await first.stop()
      }
    })

    it('are sent once if the database fails before or after it has committed them', async () => {
      const { column, faults } = faulty(database)
      const host = new TestHost('express', column)
      await host.start()
      try {
        const { people, channels } = await host.organization()
        const { alice, bob } = people
        const error = unavailable(database.name)
        const cases: readonly Pick<Fault, 'when' | 'statement'>[] = [
          { when: 'after', statement: /^\s*insert into .chat_messages/i },
          { when: 'before', statement: /^\s*commit/i },
          { when: 'after', statement: /^\s*commit/i },
        ]
        const stored = async (): Promise<string[]> => {
          const narrow = [{ operator: 'topic', operand: 'faults' }]
          const page = { narrow, anchor: 'newest', num_before: 100, num_after: 0 }
          const { messages } = (await bob.get('/messages', page)).body as {
            messages: { content: string }[]
          }
          return messages.map(({ content }) => content)
        }
        for (const [index, fault] of cases.entries()) {
          const scheduled = await alice.post('/scheduled_messages', {
            type: 'channel',
            to: channels.design,
            topic: 'faults',
            content: `message ${index}`,
            scheduled_delivery_timestamp: host.clock.seconds + 30,
          })
          assert.equal(scheduled.status, 200, scheduled.text)
          const failing = { ...fault, error, times: 1 }

          host.clock.jump(30)
          faults.push(failing)
          await until('the delivery', async () => {
            await passRound(host)
            return (await stored()).includes(`<p>message ${index}</p>`)
          })

          assert.equal(failing.times, 0)
        }

        await passRound(host)
        assert.deepEqual(await stored(), [
          '<p>message 0</p>',
          '<p>message 1</p>',
          '<p>message 2</p>',
        ])
        assert.deepEqual((await alice.get('/scheduled_messages')).body.scheduled_messages, [])
      } finally {
        await host.stop()
      }
    })
  })
}
