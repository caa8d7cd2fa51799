import assert from 'node:assert/strict'
import { it } from 'node:test'

import createKnex from 'knex'

import type { Answer, Client, Parameters } from '../support/client.js'
import { everyDatabase } from '../support/host.js'
import { statementsOf } from '../support/statements.js'

const daySeconds = 86_400
const retentionRoundSeconds = 1800

everyDatabase('messages that a client sends again', 'koa', (at) => {
  const send = (by: Client, params: Parameters): Promise<Answer> =>
    by.post('/messages', {
      type: 'channel',
      to: at.channels.general,
      topic: 'again',
      content: 'Hello',
      ...params,
    })
  const idOf = async (answer: Promise<Answer>): Promise<number> => {
    const { status, body, text } = await answer
    assert.equal(status, 200, text)
    return body.id
  }
  const storedIds = async (): Promise<string[]> => {
    const knex = createKnex(at.host.databaseConfig)
    const rows = await knex('chat_message_local_ids').select('local_id_hash')
    await knex.destroy()
    return rows.map((row) => row.local_id_hash)
  }

  it('are sent once, and answered with the first id, also with another content', async () => {
    const { alice, bob } = at.people
    const [own, other] = [
      await alice.listen({ event_types: ['message'] }),
      await bob.listen({ event_types: ['message'] }),
    ]
    const local = { queue_id: own.queueId, local_id: '7.01' }

    const id = await idOf(send(alice, local))
    const again = await idOf(send(alice, local))
    const different = await idOf(send(alice, { ...local, content: 'Bye', topic: 'elsewhere' }))
    const next = await idOf(send(alice, { ...local, local_id: '7.02' }))

    assert.deepEqual([again, different], [id, id])
    assert.notEqual(next, id)
    const events = await own.drain()
    assert.deepEqual(
      events.map((event) => [event['message'].id, event['local_message_id']]),
      [
        [id, '7.01'],
        [next, '7.02'],
      ],
    )
    assert.equal((await other.drain()).length, 2)
  })

  it('are sent once if the attempts arrive at the same time', async () => {
    const { alice, bob } = at.people
    const queues = [await alice.listen(), await bob.listen({ event_types: ['message'] })] as const
    const senders = [alice, bob]

    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const [by, queue] = [senders[index % 2] ?? alice, queues[index % 2] ?? queues[0]]
        const params = { queue_id: queue.queueId, local_id: `${index % 10}` }
        return idOf(send(by, { ...params, content: `at once ${index}` }))
      }),
    )

    const ids = answers.slice(0, 10)
    assert.equal(new Set(ids).size, 10)
    assert.deepEqual(
      answers,
      answers.map((_, index) => ids[index % 10]),
    )
    const events = await queues[1].drain()
    assert.deepEqual(
      events.map((event) => event['message'].id as number),
      ids.toSorted((one, two) => one - two),
    )
  })

  it('are sent once by two servers that share the database', async () => {
    const { alice } = at.people
    const { queueId } = await alice.listen({ event_types: ['message'] })
    const another = await at.host.another('express')
    try {
      const there = another.clientOf(alice)

      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, index) => {
          const local = { queue_id: queueId, local_id: `both ${index >> 1}` }
          return idOf(send(index % 2 === 0 ? alice : there, local))
        }),
      )

      assert.equal(new Set(answers).size, 20)
      for (const [index, id] of answers.entries()) assert.equal(id, answers[index & ~1])
    } finally {
      await another.stop()
    }
  })

  it('share the statements of their ids, and need none without an id', async () => {
    const { alice } = at.people
    const { queueId } = await alice.listen({ event_types: ['message'] })
    const statementsFor = async (params: (index: number) => Parameters): Promise<string[]> => {
      const work = () =>
        Promise.all(Array.from({ length: 50 }, (_, index) => idOf(send(alice, params(index)))))
      return (await statementsOf(at.host, work)).map(({ sql }) => sql)
    }

    const withIds = await statementsFor((index) => ({ queue_id: queueId, local_id: `s${index}` }))
    const pairs = await statementsFor((index) => ({
      queue_id: queueId,
      local_id: `pair ${index >> 1}`,
    }))
    const without = await statementsFor((index) =>
      index % 2 === 0 ? { queue_id: queueId } : { local_id: `s${index}` },
    )

    const commitsOf = (all: readonly string[]): number =>
      all.filter((sql) => /^insert into .chat_messages/i.test(sql)).length
    const commits = commitsOf(withIds)
    // Not each message alone, as after statements that have failed.
    assert.ok(commitsOf(pairs) <= 8, `${commitsOf(pairs)} commits`)
    const ofIds = withIds.filter((sql) => sql.includes('chat_message_local_ids')).length
    assert.equal(ofIds, commits * 2)
    assert.deepEqual(
      without.filter((sql) => sql.includes('chat_message_local_ids')),
      [],
    )
  })

  it('are other messages if the queue, the user or the id is another one', async () => {
    const { alice, bob } = at.people
    const [first, second] = [await alice.listen(), await alice.listen()]
    const ofBob = await bob.listen()
    const attempts: [Client, Parameters][] = [
      [alice, { queue_id: first.queueId, local_id: 'one' }],
      [alice, { queue_id: second.queueId, local_id: 'one' }],
      [alice, { queue_id: first.queueId, local_id: 'ONE' }],
      [alice, { local_id: 'one' }],
      [alice, { local_id: 'one' }],
      [alice, { queue_id: first.queueId }],
      [alice, { queue_id: ofBob.queueId, local_id: 'one' }],
      [alice, { queue_id: ofBob.queueId, local_id: 'one' }],
      [bob, { queue_id: ofBob.queueId, local_id: 'one' }],
      [bob, { queue_id: 'unknown', local_id: 'one' }],
      [bob, { queue_id: 'unknown', local_id: 'one' }],
    ]

    const ids: number[] = []
    for (const [by, params] of attempts) ids.push(await idOf(send(by, params)))

    assert.equal(new Set(ids).size, attempts.length)
  })

  it('are recognized without their queue, and when they would be refused now', async () => {
    const { alice, olga } = at.people
    const { queueId } = await alice.listen()
    const local = { queue_id: queueId, local_id: 'gone', to: at.channels.design }
    const id = await idOf(send(alice, local))
    await alice.delete('/events', { queue_id: queueId })

    const withoutQueue = await idOf(send(alice, local))
    const archived = await olga.delete(`/streams/${at.channels.design}`)
    const refused = await send(alice, { ...local, local_id: 'new' })
    const withoutChannel = await idOf(send(alice, local))
    const empty = await idOf(send(alice, { ...local, content: ' ' }))

    assert.equal(archived.status, 200, archived.text)
    assert.equal(refused.status, 400, refused.text)
    assert.deepEqual([withoutQueue, withoutChannel, empty], [id, id, id])
  })

  it('are recognized in a transaction of the application, unless it is rolled back', async () => {
    const { alice } = at.people
    const knex = createKnex(at.host.databaseConfig)
    const { api } = at.host.chat.as({ userId: alice.id, organization: alice.endpoint.subdomain })
    const message = {
      type: 'channel',
      to: at.channels.general,
      topic: 'again',
      content: 'within',
    } as const
    const idempotencyKey = 'within'

    const trx = await knex.transaction()
    const one = await api.sendMessage(message, { within: trx, idempotencyKey })
    const two = await api.sendMessage(message, { within: trx, idempotencyKey })
    await trx.rollback()
    const sent = await api.sendMessage(message, { idempotencyKey })
    const again = await api.sendMessage(message, { idempotencyKey })
    await knex.destroy()

    assert.equal(one.id, two.id)
    assert.equal(again.id, sent.id)
  })

  it('are new messages after a day, and their ids are removed', async () => {
    const { alice } = at.people
    const { queueId } = await alice.listen()
    const local = { queue_id: queueId, local_id: 'daily' }
    const id = await idOf(send(alice, local))
    at.clock.jump(daySeconds)
    const onTheDay = await idOf(send(alice, local))
    at.clock.jump(1)
    const later = await idOf(send(alice, local))
    const stillLater = await idOf(send(alice, local))

    assert.equal(onTheDay, id)
    assert.ok(later > id)
    assert.equal(stillLater, later)
    assert.ok((await storedIds()).length > 10)
    const isOver = at.clock.next('set', retentionRoundSeconds)
    at.clock.fire(retentionRoundSeconds)
    await isOver
    assert.equal((await storedIds()).length, 1)
  })
})
