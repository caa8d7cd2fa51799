import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Answer, Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost, type HostCase } from '../support/host.js'
import { reactivate } from '../support/reactivation.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const listenOptions = { event_types: ['user_status'] }
const car = { emoji_name: 'car', emoji_code: '1f697', reaction_type: 'unicode_emoji' }
const noEmoji = { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' }

const statusOf = async (viewer: Client, user: Client): Promise<unknown> =>
  (await viewer.get(`/users/${user.id}/status`)).body.status

/** The errors that both operations share. */
function refusesBadStatuses(send: (params: Record<string, unknown>) => Promise<Answer>): void {
  const nameless = 'Client must pass emoji_name if they pass either emoji_code or reaction_type.'
  for (const [params, msg] of [
    [{}, 'Client did not pass any new values.'],
    [{ status_text: 'é'.repeat(61) }, 'status_text is too long (limit: 60 characters)'],
    [{ status_text: 'x', emoji_code: '1f697' }, nameless],
    [{ reaction_type: 'unicode_emoji' }, nameless],
    [{ emoji_name: 'invalid' }, "Emoji 'invalid' does not exist"],
    [{ ...car, emoji_name: 'invalid' }, 'Invalid emoji name.'],
    [{ ...car, emoji_code: '1' }, 'Invalid emoji code.'],
    [{ ...car, reaction_type: 'x' }, 'Invalid emoji type.'],
    [{ ...car, reaction_type: 'realm_emoji' }, 'Invalid custom emoji.'],
  ] as const) {
    it(`rejects ${JSON.stringify(params)}`, async () => assertRefused(await send(params), msg))
  }
}

everyHost(
  'update-status',
  (at) => {
    it('stores the given fields, keeps the others, and sends the event to all active users', async () => {
      const { alice, bob, gus, bot } = at.people
      const feeds = [await alice.listen(listenOptions), await gus.listen(listenOptions)]
      feeds.push(await bot.listen(listenOptions))

      const answers = [
        await alice.post('/users/me/status', { status_text: ' on vacation ' }),
        await alice.post('/users/me/status', { emoji_name: 'car' }),
        await alice.post('/users/me/status', { status_text: '', ...car, away: false }),
        await alice.post('/users/me/status', { emoji_name: '' }),
      ]

      for (const { body } of answers) assert.deepEqual(body, bareSuccess)
      const event = { type: 'user_status', user_id: alice.id }
      for (const feed of feeds) {
        assert.deepEqual(withoutIds(await feed.drain()), [
          { ...event, status_text: 'on vacation' },
          { ...event, ...car },
          { ...event, away: false, status_text: '', ...car },
          { ...event, ...noEmoji },
        ])
      }
      assert.deepEqual(await statusOf(bob, alice), {})
    })

    it('accepts 60 characters of any plane', async () => {
      const { bob } = at.people
      const status_text = '🐙'.repeat(60)

      assert.equal((await bob.post('/users/me/status', { status_text })).status, 200)
      assert.deepEqual(await statusOf(bob, bob), { status_text })
    })

    it('accepts the extra emoji under both names of its type', async () => {
      const { mona } = at.people
      const extra = { emoji_name: 'zulip', emoji_code: 'zulip' }

      await mona.post('/users/me/status', { ...extra, reaction_type: 'zulip_extra_emoji' })

      const expected = { ...extra, reaction_type: 'service_extra_emoji' }
      assert.deepEqual(await statusOf(mona, mona), expected)
      assert.equal((await mona.post('/users/me/status', { emoji_name: 'zulip' })).status, 200)
      assert.deepEqual(await statusOf(mona, mona), expected)
    })

    it('hides a user with away=true, and shows the user again, with the events of the setting', async () => {
      const { carol, adam } = at.people
      await carol.post('/users/me/presence', { status: 'active' })
      const [own, others] = [
        await carol.listen({
          event_types: ['user_settings', 'user_status'],
          client_capabilities: { notification_settings_null: true, user_settings_object: true },
        }),
        await adam.listen({ event_types: ['presence', 'user_status', 'user_settings'] }),
      ]
      const now = at.clock.seconds

      await carol.post('/users/me/status', { away: true })
      assert.deepEqual(await statusOf(adam, carol), { away: true })
      await carol.post('/users/me/status', { away: true })
      await carol.post('/users/me/status', { away: false })
      assert.deepEqual(await statusOf(adam, carol), {})

      const setting = { type: 'user_settings', op: 'update', property: 'presence_enabled' }
      const status = { type: 'user_status', user_id: carol.id }
      assert.deepEqual(withoutIds(await own.drain()), [
        { ...setting, value: false },
        { ...status, away: true },
        { ...status, away: true },
        { ...setting, value: true },
        { ...status, away: false },
      ])
      const received = withoutIds(await others.drain())
      const presence = (timestamp: number): object => ({
        type: 'presence',
        user_id: carol.id,
        email: carol.email,
        server_timestamp: at.clock.now() / 1000,
        presence: {
          website: { client: 'website', status: 'active', timestamp, pushable: false },
        },
      })
      assert.deepEqual(received, [
        presence(now - 265),
        { ...status, away: true },
        { ...status, away: true },
        presence(now),
        { ...status, away: false },
      ])
    })

    it('returns an error to bots', async () => {
      const params = { status_text: 'x' }
      assertRefused(
        await at.people.bot.post('/users/me/status', params),
        'This endpoint does not accept bot requests.',
      )
      assert.equal((await at.people.gus.post('/users/me/status', params)).status, 200)
      assert.equal((await at.nobody.post('/users/me/status', params)).status, 401)
    })

    refusesBadStatuses((params) => at.people.alice.post('/users/me/status', params))

    it('hides the status of users from guests without access to them', async () => {
      const { gus, carol } = at.people
      const limited = await limitedOrganization(at)
      const [feed, otherFeed] = [
        await limited.carol.listen(listenOptions),
        await limited.gus.listen(listenOptions),
      ]

      await limited.bob.post('/users/me/status', { status_text: 'hidden' })

      assert.equal((await feed.drain()).length, 1)
      assert.deepEqual(await otherFeed.drain(), [])
      assertRefused(
        await limited.gus.get(`/users/${limited.bob.id}/status`),
        'Insufficient permission',
      )
      const { snapshot } = await limited.gus.listen({ fetch_event_types: ['user_status'] })
      assert.deepEqual(snapshot['user_status'], {})
      await carol.post('/users/me/status', { status_text: 'seen' })
      assert.deepEqual(await statusOf(gus, carol), { status_text: 'seen' })
    })

    it('is sent again when a guest gets access to the user, and when the user is reactivated', async () => {
      const { olga, alice, bob, gus } = await limitedOrganization(at)
      await bob.post('/users/me/status', { status_text: 'There' })
      const seen = { type: 'user_status', user_id: bob.id, status_text: 'There' }
      const feeds = [await alice.listen(listenOptions), await gus.listen(listenOptions)]
      const received = async (): Promise<unknown[]> =>
        Promise.all(feeds.map(async (feed) => withoutIds(await feed.drain())))

      await olga.delete(`/users/${bob.id}`)
      await reactivate(at, olga, bob)
      assert.deepEqual(await received(), [[seen], []])

      await bob.whisper([gus], 'Hello')
      assert.deepEqual(await received(), [[], [seen]])

      await bob.post('/users/me/status', { status_text: '' })
      await received()
      await olga.delete(`/users/${bob.id}`)
      await reactivate(at, olga, bob)
      assert.deepEqual(await received(), [[], []])
    })
  },
  {},
)

/** An organization whose guest shares no channel with Bob. */
async function limitedOrganization(at: HostCase): Promise<HostCase['people']> {
  const cast = await at.host.organization({
    settings: { can_access_all_users_group: 'role:members' },
    more: ({ people, channels }) => ({
      channels: [
        { id: channels.general, name: 'general', subscribers: [people.carol, people.bob] },
        { id: channels.design, name: 'design', subscribers: [people.gus, people.alice] },
      ],
    }),
  })
  return cast.people
}

everyHost('get-user-status', (at) => {
  it('returns the current status, also in the snapshot of all users', async () => {
    const { alice, bob, carol, gus } = at.people
    await alice.post('/users/me/status', { status_text: 'out to lunch', emoji_name: 'car' })
    await bob.post('/users/me/status', { status_text: 'gone' })
    await bob.post('/users/me/status', { status_text: '' })

    const expected = { status_text: 'out to lunch', ...car }
    const answer = await gus.get(`/users/${alice.id}/status`)
    assert.deepEqual(answer.body, { ...bareSuccess, status: expected })
    assert.deepEqual(await statusOf(gus, bob), {})
    assert.deepEqual(await statusOf(gus, carol), {})
    const registered = await carol.listen({ fetch_event_types: ['user_status'] })
    assert.deepEqual(registered.snapshot['user_status'], { [alice.id]: expected })
    const other = await carol.listen({ fetch_event_types: ['message'] })
    assert.equal('user_status' in other.snapshot, false)
  })

  it('returns the same error for unknown and foreign users, and rejects deactivated ones', async () => {
    const { alice, dora } = at.people
    const other = await at.host.organization()

    for (const id of [at.unknownId, other.people.bob.id]) {
      assertRefused(await alice.get(`/users/${id}/status`), 'No such user')
    }
    assertRefused(await alice.get(`/users/${dora.id}/status`), 'User is deactivated')
    assert.equal((await at.nobody.get(`/users/${alice.id}/status`)).status, 401)
  })
})

everyHost('update-status-for-user', (at) => {
  it("lets administrators change a user's status, and sends the event to all active users", async () => {
    const { olga, adam, alice, gus } = at.people
    const feed = await gus.listen(listenOptions)

    const first = await adam.post(`/users/${alice.id}/status`, { status_text: ' ill ', ...car })
    const second = await olga.post(`/users/${alice.id}/status`, { status_text: '' })

    assert.deepEqual([first.body, second.body], [bareSuccess, bareSuccess])
    const event = { type: 'user_status', user_id: alice.id }
    assert.deepEqual(withoutIds(await feed.drain()), [
      { ...event, status_text: 'ill', ...car },
      { ...event, status_text: '' },
    ])
    assert.deepEqual(await statusOf(gus, alice), car)
  })

  it('does not hide the user', async () => {
    const { adam, bob } = at.people

    const answer = await adam.post(`/users/${bob.id}/status`, { status_text: 'x', away: true })

    assert.deepEqual(answer.body, { ...bareSuccess, ignored_parameters_unsupported: ['away'] })
    assert.deepEqual(await statusOf(adam, bob), { status_text: 'x' })
  })

  it('rejects all other users, also for themselves', async () => {
    const { mona, alice, gus, bot, bob } = at.people
    for (const client of [mona, alice, gus, bot]) {
      const answer = await client.post(`/users/${bob.id}/status`, { status_text: 'x' })
      assertRefused(answer, 'Insufficient permission')
    }
    assertRefused(
      await alice.post(`/users/${alice.id}/status`, { status_text: 'x' }),
      'Insufficient permission',
    )
  })

  it('returns the same error for unknown users, foreign users and bots, and rejects deactivated users', async () => {
    const { adam, bot, dora } = at.people
    const other = await at.host.organization()

    for (const id of [at.unknownId, other.people.bob.id, bot.id]) {
      assertRefused(await adam.post(`/users/${id}/status`, { status_text: 'x' }), 'No such user')
    }
    const answer = await adam.post(`/users/${dora.id}/status`, { status_text: 'x' })
    assertRefused(answer, 'User is deactivated')
  })

  refusesBadStatuses((params) => at.people.adam.post(`/users/${at.people.alice.id}/status`, params))
})
