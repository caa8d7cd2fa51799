import assert from 'node:assert/strict'
import { it } from 'node:test'

import { castOf } from '../support/cast.js'
import type { Answer, Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost, type HostCase } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const joinedAt = 1_700_000_000
const day = 86_400
const listenOptions = { event_types: ['presence'] }

const ping = (client: Client, status = 'active', params: object = {}): Promise<Answer> =>
  client.post('/users/me/presence', { status, ...params })

/** Advances the clock so far that all users are away and every report is a change. */
const leave = (at: HostCase): void => at.clock.advance(1000)

const legacy = (status: string, timestamp: number): object => {
  const aggregated = { client: 'website', status, timestamp }
  return { aggregated, website: { ...aggregated, pushable: false } }
}

/** The ids of the users whose presences the response contains. */
const usersIn = (answer: Answer): number[] =>
  Object.keys(answer.body.presences as object)
    .map(Number)
    .sort((a, b) => a - b)

everyHost(
  'update-presence',
  (at) => {
    it('returns the presences of users in the modern format, with their update ids', async () => {
      const { alice, bob } = at.people
      leave(at)
      await ping(bob, 'idle')
      at.clock.advance(10)

      const first = await ping(alice, 'active', { last_update_id: -1 })

      const now = at.clock.seconds
      const { presences, presence_last_update_id: newest, server_timestamp, ...rest } = first.body
      assert.deepEqual(rest, bareSuccess)
      assert.equal(server_timestamp, at.clock.now() / 1000)
      assert.deepEqual(presences, {
        [alice.id]: { active_timestamp: now, idle_timestamp: now },
        [bob.id]: { active_timestamp: joinedAt, idle_timestamp: now - 10 },
      })

      const same = await ping(alice, 'active', { last_update_id: newest })
      assert.deepEqual(same.body.presences, {})
      assert.equal(same.body.presence_last_update_id, newest)

      at.clock.advance(60)
      await ping(bob, 'active')
      const later = await ping(alice, 'idle', { last_update_id: newest })
      assert.deepEqual(usersIn(later), [alice.id, bob.id])
      assert.ok(later.body.presence_last_update_id > newest)
      assert.deepEqual(later.body.presences[alice.id], {
        active_timestamp: now,
        idle_timestamp: at.clock.seconds,
      })
    })

    it('returns them by address to older clients, and by id with slim_presence', async () => {
      const { carol, mona } = at.people
      leave(at)
      await ping(mona, 'idle')

      const old = await ping(carol)
      const slim = await ping(carol, 'active', { slim_presence: true })

      const now = at.clock.seconds
      assert.deepEqual(old.body.presences[carol.email], legacy('active', now))
      assert.deepEqual(old.body.presences[mona.email], legacy('idle', now))
      assert.deepEqual(slim.body.presences[carol.id], {
        active_timestamp: now,
        idle_timestamp: now,
      })
      assert.ok(old.body.presence_last_update_id > 0)
    })

    it('returns only the given update id to a ping', async () => {
      const { alice } = at.people

      const without = await ping(alice, 'active', { ping_only: true })
      const withId = await ping(alice, 'active', { ping_only: true, last_update_id: 7 })

      assert.deepEqual(without.body, { ...bareSuccess, presence_last_update_id: -1 })
      assert.deepEqual(withId.body, { ...bareSuccess, presence_last_update_id: 7 })
    })

    it('returns as many days as requested, unless the client has an update id', async () => {
      const { alice, bob, adam } = at.people
      await ping(adam)
      const { presence_last_update_id: before } = (
        await ping(adam, 'active', { last_update_id: 0 })
      ).body
      at.clock.advance(100)
      await ping(bob)
      at.clock.advance(20 * day)

      const list = (params: object): Promise<Answer> =>
        ping(alice, 'active', { slim_presence: true, ...params })

      assert.deepEqual(usersIn(await list({})), [alice.id])
      assert.deepEqual(usersIn(await list({ last_update_id: 0 })), [alice.id])
      assert.ok(usersIn(await list({ history_limit_days: 21 })).includes(bob.id))
      assert.deepEqual(usersIn(await list({ history_limit_days: 19 })), [alice.id])
      const nobody = await list({ history_limit_days: 0, last_update_id: -1 })
      assert.deepEqual(nobody.body.presences, {})
      assert.equal(nobody.body.presence_last_update_id, -1)
      const newer = await list({ history_limit_days: 0, last_update_id: before })
      assert.deepEqual(usersIn(newer), [alice.id, bob.id])
    })

    it('stores no new presence for 55 seconds', async () => {
      const { olga } = at.people
      leave(at)
      const { presence_last_update_id: first } = (
        await ping(olga, 'active', { last_update_id: -1 })
      ).body
      at.clock.advance(55)
      const second = await ping(olga, 'active', { last_update_id: first })
      at.clock.advance(1)
      const third = await ping(olga, 'active', { last_update_id: first })

      assert.deepEqual(second.body.presences, {})
      assert.deepEqual(third.body.presences, {
        [olga.id]: { active_timestamp: at.clock.seconds, idle_timestamp: at.clock.seconds },
      })
    })

    it('gives every change its own update id, also concurrent ones', async () => {
      leave(at)
      const people = [at.people.alice, at.people.bob, at.people.carol, at.people.mona]

      const answers = await Promise.all(
        people.flatMap((client) => [ping(client), ping(client, 'idle')]),
      )

      assert.ok(answers.every(({ status }) => status === 200))
      const after = async (updateId: number): Promise<Answer> =>
        ping(at.people.alice, 'active', { last_update_id: updateId })
      let updateId = (await after(1)).body.presence_last_update_id as number
      // Going back one id at a time adds at most one user to the result.
      for (let seen = 0; seen < people.length; updateId -= 1) {
        const users = usersIn(await after(updateId)).length
        assert.ok(users <= seen + 1, `${users} users after ${updateId}`)
        seen = users
      }
    })

    it('sends an event to all active users when a user comes online, in the format of each client', async () => {
      const { alice, bob, gus, bot } = at.people
      leave(at)
      const simplified = await bob.listen({
        ...listenOptions,
        client_capabilities: { notification_settings_null: true, simplified_presence_events: true },
      })
      const slim = await gus.listen({ ...listenOptions, slim_presence: true })
      const old = await bot.listen(listenOptions)

      await ping(alice)
      at.clock.advance(60)
      await ping(alice)

      const now = at.clock.seconds - 60
      const website = { client: 'website', status: 'active', timestamp: now, pushable: false }
      const event = {
        type: 'presence',
        user_id: alice.id,
        server_timestamp: now,
        presence: { website },
      }
      assert.deepEqual(withoutIds(await simplified.drain()), [
        {
          type: 'presence',
          presences: { [alice.id]: { active_timestamp: now, idle_timestamp: now } },
        },
      ])
      assert.deepEqual(withoutIds(await slim.drain()), [event])
      assert.deepEqual(withoutIds(await old.drain()), [{ ...event, email: alice.email }])
    })

    it('sends no event for an idle return or for activity within 130 seconds', async () => {
      const { alice, bob } = at.people
      await ping(alice)
      leave(at)
      const feed = await bob.listen(listenOptions)

      await ping(alice, 'idle')
      assert.deepEqual(await feed.drain(), [])
      await ping(alice)
      assert.equal((await feed.drain()).length, 1)
      at.clock.advance(130)
      await ping(alice)
      assert.deepEqual(await feed.drain(), [])
      at.clock.advance(131)
      await ping(alice)
      assert.equal((await feed.drain()).length, 1)
    })

    it('ignores the reports of an invisible user, but returns the presences of others', async () => {
      const { alice, carol, gus } = at.people
      leave(at)
      const feed = await alice.listen(listenOptions)
      await ping(carol)

      const answer = await ping(gus, 'active', { last_update_id: -1 })

      assert.deepEqual(usersIn(answer).includes(gus.id), false)
      assert.equal(usersIn(answer).includes(carol.id), true)
      const events = await feed.drain()
      assert.deepEqual(
        events.map(({ user_id }) => user_id as unknown),
        [carol.id],
      )
    })

    it('rejects an unknown status and a negative history', async () => {
      const { alice } = at.people

      assertRefused(await ping(alice, 'away'), 'Invalid status: away')
      assertRefused(
        await ping(alice, 'idle', { history_limit_days: -1 }),
        'history_limit_days is too small',
      )
      assertRefused(await alice.post('/users/me/presence'), "Missing 'status' argument", {
        code: 'REQUEST_VARIABLE_MISSING',
        var_name: 'status',
      })
    })

    it('returns an error to bots', async () => {
      assertRefused(await ping(at.people.bot), 'This endpoint does not accept bot requests.')
      assert.equal((await ping(at.people.dora)).status, 401)
      assert.equal((await ping(at.nobody)).status, 401)
    })
  },
  { userSettings: { gus: { presence_enabled: false } } },
)

everyHost('update-presence', (at) => {
  it('follows presence_enabled: users appear offline without it, and online again with it', async () => {
    const { alice, bob, carol } = at.people
    await ping(alice)
    at.clock.advance(30)
    const feed = await bob.listen({ ...listenOptions, slim_presence: true })
    const { presence_last_update_id: before } = (await ping(bob, 'idle', { last_update_id: -1 }))
      .body

    await alice.patch('/settings', { presence_enabled: false })
    await carol.patch('/settings', { presence_enabled: false })
    await ping(alice)
    const hidden = await ping(bob, 'idle', { last_update_id: before })
    at.clock.advance(5)
    await alice.patch('/settings', { presence_enabled: true })
    const shown = await ping(bob, 'idle', { last_update_id: -1 })

    const now = at.clock.seconds
    const gone = now - 5 - 265
    assert.deepEqual(hidden.body.presences, {
      [alice.id]: { active_timestamp: gone, idle_timestamp: gone },
      [carol.id]: { active_timestamp: joinedAt, idle_timestamp: gone },
    })
    assert.deepEqual(shown.body.presences[alice.id], {
      active_timestamp: now,
      idle_timestamp: now,
    })
    const events = (await feed.drain()).filter(({ user_id }) => user_id !== bob.id)
    assert.deepEqual(
      events.map(({ user_id, presence }) => [
        user_id,
        presence.website.status,
        presence.website.timestamp,
      ]),
      [
        [alice.id, 'active', gone],
        [carol.id, 'idle', gone],
        [alice.id, 'active', now],
      ],
    )
  })

  it('sends an event for the very first report, also if it is idle', async () => {
    const other = await at.host.organization()
    const feed = await other.people.bob.listen(listenOptions)

    await ping(other.people.alice, 'idle')

    const website = {
      client: 'website',
      status: 'idle',
      timestamp: at.clock.seconds,
      pushable: false,
    }
    const [event, ...more] = await feed.drain()
    assert.deepEqual(event?.['presence'], { website })
    assert.deepEqual(more, [])
  })

  it('sends an event of a return with 100 active users, but not with 101', async () => {
    // The usual organization has nine users, of whom one is deactivated.
    for (const [base, others, expectedEvents] of [
      [7_000_000, 92, 1],
      [8_000_000, 93, 0],
    ] as const) {
      const subdomain = `crowd-${base}`
      const cast = castOf(base, subdomain, {}, (...args) => at.host.client(subdomain, ...args))
      const { users } = cast.file
      for (let index = 0; index < others; index += 1) {
        users.push({
          id: base + 100 + index,
          email: `extra${index}@${subdomain}.example`,
          full_name: `Extra ${index}`,
          role: 400,
          joined_at_seconds: joinedAt,
        })
      }
      await at.host.chat.organizations.load(cast.file)
      const feed = await cast.people.bob.listen(listenOptions)

      await ping(cast.people.alice)

      assert.equal((await feed.drain()).length, expectedEvents)
    }
  })
})

everyHost(
  'update-presence',
  (at) => {
    it('returns no presences if the organization has disabled presence', async () => {
      const { alice, bob } = at.people
      const feed = await bob.listen({ ...listenOptions, fetch_event_types: ['presence'] })

      const modern = await ping(alice, 'active', { last_update_id: 3 })
      const old = await ping(alice)

      for (const { body } of [modern, old, { body: feed.snapshot }]) {
        assert.deepEqual(body['presences'], {})
        assert.equal(body['presence_last_update_id'], -1)
        assert.equal(body['server_timestamp'], at.clock.now() / 1000)
      }
      assert.deepEqual(await feed.drain(), [])
      assert.deepEqual((await alice.get('/realm/presence')).body.presences, {})
      assertRefused(
        await alice.get(`/users/${alice.id}/presence`),
        `No presence data for ${alice.id}`,
      )
    })
  },
  { settings: { presence_disabled: true } },
)
