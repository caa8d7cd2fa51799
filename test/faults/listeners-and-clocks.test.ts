import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import type { Cast } from '../support/cast.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { park, sweepAlone } from '../support/event-calls.js'
import type { FedEvent } from '../support/event-feed.js'
import { TestHost } from '../support/host.js'

const day = 24 * 60 * 60
const messages = { event_types: ['message'] }

function contents(events: readonly FedEvent[]): string[] {
  return events.map((event) => event['message'].content)
}

reportSkippedColumns()

for (const column of databaseColumns()) {
  describe(`an application that throws (${column.name})`, () => {
    const host = new TestHost('express', column, {
      bus: {
        publishRecords() {
          throw new Error('the bus is out of order')
        },
        publishEphemeral() {},
        subscribe: () => () => {},
        close: async () => {},
      },
    })
    let cast: Cast

    before(async () => {
      await host.start()
      cast = await host.organization()
    })
    after(() => host.stop())

    it('does not fail what is committed, and the other listeners hear of it', async () => {
      const { alice, bob } = cast.people
      const heard: number[] = []
      const ends = [
        host.chat.on('message', () => {
          throw new Error('a listener that throws')
        }),
        // As an `async` listener would; the types ask for one that returns nothing.
        host.chat.on(
          'message',
          () => Promise.reject(new Error('a listener that rejects')) as never,
        ),
        host.chat.on('message', ({ messageId }) => heard.push(messageId)),
      ]
      host.log.length = 0

      const id = await alice.whisper([bob], 'unharmed')
      for (const end of ends) end()
      await alice.whisper([bob], 'unheard')

      assert.deepEqual(heard, [id])
      assert.match(host.log.join('\n'), /a listener that throws/)
      assert.match(host.log.join('\n'), /a listener that rejects/)
    })

    it('hears of commits from the log when the bus says nothing', async () => {
      const { alice, bob } = cast.people
      const feed = await bob.listen(messages)
      const isParked = host.clock.next('set', 45, 55)

      const poll = feed.poll()
      await isParked
      await alice.whisper([bob], 'found in the log')
      host.clock.fire(0.25)

      assert.deepEqual(contents(await poll), ['found in the log'])
    })
  })

  describe(`a clock that jumps (${column.name})`, () => {
    const host = new TestHost('koa', column)
    let cast: Cast

    before(async () => {
      await host.start()
      cast = await host.organization()
    })
    after(() => host.stop())

    it('backwards loses no event and no queue', async () => {
      const { alice, bob } = cast.people
      const feed = await bob.listen(messages)
      await alice.whisper([bob], 'before')

      host.clock.jump(-30 * day)
      await alice.whisper([bob], 'after')
      await sweepAlone(host.clock, 0)
      const inThePast = await feed.drain()
      for (let minutes = 0; minutes < 30; minutes += 1) {
        await sweepAlone(host.clock, 60)
        assert.deepEqual(await feed.drain(), [])
      }

      assert.deepEqual(contents(inThePast), ['before', 'after'])
      host.clock.jump(30 * day)
    })

    it('forwards keeps the queue of a client that waits, and refuses the others without a gap', async () => {
      const { alice, bob } = cast.people
      const waiting = await bob.listen(messages)
      const away = await bob.listen(messages)
      await alice.whisper([bob], 'before')
      assert.deepEqual(contents(await waiting.poll()), ['before'])

      const place = { queue_id: waiting.queueId, last_event_id: waiting.lastEventId }
      const poll = await park(bob, host.clock, place)
      await sweepAlone(host.clock, 2 * day)
      await alice.whisper([bob], 'after')

      const { body } = await poll.answer
      assert.deepEqual(contents(body.events), ['after'])
      const lost = await bob.get('/events', { queue_id: away.queueId, last_event_id: -1 })
      assert.equal(lost.body.code, 'BAD_EVENT_QUEUE_ID')
    })

    it('back and forth numbers and orders events as they were committed', async () => {
      const { alice, bob } = cast.people
      const feed = await bob.listen(messages)
      const sent = []

      for (const jump of [-day, 3 * day, -60, 1, -5 * day, 4 * day]) {
        host.clock.jump(jump)
        sent.push(`jumped by ${jump}`)
        await alice.whisper([bob], sent.at(-1) as string)
      }

      assert.deepEqual(contents(await feed.drain()), sent)
    })
  })
}
