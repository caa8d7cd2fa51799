import assert from 'node:assert/strict'
import { it } from 'node:test'

import { organizationPermissions } from '../../packages/core/src/domain/organization-settings.js'
import type { Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { makeGroup, systemGroupId } from '../support/groups.js'
import { everyHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const hearing = { event_types: ['realm'] }
const notAdministrator = 'Must be an organization administrator'
const notOwner = 'Must be an organization owner'
const listed = 'Value error, Not in the list of possible values'

// eslint-disable-next-line typescript/no-explicit-any -- whatever the server says
async function realmOf(client: Client): Promise<Record<string, any>> {
  return (await client.post('/register', { fetch_event_types: ['realm'] })).body
}

/** A new value for every setting that is no permission, and how clients see it afterwards. */
const plainValues: Readonly<Record<string, readonly [given: unknown, kept?: unknown]>> = {
  name: ['Parley Guild'],
  description: ['All about *us*'],
  emails_restricted_to_domains: [true],
  disallow_disposable_email_addresses: [false],
  invite_required: [false],
  name_changes_disabled: [true],
  email_changes_disabled: [true],
  avatar_changes_disabled: [true],
  require_unique_names: [true],
  inline_image_preview: [false],
  inline_url_embed_preview: [true],
  message_content_delete_limit_seconds: [30],
  move_messages_within_stream_limit_seconds: ['unlimited', null],
  move_messages_between_streams_limit_seconds: ['"unlimited"', null],
  message_edit_history_visibility_policy: ['moves'],
  default_language: ['de'],
  message_retention_days: [90],
  send_welcome_emails: [false],
  message_content_allowed_in_email_notifications: [false],
  welcome_message_custom_text: ['Welcome!'],
  digest_emails_enabled: [true],
  digest_weekday: [6],
  video_chat_provider: [0],
  jitsi_server_url: ['"https://meet.example/x"', 'https://meet.example/x'],
  giphy_rating: [0],
  default_code_block_language: ['rust'],
  enable_read_receipts: [false],
  enable_spectator_access: [true],
  enable_guest_user_indicator: [false],
  enable_guest_user_dm_warning: [false],
  want_advertise_in_communities_directory: [true],
  require_e2ee_push_notifications: [true],
  org_type: [1000],
}

everyHost('update-realm', (at) => {
  it('changes every setting, tells all active users of each, and shows them', async () => {
    const { olga, gus, bot, dora } = at.people
    const feeds = [await gus.listen(hearing), await bot.listen(hearing)]
    const kept = Object.entries(plainValues).map(
      ([name, [given, stored]]) => [name, stored === undefined ? given : stored] as const,
    )

    const answer = await olga.patch(
      '/realm',
      Object.fromEntries(Object.entries(plainValues).map(([name, [given]]) => [name, given])),
    )

    assert.deepEqual(answer.body, {
      ...bareSuccess,
      ...Object.fromEntries(
        kept.map(([name, value]) => [name, typeof value === 'string' ? 'updated' : value]),
      ),
    })
    for (const feed of feeds) {
      assert.deepEqual(
        withoutIds(await feed.drain()),
        kept.map(([property, value]) => ({ type: 'realm', op: 'update', property, value })),
      )
    }
    const realm = await realmOf(gus)
    for (const [name, value] of kept) assert.deepEqual(realm[`realm_${name}`], value, name)
    assert.equal((await dora.get('/users/me')).status, 401)
  })

  it('says nothing about settings that stay as they are', async () => {
    const { adam } = at.people
    const feed = await adam.listen(hearing)
    const { realm_name } = await realmOf(adam)

    const answer = await adam.patch('/realm', {
      name: ` ${realm_name} `,
      allow_message_editing: true,
      topics_policy: 'allow_empty_topic',
      moderation_request_channel_id: -7,
      message_content_edit_limit_seconds: 600,
    })

    assert.deepEqual(answer.body, bareSuccess)
    assert.deepEqual((await adam.patch('/realm')).body, bareSuccess)
    assert.deepEqual(await feed.drain(), [])
  })

  it('tells of settings that belong together in another form', async () => {
    const { adam, alice } = at.people
    const feed = await alice.listen(hearing)
    const dictionary = (data: object) => ({
      type: 'realm',
      op: 'update_dict',
      property: 'default',
      data,
    })

    const answer = await adam.patch('/realm', {
      allow_message_editing: false,
      message_content_edit_limit_seconds: 'unlimited',
      topics_policy: 'disable_empty_topic',
    })
    await adam.patch('/realm', {
      allow_message_editing: true,
      message_content_edit_limit_seconds: 60,
      topics_policy: 'allow_empty_topic',
    })

    assert.deepEqual(answer.body, {
      ...bareSuccess,
      allow_message_editing: false,
      message_content_edit_limit_seconds: null,
      topics_policy: 'updated',
    })
    assert.deepEqual(withoutIds(await feed.drain()), [
      dictionary({ allow_message_editing: false }),
      dictionary({ message_content_edit_limit_seconds: null }),
      dictionary({ topics_policy: 'disable_empty_topic', mandatory_topics: true }),
      dictionary({ allow_message_editing: true }),
      dictionary({ message_content_edit_limit_seconds: 60 }),
      dictionary({ topics_policy: 'allow_empty_topic', mandatory_topics: false }),
    ])
  })

  it('goes back to the server for calls', async () => {
    const { adam, alice } = at.people
    await adam.patch('/realm', { jitsi_server_url: '"https://calls.example"' })
    const feed = await alice.listen(hearing)

    const { body } = await adam.patch('/realm', { jitsi_server_url: '"default"' })

    assert.deepEqual(body, { ...bareSuccess, jitsi_server_url: null })
    assert.deepEqual(withoutIds(await feed.drain()), [
      { type: 'realm', op: 'update', property: 'jitsi_server_url', value: null },
    ])
  })

  for (const [name, value, text] of [
    ['name', 'x'.repeat(41), 'name is too long (limit: 40 characters)'],
    ['name', '   ', 'name cannot be blank'],
    ['description', 'x'.repeat(1001), 'description is too long (limit: 1000 characters)'],
    [
      'welcome_message_custom_text',
      'x'.repeat(8001),
      'welcome_message_custom_text is too long (limit: 8000 characters)',
    ],
    ['default_language', 'klingon', "Invalid language 'klingon'"],
    ['video_chat_provider', 3, 'Invalid video_chat_provider 3'],
    ['video_chat_provider', '"x"', 'video_chat_provider is not an integer'],
    ['giphy_rating', 9, 'Invalid giphy_rating 9'],
    ['waiting_period_threshold', -1, 'waiting_period_threshold is too small'],
    ['waiting_period_threshold', 'x', 'waiting_period_threshold is not valid JSON'],
    ['jitsi_server_url', '"not a URL"', 'jitsi_server_url is not an allowed_type'],
    ['jitsi_server_url', 7, 'jitsi_server_url is not an allowed_type'],
    [
      'jitsi_server_url',
      `"https://calls.example/${'x'.repeat(200)}"`,
      'jitsi_server_url is not an allowed_type',
    ],
    ['digest_weekday', 7, `Invalid digest_weekday: ${listed}`],
    ['org_type', 1, `Invalid org_type: ${listed}`],
    ['topics_policy', 'inherit', 'Invalid topics_policy'],
    [
      'message_edit_history_visibility_policy',
      'some',
      'Invalid message_edit_history_visibility_policy',
    ],
    ['invite_required', 1, 'invite_required is not a boolean'],
    ['new_stream_announcements_stream_id', 0, 'Invalid channel ID'],
    ['signup_announcements_stream_id', 2_000_000_000, 'Invalid channel ID'],
    ['authentication_methods', [], 'authentication_methods is not a dict'],
    ['authentication_methods', { Email: 1 }, 'authentication_methods["Email"] is not a boolean'],
    [
      'authentication_methods',
      { Email: true, Smoke: true },
      'Invalid authentication method: Smoke. Valid methods are: Email',
    ],
    [
      'authentication_methods',
      { Email: false },
      'At least one authentication method must be enabled.',
    ],
    ['can_create_bots_group', { new: 2_000_000_000 }, 'Invalid user group'],
  ] as const) {
    it(`refuses ${name} ${JSON.stringify(value).slice(0, 30)} and then changes nothing`, async () => {
      const { olga } = at.people
      const feed = await olga.listen(hearing)

      const answer = await olga.patch('/realm', { digest_emails_enabled: false, [name]: value })

      assertRefused(answer, text)
      assert.deepEqual(await feed.drain(), [])
    })
  }

  for (const [name, value, shown] of [
    ['message_retention_days', '0', 0],
    ['message_retention_days', 'realm_default', 'realm_default'],
    ['message_content_edit_limit_seconds', '-5', -5],
    ['message_content_delete_limit_seconds', '"soon"', 'soon'],
    ['move_messages_within_stream_limit_seconds', '1.5', '1.5'],
    ['move_messages_between_streams_limit_seconds', 'null', 'null'],
  ] as const) {
    it(`refuses ${value} for ${name}`, async () => {
      assertRefused(
        await at.people.olga.patch('/realm', { [name]: value }),
        `Bad value for '${name}': ${shown}`,
        {
          code: 'REQUEST_VARIABLE_INVALID',
          var_name: name,
          bad_value: shown,
        },
      )
    })
  }

  it('refuses everyone but administrators before looking at parameters', async () => {
    const { mona, alice, gus, bot } = at.people
    for (const client of [mona, alice, gus, bot]) {
      const answer = await client.patch('/realm', { waiting_period_threshold: 'x' })
      assertRefused(answer, notAdministrator, { code: 'UNAUTHORIZED_PRINCIPAL' })
    }
    assert.equal((await at.nobody.patch('/realm')).status, 401)
  })

  it('leaves some settings to owners', async () => {
    const { adam } = at.people
    const members = await systemGroupId(adam, 'role:members')
    for (const [name, value] of [
      ['authentication_methods', { Email: true }],
      ['message_retention_days', 5],
      ['invite_required', true],
      ['create_multiuse_invite_group', { new: members }],
      ['can_create_groups', { new: members }],
      ['can_invite_users_group', { new: members }],
      ['can_manage_all_groups', { new: members }],
      ['can_manage_billing_group', { new: members }],
      ['emails_restricted_to_domains', false],
      ['disallow_disposable_email_addresses', true],
      ['waiting_period_threshold', 0],
    ] as const) {
      const answer = await adam.patch('/realm', { [name]: value })
      assertRefused(answer, notOwner, { code: 'UNAUTHORIZED_PRINCIPAL' })
    }
  })

  it('lets a bot with the role change settings', async () => {
    const { olga, bot } = at.people
    await olga.patch(`/users/${bot.id}`, { role: 200 })

    const { body } = await bot.patch('/realm', { digest_weekday: 2 })

    assert.deepEqual(body, { ...bareSuccess, digest_weekday: 2 })
    await olga.patch(`/users/${bot.id}`, { role: 400 })
  })

  it('uses channels that the caller sees for announcements, and none again', async () => {
    const { adam, alice } = at.people
    const { general, secret, attic } = at.channels
    const feed = await alice.listen(hearing)

    const answer = await adam.patch('/realm', {
      new_stream_announcements_stream_id: general,
      signup_announcements_stream_id: secret,
    })
    await adam.patch('/realm', { signup_announcements_stream_id: -5 })

    assert.deepEqual(answer.body, {
      ...bareSuccess,
      new_stream_announcements_stream_id: general,
      signup_announcements_stream_id: secret,
    })
    const update = { type: 'realm', op: 'update' }
    assert.deepEqual(withoutIds(await feed.drain()), [
      { ...update, property: 'new_stream_announcements_stream_id', value: general },
      { ...update, property: 'signup_announcements_stream_id', value: secret },
      { ...update, property: 'signup_announcements_stream_id', value: -1 },
    ])
    assertRefused(
      await adam.patch('/realm', { zulip_update_announcements_stream_id: attic }),
      'Invalid channel ID',
    )
  })

  it('wants a private channel for requests to moderators', async () => {
    const { adam } = at.people
    assertRefused(
      await adam.patch('/realm', { moderation_request_channel_id: at.channels.general }),
      'Moderation request channel must be private.',
    )

    const answer = await adam.patch('/realm', { moderation_request_channel_id: at.channels.secret })

    assert.equal(answer.body.moderation_request_channel_id, at.channels.secret)
  })

  it('reports what is no setting', async () => {
    const { body } = await at.people.adam.patch('/realm', {
      realm_name: 'x',
      push_notifications_enabled: true,
    })
    assert.deepEqual(body.ignored_parameters_unsupported, [
      'push_notifications_enabled',
      'realm_name',
    ])
  })
})

everyHost('update-realm', (at) => {
  it('gives every permission to another group, as a group or as people', async () => {
    const { olga, alice, gus } = at.people
    const owners = await systemGroupId(olga, 'role:owners')
    const administrators = await systemGroupId(olga, 'role:administrators')
    const members = await systemGroupId(olga, 'role:members')
    const feed = await gus.listen(hearing)
    for (const [name, definition] of Object.entries(organizationPermissions)) {
      const isForMembersOnly = name === 'can_access_all_users_group'
      const group = isForMembersOnly
        ? members
        : definition.default === 'role:owners'
          ? administrators
          : owners

      const { body } = await olga.patch('/realm', { [name]: { new: group } })

      assert.deepEqual(body, { ...bareSuccess, [name]: group })
      assert.deepEqual(withoutIds(await feed.drain()), [
        { type: 'realm', op: 'update_dict', property: 'default', data: { [name]: group } },
      ])
      assert.equal((await realmOf(gus))[`realm_${name}`], group)
      if ('requiresSystemGroup' in definition) continue
      const people = { direct_members: [alice.id, olga.id], direct_subgroups: [owners] }
      const ascending = { ...people, direct_members: [olga.id, alice.id] }
      const second = await olga.patch('/realm', { [name]: { new: people, old: group } })
      assert.deepEqual(second.body, { ...bareSuccess, [name]: ascending })
      assert.deepEqual(withoutIds(await feed.drain())[0]?.['data'], { [name]: ascending })
      assert.deepEqual((await realmOf(gus))[`realm_${name}`], ascending)
    }
  })

  it('does nothing where the new value is the present one', async () => {
    const { olga } = at.people
    const nobody = await systemGroupId(olga, 'role:nobody')
    await olga.patch('/realm', { can_create_bots_group: { new: nobody } })
    const feed = await olga.listen(hearing)

    const empty = { direct_members: [], direct_subgroups: [] }
    const answer = await olga.patch('/realm', {
      can_create_bots_group: { new: empty, old: nobody },
    })

    assert.deepEqual(answer.body, bareSuccess)
    assert.deepEqual(await feed.drain(), [])
  })

  it('refuses when the old value is another one', async () => {
    const { olga } = at.people
    const [owners, members] = [
      await systemGroupId(olga, 'role:owners'),
      await systemGroupId(olga, 'role:members'),
    ]
    await olga.patch('/realm', { can_resolve_topics_group: { new: owners } })

    assertRefused(
      await olga.patch('/realm', { can_resolve_topics_group: { new: members, old: members } }),
      "'old' value does not match the expected value.",
      { code: 'EXPECTATION_MISMATCH', field_name: 'old' },
    )
  })

  it('refuses groups that a permission cannot have', async () => {
    const { olga } = at.people
    const idOf = (name: string): Promise<number> => systemGroupId(olga, name)
    for (const [name, group] of [
      ['can_create_groups', 'role:everyone'],
      ['can_manage_all_groups', 'role:nobody'],
      ['can_create_groups', 'role:internet'],
      ['can_create_web_public_channel_group', 'role:members'],
      ['can_access_all_users_group', 'role:owners'],
    ] as const) {
      assertRefused(
        await olga.patch('/realm', { [name]: { new: await idOf(group) } }),
        `'${name}' setting cannot be set to '${group}' group.`,
      )
    }
    const own = await makeGroup(olga, 'Just us')
    assertRefused(
      await olga.patch('/realm', { can_access_all_users_group: { new: own } }),
      "'can_access_all_users_group' must be a system user group.",
      { code: 'SYSTEM_GROUP_REQUIRED', setting_name: 'can_access_all_users_group' },
    )
    assertRefused(
      await olga.patch('/realm', {
        can_create_groups: { new: { direct_members: [at.unknownId], direct_subgroups: [] } },
      }),
      `Invalid user ID: ${at.unknownId}`,
    )
  })

  it('keeps what succeeded before for itself when a later setting is refused', async () => {
    const { olga } = at.people
    const feed = await olga.listen(hearing)
    const before = await realmOf(olga)

    await olga.patch('/realm', {
      description: 'never seen',
      can_create_groups: { new: at.unknownId },
    })

    assert.equal((await realmOf(olga))['realm_description'], before['realm_description'])
    assert.deepEqual(await feed.drain(), [])
  })
})

everyHost('update-realm', (at) => {
  it('counts full members anew when the waiting period changes', async () => {
    const { olga, alice, gus, bot } = at.people
    const isFull = async (id: number): Promise<boolean> => {
      const fullMembers = await systemGroupId(olga, 'role:fullmembers')
      const path = `/user_groups/${fullMembers}/members/${id}`
      return (await olga.get(path, { direct_member_only: true })).body.is_user_group_member
    }
    const params = { full_name: 'New Comer', password: 'a rather long staple 12' }
    const { user_id } = (await olga.post('/users', { ...params, email: 'new@comer.example' })).body
    at.clock.advance(2 * 86_400)
    const feed = await gus.listen({ event_types: ['realm', 'user_group'] })
    const group_id = await systemGroupId(olga, 'role:fullmembers')
    const threshold = (value: number) => ({
      type: 'realm',
      op: 'update',
      property: 'waiting_period_threshold',
      value,
    })

    await olga.patch('/realm', { waiting_period_threshold: 3 })

    assert.deepEqual(withoutIds(await feed.drain()), [
      threshold(3),
      { type: 'user_group', op: 'remove_members', group_id, user_ids: [bot.id, user_id] },
    ])
    assert.deepEqual([await isFull(user_id), await isFull(alice.id)], [false, true])

    await olga.patch('/realm', { waiting_period_threshold: 2 })

    assert.deepEqual(withoutIds(await feed.drain()), [
      threshold(2),
      { type: 'user_group', op: 'add_members', group_id, user_ids: [bot.id, user_id] },
    ])
    assert.equal(await isFull(user_id), true)
    await olga.patch('/realm', { waiting_period_threshold: 1 })
    assert.deepEqual(withoutIds(await feed.drain()), [threshold(1)])
  })

  it('lets settings govern at once what they name', async () => {
    const { olga, adam, alice, bob } = at.people
    const { general } = at.channels
    const id = await alice.say(general, 'governed', 'first')
    const edit = () => alice.patch(`/messages/${id}`, { content: `again ${Math.random()}` })
    assert.equal((await edit()).status, 200)

    await adam.patch('/realm', { allow_message_editing: false })
    assert.equal((await edit()).status, 400)
    await adam.patch('/realm', {
      allow_message_editing: true,
      message_content_edit_limit_seconds: 10,
    })
    at.clock.advance(60)
    assert.equal((await edit()).status, 400)
    await adam.patch('/realm', { message_content_edit_limit_seconds: 'unlimited' })
    assert.equal((await edit()).status, 200)

    await adam.patch('/realm', { topics_policy: 'disable_empty_topic' })
    const empty = { type: 'channel', to: general, topic: '', content: 'x' }
    assert.equal((await alice.post('/messages', empty)).status, 400)

    await adam.patch('/realm', { name_changes_disabled: true })
    await bob.patch('/settings', { full_name: 'Robert Test' })
    assert.equal((await bob.get('/users/me')).body.full_name, 'Bob Test')

    await adam.patch('/realm', { enable_read_receipts: false })
    assert.equal((await alice.get(`/messages/${id}/read_receipts`)).status, 400)

    const owners = await systemGroupId(olga, 'role:owners')
    await olga.patch('/realm', { can_create_groups: { new: owners } })
    const group = { name: 'Not yet', description: '', members: [] }
    assert.equal((await alice.post('/user_groups/create', group)).status, 400)
    await olga.patch('/realm', {
      can_create_groups: { new: { direct_members: [alice.id], direct_subgroups: [] } },
    })
    assert.equal((await alice.post('/user_groups/create', group)).status, 200)
  })
})

everyHost(
  'update-realm',
  (at) => {
    const logIn = () =>
      at.nobody.post('/fetch_api_key', {
        username: at.people.alice.email,
        password: `correct horse alice`,
      })
    const develop = () => at.nobody.post('/dev_fetch_api_key', { username: at.people.alice.email })

    it('switches ways to log in off and on again', async () => {
      const { olga, gus } = at.people
      assert.equal((await logIn()).status, 200)
      const feed = await gus.listen(hearing)
      const wanted = { Email: false, Dev: true }

      const answer = await olga.patch('/realm', { authentication_methods: wanted })

      assert.deepEqual(answer.body, { ...bareSuccess, authentication_methods: wanted })
      const described = {
        Email: { enabled: false, available: true },
        Dev: { enabled: true, available: true },
      }
      assert.deepEqual(withoutIds(await feed.drain()), [
        {
          type: 'realm',
          op: 'update_dict',
          property: 'default',
          data: { authentication_methods: described },
        },
      ])
      const realm = await realmOf(gus)
      assert.deepEqual(realm['realm_authentication_methods'], described)
      assert.deepEqual(
        [realm['realm_email_auth_enabled'], realm['realm_password_auth_enabled']],
        [false, false],
      )
      const settings = (await at.nobody.get('/server_settings')).body
      assert.equal(settings.email_auth_enabled, false)
      assert.equal(settings.authentication_methods.dev, true)
      assert.equal((await logIn()).body.code, 'PASSWORD_AUTH_DISABLED')
      assert.equal((await develop()).status, 200)

      await olga.patch('/realm', { authentication_methods: { Email: true, Dev: false } })
      assert.equal((await logIn()).status, 200)
      assertRefused(await develop(), 'DevAuthBackend not enabled.')
      assertRefused(await at.nobody.get('/dev_list_users'), 'DevAuthBackend not enabled.')
    })

    it('leaves methods alone that the request does not mention', async () => {
      const { olga } = at.people
      await olga.patch('/realm', { authentication_methods: { Email: true, Dev: true } })
      const feed = await olga.listen(hearing)

      const answer = await olga.patch('/realm', { authentication_methods: { Dev: true } })

      assert.deepEqual(answer.body, bareSuccess)
      assert.deepEqual(await feed.drain(), [])
    })
  },
  { passwords: ['alice'] },
  { development: true },
)

everyHost('deactivate-realm', (at) => {
  it('is for owners only', async () => {
    const { adam, alice, bot } = at.people
    for (const client of [adam, alice, bot]) {
      const answer = await client.post('/realm/deactivate')
      assertRefused(answer, notOwner, { code: 'UNAUTHORIZED_PRINCIPAL' })
    }
  })

  it('tells waiting clients, and refuses everyone from then on', async () => {
    const { olga, alice } = at.people
    const feed = await alice.listen(hearing)
    const waiting = feed.poll()

    const answer = await olga.post('/realm/deactivate')

    assert.deepEqual(answer.body, bareSuccess)
    const events = withoutIds(await waiting)
    assert.deepEqual(
      events.map(({ type, op }) => ({ type, op })),
      [{ type: 'realm', op: 'deactivated' }],
    )
    for (const client of [olga, alice]) {
      const refused = await client.get('/users/me')
      assert.deepEqual([refused.status, refused.body.code], [401, 'REALM_DEACTIVATED'])
    }
  })
})
