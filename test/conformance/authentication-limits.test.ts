import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { after, it } from 'node:test'

import createKnex from 'knex'

import { passwordOf } from '../support/cast.js'
import { Client, type Answer } from '../support/client.js'
import { everyDatabase, type HostCase, type TestHost } from '../support/host.js'

const agents = new Map<string, Agent>()
after(() => {
  for (const agent of agents.values()) agent.destroy()
})

/** Tries to log in with a user's name, or an unknown one, from a loopback address. */
async function logIn(
  at: HostCase & { readonly via?: TestHost },
  address: string,
  name: string,
  password: string,
): Promise<Answer> {
  const agent = agents.get(address) ?? new Agent({ keepAlive: true, localAddress: address })
  agents.set(address, agent)
  const { subdomain } = at
  const { origin } = at.via ?? at.host
  const client = new Client({ origin, agent, subdomain }, undefined, 0, name)
  const username = `${name}@${subdomain}.example`
  return client.post('/fetch_api_key', { username, password })
}

const right = (at: HostCase & { via?: TestHost }, address: string, name: string) =>
  logIn(at, address, name, passwordOf(name))
const wrong = (at: HostCase & { via?: TestHost }, address: string, name: string) =>
  logIn(at, address, name, 'wrong')

/** Sends wrong passwords for a name from addresses of a network until the name is limited. */
async function attack(at: HostCase & { via?: TestHost }, name: string, network: number) {
  for (let attempt = 0; attempt < rules.loginByUsername[0].maxRequests; attempt += 1) {
    const { status } = await wrong(at, `127.0.${network}.${1 + attempt}`, name)
    assert.equal(status, 401)
  }
  assert.equal((await wrong(at, `127.0.${network}.99`, name)).status, 429)
}

const rules = {
  loginByAddress: [{ windowSeconds: 1800, maxRequests: 4 }],
  loginByUsername: [{ windowSeconds: 1800, maxRequests: 5 }],
  loginByUsernameAndAddress: [{ windowSeconds: 1800, maxRequests: 3 }],
} as const

const day = 86_400

everyDatabase(
  'Login attempts',
  'express',
  (at) => {
    it('are limited by address, for any names', async () => {
      const statuses: number[] = []
      for (const name of ['a', 'b', 'c', 'd', 'e', 'alice']) {
        statuses.push((await logIn(at, '127.0.1.1', name, passwordOf('alice'))).status)
      }
      const refused = await right(at, '127.0.1.1', 'alice')
      const elsewhere = await right(at, '127.0.1.2', 'alice')

      assert.deepEqual(statuses, [401, 401, 401, 401, 429, 429])
      assert.equal(refused.body.code, 'RATE_LIMIT_HIT')
      assert.equal(refused.headers['retry-after'], String(Math.ceil(refused.body['retry-after'])))
      assert.equal(elsewhere.status, 200)
    })

    it('from one address do not lock out other addresses', async () => {
      for (let attempt = 0; attempt < 3; attempt += 1) await wrong(at, '127.0.2.1', 'bob')

      assert.equal((await right(at, '127.0.2.1', 'bob')).status, 429)
      assert.equal((await right(at, '127.0.2.2', 'bob')).status, 200)
    })

    it('from many addresses are limited by name, except from a known address', async () => {
      assert.equal((await right(at, '127.0.3.200', 'carol')).status, 200)
      await attack(at, 'carol', 3)

      const known = await right(at, '127.0.3.200', 'carol')
      const unknown = await right(at, '127.0.3.201', 'carol')
      at.clock.advance(1801)
      const later = await right(at, '127.0.3.201', 'carol')

      assert.deepEqual([known.status, unknown.status, later.status], [200, 429, 200])
    })

    it('from a known address are limited by name and address', async () => {
      assert.equal((await right(at, '127.0.4.1', 'alice')).status, 200)
      for (let attempt = 0; attempt < 3; attempt += 1) await wrong(at, '127.0.4.1', 'alice')

      assert.equal((await right(at, '127.0.4.1', 'alice')).status, 429)
    })

    it('are still counted by address after a success', async () => {
      const statuses = []
      for (const name of ['a', 'b', 'c', 'bob', 'd', 'e']) {
        statuses.push((await logIn(at, '127.0.5.1', name, passwordOf('bob'))).status)
      }

      assert.deepEqual(statuses, [401, 401, 401, 200, 401, 429])
    })

    it('share known addresses between processes, for 90 days', async () => {
      at.clock.advance(day)
      assert.equal((await right(at, '127.0.6.200', 'alice')).status, 200)
      const other = await at.host.another('koa', { rateLimits: rules, passwordHashing: 'argon2id' })
      try {
        const via = { ...at, via: other }
        await attack(via, 'alice', 6)
        assert.equal((await right(via, '127.0.6.200', 'alice')).status, 200)

        at.clock.advance(91 * day)
        other.clock.advance(91 * day)
        await attack(via, 'alice', 6)
        assert.equal((await right(via, '127.0.6.200', 'alice')).status, 429)
      } finally {
        await other.stop()
      }
    })

    it('store a bounded number of known addresses per user', async () => {
      const knex = createKnex(at.host.databaseConfig)
      try {
        const { id: user_id } = at.people.bob
        const { organization_id } = await knex('chat_users').where({ id: user_id }).first()
        const now = at.clock.seconds
        const rows = Array.from({ length: 30 }, (_, index) => ({
          organization_id,
          user_id,
          login_hash: `${index}`.padEnd(64, 'x'),
          used_at_seconds: index < 25 ? now - day : now - 91 * day,
        }))
        await knex('chat_known_addresses').insert(rows)

        assert.equal((await right(at, '127.0.7.1', 'bob')).status, 200)

        const kept = await knex('chat_known_addresses')
          .where({ user_id })
          .orderBy('used_at_seconds')
        assert.equal(kept.length, 20)
        assert.equal(kept.at(-1).used_at_seconds, at.clock.seconds)
        assert.ok(kept.every(({ used_at_seconds }) => used_at_seconds > now - 90 * day))
      } finally {
        await knex.destroy()
      }
    })
  },
  { rateLimits: rules, passwordHashing: 'argon2id' },
  { passwords: ['alice', 'bob', 'carol'] },
)

everyDatabase(
  'Many simultaneous login attempts',
  'express',
  (at) => {
    it('from one address do not delay those from another', async () => {
      let answered = 0
      const flood = Array.from({ length: 75 }, async (_, index) => {
        await logIn(at, '127.0.1.1', `name${index}`, 'wrong')
        answered += 1
      })
      await flood[0]
      const before = answered

      const { status } = await right(at, '127.0.1.2', 'alice')

      const meanwhile = answered - before
      await Promise.all(flood)
      assert.equal(status, 200)
      // Two hashes are computed at a time, alternating between the addresses. The statements of the
      // log-in take time too, but without turns all of the others would come first.
      assert.ok(meanwhile <= flood.length / 2, `${meanwhile} others were answered first`)
    })
  },
  { passwordHashing: 'argon2id' },
  { passwords: ['alice'] },
)
