import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import { everyHost } from '../support/host.js'
import { plainMember } from '../support/members.js'

const registerFor = async (client: Client, more: Record<string, unknown> = {}) =>
  (await client.post('/register', { fetch_event_types: ['realm_user'], ...more })).body

const idsOf = (users: { user_id: number }[]): number[] => users.map(({ user_id }) => user_id)

const queueKeys = [
  'queue_id',
  'last_event_id',
  'zulip_version',
  'zulip_merge_base',
  'zulip_feature_level',
  'result',
  'msg',
]

everyHost('register-queue', (at) => {
  it('separates active users, deactivated users and system bots', async () => {
    const { dora, alice, bot } = at.people

    const body = await registerFor(alice)

    const others = Object.values(at.people).filter(({ id }) => id !== dora.id)
    assert.deepEqual(
      idsOf(body.realm_users),
      others.map(({ id }) => id).sort((a, b) => a - b),
    )
    assert.deepEqual(idsOf(body.realm_non_active_users), [dora.id])
    assert.deepEqual(
      body.cross_realm_bots.map(({ full_name }) => full_name),
      ['Notification Bot', 'Welcome Bot', 'Email Gateway'],
    )
    const find = ({ id }: Client) => body.realm_users.find((user) => user.user_id === id)
    assert.deepEqual(find(alice), {
      user_id: alice.id,
      email: alice.email,
      delivery_email: alice.email,
      full_name: 'Alice Test',
      date_joined: '2023-11-14T22:13:20.000+00:00',
      ...plainMember,
      avatar_url: `/user_avatars/default/${alice.id}.png?version=1`,
      profile_data: {},
    })
    assert.equal(find(bot)!.bot_owner_id, alice.id)
    assert.equal('profile_data' in find(bot)!, false)
  })

  const roles = [
    { name: 'olga', flags: [true, true, true, false] },
    { name: 'adam', flags: [false, true, true, false] },
    { name: 'mona', flags: [false, false, true, false] },
    { name: 'alice', flags: [false, false, false, false] },
    { name: 'gus', flags: [false, false, false, true] },
  ] as const
  for (const { name, flags } of roles) {
    it(`returns to ${name} their role and what they may create`, async () => {
      const person = at.people[name]

      const body = await registerFor(person)

      const { realm_users: _, realm_non_active_users: __, cross_realm_bots: ___, ...self } = body
      for (const key of queueKeys) delete self[key]
      const isMember = name !== 'gus'
      assert.deepEqual(self, {
        user_id: person.id,
        email: person.email,
        delivery_email: person.email,
        full_name: `${name[0]?.toUpperCase()}${name.slice(1)} Test`,
        avatar_source: 'G',
        avatar_url: self.avatar_url,
        avatar_url_medium: self.avatar_url.replace('.png', '-medium.png'),
        is_owner: flags[0],
        is_admin: flags[1],
        is_moderator: flags[2],
        is_guest: flags[3],
        can_create_public_streams: isMember,
        can_create_private_streams: isMember,
        can_create_streams: isMember,
        can_create_web_public_streams: false,
        can_invite_others_to_realm: isMember,
      })
      assert.match(self.avatar_url, /^\/user_avatars\/default\/\d+\.png\?version=1$/)
    })
  }

  it('includes users only on request', async () => {
    const { body } = await at.people.alice.post('/register', { fetch_event_types: ['nothing'] })

    assert.deepEqual(Object.keys(body).sort(), [...queueKeys].sort())
  })

  it('lists bots with their API keys to their owners, and all bots without to administrators', async () => {
    const { alice, bob, adam, bot, mona } = at.people
    const bots = async (client: Client) =>
      (await client.post('/register', { fetch_event_types: ['realm_bot'] })).body.realm_bots
    const expected = [
      {
        user_id: bot.id,
        email: bot.email,
        full_name: 'Bot Test',
        bot_type: 1,
        is_active: true,
        owner_id: alice.id,
        api_key: bot.credentials?.apiKey,
        avatar_url: (await alice.get(`/users/${bot.id}`, { client_gravatar: false })).body.user
          .avatar_url,
        default_sending_stream: null,
        default_events_register_stream: null,
        default_all_public_streams: false,
        services: [],
      },
    ]

    assert.deepEqual(await bots(alice), expected)
    assert.deepEqual(
      await bots(adam),
      expected.map((described) => ({ ...described, api_key: '' })),
    )
    for (const other of [bob, mona, bot]) assert.deepEqual(await bots(other), [])
  })
})

everyHost(
  'register-queue',
  (at) => {
    it('hides users from guests who share nothing with them, in the list and one by one', async () => {
      const { gus, alice, bob, carol, bot, olga, adam } = at.people
      const unknownTo = (users: { user_id: number; full_name: string }[]) =>
        users.filter(({ full_name }) => full_name === 'Unknown user').map(({ user_id }) => user_id)

      const before = await registerFor(gus)
      const modern = await registerFor(gus, {
        client_capabilities: { notification_settings_null: true, user_list_incomplete: true },
      })
      const list = await gus.get('/users')
      const refused = await gus.get(`/users/${bob.id}`)

      assert.deepEqual(
        [unknownTo(before.realm_users).includes(bob.id), unknownTo(before.realm_users).length],
        [true, 6],
      )
      assert.deepEqual(idsOf(modern.realm_users), [alice.id, gus.id, bot.id])
      assert.deepEqual(idsOf(list.body.members), [alice.id, gus.id, bot.id])
      assert.deepEqual(refused.body.msg, 'Insufficient permission')
      assert.equal((await gus.get(`/users/${bob.email}`)).body.msg, 'Insufficient permission')
      assert.equal((await gus.get(`/users/${alice.id}`)).status, 200)

      await olga.whisper([gus], 'hello')
      await carol.whisper([gus, adam], 'hello')

      const after = await gus.get('/users')
      const ids = [olga, adam, alice, carol, gus, bot].map(({ id }) => id)
      assert.deepEqual(idsOf(after.body.members), ids)
      assert.equal((await alice.get('/users')).body.members.length, 9)
    })

    it('sends guests no changes of users to whom they have no access', async () => {
      const { gus, alice, bob, adam } = at.people
      const feed = await gus.listen({ event_types: ['realm_user'] })

      await adam.patch(`/users/${bob.id}`, { full_name: 'Robert' })
      await adam.patch(`/users/${alice.id}`, { full_name: 'Alicia' })

      assert.deepEqual(
        (await feed.drain()).map(({ person }) => person),
        [{ user_id: alice.id, full_name: 'Alicia' }],
      )
    })
  },
  {
    settings: { can_access_all_users_group: 'role:members' },
    more: ({ people, base }) => ({
      channels: [
        { id: base, name: 'lobby', subscribers: [people.gus, people.alice] },
        { id: base + 1, name: 'else', subscribers: [people.bob, people.carol] },
      ],
    }),
  },
)

everyHost(
  'register-queue',
  (at) => {
    it('lets owners create web-public channels if the organization allows them', async () => {
      const { olga, adam } = at.people

      assert.equal((await registerFor(olga)).can_create_web_public_streams, true)
      assert.equal((await registerFor(adam)).can_create_web_public_streams, false)
      const self = await registerFor(olga)
      assert.equal(self.email, `user${olga.id}@users.invalid`)
      assert.equal(self.delivery_email, olga.email)
    })

    it('follows the permission groups', async () => {
      const { adam, alice, mona } = at.people

      const moderator = await registerFor(mona)
      const member = await registerFor(alice)

      assert.equal(moderator.can_invite_others_to_realm, true)
      assert.equal(member.can_invite_others_to_realm, false)
      assert.equal(member.can_create_public_streams, false)
      assert.equal(member.can_create_private_streams, true)
      assert.equal(member.can_create_streams, true)
      assert.equal((await registerFor(adam)).can_create_public_streams, true)
    })
  },
  {
    settings: {
      enable_spectator_access: true,
      can_invite_users_group: 'role:moderators',
      can_create_public_channel_group: 'role:administrators',
    },
    userSettings: { olga: { email_address_visibility: 4 } },
  },
)
