import assert from 'node:assert/strict'
import { it } from 'node:test'

import knexPackage from 'knex'

import { everyDatabase, type HostCase } from '../support/host.js'
import { statementsOf } from '../support/statements.js'
import { until } from '../support/waiting.js'

/** When the queues were last used, according to their rows. */
async function storedUses({ host }: HostCase): Promise<Map<string, number>> {
  const knex = knexPackage(host.databaseConfig)
  try {
    const rows = await knex('chat_event_queues').select('id', 'last_seen_at_seconds')
    return new Map(rows.map((row) => [row.id, Number(row.last_seen_at_seconds)]))
  } finally {
    await knex.destroy()
  }
}

everyDatabase('the last uses of queues', 'express', (at) => {
  it('are written by one statement for all organizations, a second later', async () => {
    const other = await at.host.organization()
    const clients = [at.people.alice, at.people.bob, at.people.bob, other.people.carol]
    const params = { event_types: ['message'], fetch_event_types: [] }
    const feeds = await Promise.all(
      clients.map(async (client) => ({
        client,
        body: (await client.post('/register', params)).body,
      })),
    )
    at.clock.jump(90)

    const statements = await statementsOf(at.host, async () => {
      for (const { client, body } of feeds) {
        const { queue_id, last_event_id } = body
        await client.get('/events', { queue_id, last_event_id, dont_block: true })
      }
      const before = await storedUses(at)
      assert.ok(feeds.every(({ body }) => before.get(body.queue_id) === at.clock.seconds - 90))
      at.clock.fire(1)
      await until('the uses to be written', async () => {
        const after = await storedUses(at)
        return feeds.every(({ body }) => after.get(body.queue_id) === at.clock.seconds)
      })
    })

    const writes = statements.filter(({ sql }) => /^update .chat_event_queues/i.test(sql))
    assert.equal(writes.length, 1)
  })

  it('need few different statements, which a connection keeps compiled', async () => {
    const { alice } = at.people
    const params = { event_types: ['message'], fetch_event_types: [] }
    const queues = await Promise.all(
      Array.from({ length: 8 }, async () => (await alice.post('/register', params)).body),
    )
    const counts = [1, 2, 3, 4, 5, 6, 7, 8]

    const statements = await statementsOf(at.host, async () => {
      for (const count of counts) {
        at.clock.jump(90)
        const used = queues.slice(0, count)
        for (const { queue_id, last_event_id } of used) {
          await alice.get('/events', { queue_id, last_event_id, dont_block: true })
        }
        at.clock.fire(1)
        await until('the uses to be written', async () => {
          const after = await storedUses(at)
          return used.every(({ queue_id }) => after.get(queue_id) === at.clock.seconds)
        })
      }
    })

    const writes = statements.filter(({ sql }) => /^update .chat_event_queues/i.test(sql))
    assert.equal(writes.length, counts.length)
    assert.equal(new Set(writes.map(({ sql }) => sql)).size, 4, 'for 1, 2, 4 and 8 queues')
  })

  it('are written when the server is closed', async () => {
    const { bob } = at.people
    const second = await at.host.another('koa')
    second.clock.jump(200)
    const elsewhere = second.clientOf(bob)
    const { body } = await elsewhere.post('/register', { fetch_event_types: [] })
    const { queue_id, last_event_id } = body
    second.clock.jump(100)

    await elsewhere.get('/events', { queue_id, last_event_id, dont_block: true })
    await second.stop()

    assert.equal((await storedUses(at)).get(queue_id), second.clock.seconds)
  })
})
