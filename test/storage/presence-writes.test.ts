import assert from 'node:assert/strict'
import { it } from 'node:test'

import knexPackage from 'knex'

import type { Answer, Client } from '../support/client.js'
import { everyDatabase, type HostCase } from '../support/host.js'
import { reactivate } from '../support/reactivation.js'
import { statementsOf } from '../support/statements.js'
import { until } from '../support/waiting.js'

/** Between two rounds that store presences. */
const intervalSeconds = 5

const ping = (client: Client, params: object = {}): Promise<Answer> =>
  client.post('/users/me/presence', { status: 'active', slim_presence: true, ...params })

/** The stored presence of a user. */
async function storedOf(
  { host }: HostCase,
  { id }: Client,
): Promise<{ active_at_seconds: number; update_id: number } | undefined> {
  const knex = knexPackage(host.databaseConfig)
  try {
    return await knex('chat_presences').where({ user_id: id }).first()
  } finally {
    await knex.destroy()
  }
}

everyDatabase('presences', 'express', (at) => {
  /** Waits until the process has stored what the user has reported. */
  async function stored(user: Client, activeAt: number): Promise<number> {
    const { update_id } = await until('the presence to be stored', async () => {
      const row = await storedOf(at, user)
      return row?.active_at_seconds === activeAt ? row : undefined
    })
    return update_id
  }

  it('need no statement for a ping, whether its user was away or not', async () => {
    const { alice, bob, carol } = at.people
    const first = await ping(alice, { last_update_id: -1 })
    await ping(carol)
    await bob.get('/realm/presence')
    at.clock.jump(1000)
    let answers: Answer[] = []

    const statements = await statementsOf(at.host, async () => {
      const { presence_last_update_id: last_update_id } = first.body
      answers = [
        await ping(alice, { last_update_id }),
        await ping(carol, { last_update_id: -1 }),
        await ping(carol, { last_update_id, ping_only: true }),
        await bob.get('/realm/presence'),
      ]
    })

    assert.ok(answers.every(({ status }) => status === 200))
    const queries = statements.map(({ sql }) => sql)
    assert.deepEqual(
      queries.filter((sql) => !sql.includes('event_seq')),
      [],
      'besides polls of the log',
    )
  })

  it('are stored a few seconds later, in one statement for all users', async () => {
    const { alice, bob, carol } = at.people
    at.clock.jump(1000)
    const activeAt = at.clock.seconds
    for (const user of [alice, bob, carol]) await ping(user)
    assert.notEqual((await storedOf(at, alice))?.active_at_seconds, activeAt)

    const statements = await statementsOf(at.host, async () => {
      at.clock.advance(intervalSeconds)
      for (const user of [alice, bob, carol]) await stored(user, activeAt)
    })

    const writes = statements.filter(({ sql }) => /insert into .chat_presences/i.test(sql))
    assert.equal(writes.length, 1)
  })

  it('are seen by other processes, whose ids are higher than those that were given out', async () => {
    const { alice, bob, mona } = at.people
    at.clock.jump(1000)
    const other = await at.host.another('koa')
    try {
      const elsewhere = other.clientOf(bob)
      const before = await ping(elsewhere, { last_update_id: -1 })
      const here = await ping(alice, { last_update_id: before.body.presence_last_update_id })
      const activeAt = at.clock.seconds

      at.clock.advance(intervalSeconds)
      await stored(alice, activeAt)
      const news = await until('the other process to read it', async () => {
        other.clock.advance(intervalSeconds)
        const { body } = await ping(elsewhere, {
          last_update_id: before.body.presence_last_update_id,
        })
        return alice.id in body.presences ? body : undefined
      })
      await ping(other.clientOf(mona))
      const last = await ping(elsewhere, { last_update_id: news.presence_last_update_id })

      assert.deepEqual(news.presences[alice.id], {
        active_timestamp: activeAt,
        idle_timestamp: activeAt,
      })
      assert.ok(mona.id in last.body.presences)
      assert.ok(here.body.presence_last_update_id > 0)
    } finally {
      await other.stop()
    }
  })

  it('are stored when the server is closed, and the next one gives out higher ids', async () => {
    const { alice, carol } = at.people
    const other = await at.host.another('koa')
    other.clock.jump(2000)
    const answer = await ping(other.clientOf(carol), { last_update_id: -1 })
    const activeAt = other.clock.seconds

    await other.stop()
    const next = await at.host.another('koa')
    next.clock.jump(4000)
    const later = await ping(next.clientOf(alice), { last_update_id: -1 })
    await next.stop()

    assert.equal((await storedOf(at, carol))?.active_at_seconds, activeAt)
    assert.ok(later.body.presence_last_update_id > answer.body.presence_last_update_id)
  })

  it('are not stored for users who were deactivated, or have become invisible, meanwhile', async () => {
    const { adam, gus, mona, olga } = at.people
    at.clock.jump(10_000)
    const activeAt = at.clock.seconds
    for (const user of [gus, mona, olga]) await ping(user)

    await adam.delete(`/users/${mona.id}`)
    await gus.patch('/settings', { presence_enabled: false })
    const { presences } = (await ping(adam, { last_update_id: -1 })).body
    at.clock.advance(intervalSeconds)
    await stored(olga, activeAt)

    assert.notEqual((await storedOf(at, mona))?.active_at_seconds, activeAt)
    assert.notEqual((await storedOf(at, gus))?.active_at_seconds, activeAt)
    assert.equal(mona.id in presences, false)
    assert.ok(presences[gus.id].active_timestamp < activeAt)
  })

  it('are seen at once after their user is deactivated, reactivated or renamed', async () => {
    const { adam, bob, carol } = at.people
    await ping(bob)
    await ping(carol)
    const list = async (): Promise<string[]> =>
      Object.keys((await adam.get('/realm/presence')).body.presences)

    assert.ok((await list()).includes(bob.email))
    await adam.delete(`/users/${bob.id}`)
    assert.ok(!(await list()).includes(bob.email))
    await reactivate(at, adam, bob)
    const after = await list()

    assert.ok(after.includes(carol.email))
  })

  it('can be reported in a transaction of the application, whether it commits or not', async () => {
    const { alice, bob } = at.people
    at.clock.jump(20_000)
    const host = await at.host.another('express')
    const knex = knexPackage(host.databaseConfig)
    try {
      const actor = { userId: alice.id, organization: at.subdomain }
      const reporting = knex.transaction(async (transaction) => {
        await host.chat
          .as(actor)
          .api.updatePresence({ status: 'active', ping_only: true }, { within: transaction })
        throw new Error('rolled back')
      })
      await assert.rejects(reporting, /rolled back/)

      const { presences } = (await ping(host.clientOf(bob), { last_update_id: -1 })).body
      assert.equal(presences[alice.id].active_timestamp, host.clock.seconds)
    } finally {
      await knex.destroy()
      await host.stop()
    }
  })
})
