import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Answer, Client } from '../support/client.js'
import { everyHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const day = 86_400

const ping = (client: Client, status = 'active', params: object = {}): Promise<Answer> =>
  client.post('/users/me/presence', { status, ...params })

const legacy = (status: string, timestamp: number): object => {
  const aggregated = { client: 'website', status, timestamp }
  return { aggregated, website: { ...aggregated, pushable: false } }
}

everyHost('get-user-presence', (at) => {
  it('finds a user by id and by address, and returns when they were last active', async () => {
    const { alice, bob } = at.people
    await ping(bob)
    const timestamp = at.clock.seconds
    const status = { status: 'active', timestamp }

    at.clock.advance(200)
    const byId = await alice.get(`/users/${bob.id}/presence`)
    at.clock.advance(1)
    const byEmail = await alice.get(`/users/${bob.email.toUpperCase()}/presence`)

    const here = { aggregated: status, website: status }
    assert.deepEqual(byId.body, { ...bareSuccess, presence: here })
    const gone = { aggregated: { status: 'offline', timestamp }, website: status }
    assert.deepEqual(byEmail.body, { ...bareSuccess, presence: gone })
  })

  it('returns the same error for unknown, deactivated and foreign users, and for bots', async () => {
    const { alice, dora, bot } = at.people
    const other = await at.host.organization()
    await ping(other.people.bob)

    for (const named of [at.unknownId, dora.id, other.people.bob.id, 'x@y.example', 'me']) {
      assertRefused(await alice.get(`/users/${named}/presence`), 'No such user')
    }
    assertRefused(
      await alice.get(`/users/${bot.id}/presence`),
      'Presence is not supported for bot users.',
    )
  })

  it('returns an error for a user without presence data', async () => {
    const { alice, carol } = at.people

    assertRefused(
      await alice.get(`/users/${carol.email}/presence`),
      `No presence data for ${carol.email}`,
    )
  })

  it('accepts calls by bots', async () => {
    const { bob, bot } = at.people
    await ping(bob)

    assert.equal((await bot.get(`/users/${bob.id}/presence`)).status, 200)
    assert.equal((await at.nobody.get(`/users/${bob.id}/presence`)).status, 401)
  })
})

everyHost('get-presence', (at) => {
  it('lists two weeks in the legacy format, also in the snapshot of older clients', async () => {
    const { alice, bob, carol, bot } = at.people
    await ping(carol)
    at.clock.advance(15 * day)
    await ping(bob, 'idle')
    at.clock.advance(30)
    await ping(alice)
    const now = at.clock.seconds

    const expected = {
      [alice.email]: legacy('active', now),
      [bob.email]: legacy('idle', now - 30),
    }
    assert.deepEqual((await bot.get('/realm/presence')).body, {
      ...bareSuccess,
      server_timestamp: at.clock.now() / 1000,
      presences: expected,
    })
    const old = await alice.listen({ fetch_event_types: ['presence'] })
    assert.deepEqual(old.snapshot['presences'], expected)
    const slim = await alice.listen({
      fetch_event_types: ['presence'],
      slim_presence: true,
      presence_history_limit_days: 16,
    })
    const { presences, presence_last_update_id } = slim.snapshot as {
      presences: object
      presence_last_update_id: number
    }
    assert.deepEqual(Object.keys(presences).map(Number), [alice.id, bob.id, carol.id])
    const newer = await ping(alice, 'active', { last_update_id: presence_last_update_id })
    assert.deepEqual(newer.body.presences, {})
    const without = await alice.listen({ fetch_event_types: ['message'] })
    assert.equal('presences' in without.snapshot, false)
  })

  it('requires credentials', async () => {
    assert.equal((await at.nobody.get('/realm/presence')).status, 401)
  })
})

everyHost(
  'get-user-presence',
  (at) => {
    it('hides users from guests without access to them, by id and by address', async () => {
      const { alice, gus, mona } = at.people
      for (const person of [alice, mona]) await ping(person)
      await gus.delete('/users/me/subscriptions', { subscriptions: ['general'] })

      for (const who of [mona.id, alice.id]) {
        assertRefused(await gus.get(`/users/${who}/presence`), 'Insufficient permission')
      }
      await gus.whisper([gus], 'Only me')
      await alice.whisper([gus], 'Hello')

      assert.equal((await gus.get(`/users/${alice.id}/presence`)).status, 200)
      assertRefused(await gus.get(`/users/${mona.id}/presence`), 'Insufficient permission')
      const all = await gus.get('/realm/presence')
      assert.deepEqual(Object.keys(all.body.presences), [alice.email])
    })
  },
  { settings: { can_access_all_users_group: 'role:members' } },
)
