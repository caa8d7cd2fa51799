import assert from 'node:assert/strict'
import { it } from 'node:test'

import { clientOfBot, makeBot } from '../support/bots.js'
import { withoutIds } from '../support/event-feed.js'
import { systemGroupId } from '../support/groups.js'
import { everyHost } from '../support/host.js'
import { realmOf } from '../support/organization-settings.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const listenOptions = { event_types: ['realm'] }
const notAdministrator = 'Must be an organization administrator'
const notOwner = 'Must be an organization owner'
const listed = 'Value error, Not in the list of possible values'

/** A new value for every setting that is not a permission, and its value in the snapshot. */
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
  it('changes every setting, sends each to all active users, and returns them in the snapshot', async () => {
    const { olga, gus, bot, dora } = at.people
    const feeds = [await gus.listen(listenOptions), await bot.listen(listenOptions)]
    const kept = Object.entries(plainValues).map(
      ([name, [value, stored]]) => [name, stored === undefined ? value : stored] as const,
    )

    const answer = await olga.patch(
      '/realm',
      Object.fromEntries(Object.entries(plainValues).map(([name, [value]]) => [name, value])),
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

  it('sends no event for settings that do not change', async () => {
    const { adam } = at.people
    const feed = await adam.listen(listenOptions)
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

  it('sends update_dict events for settings that belong together', async () => {
    const { adam, alice } = at.people
    const feed = await alice.listen(listenOptions)
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

  it("resets jitsi_server_url to the server's default", async () => {
    const { adam, alice } = at.people
    await adam.patch('/realm', { jitsi_server_url: '"https://calls.example"' })
    const feed = await alice.listen(listenOptions)

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
    it(`rejects ${name} ${JSON.stringify(value).slice(0, 30)} and changes nothing`, async () => {
      const { olga } = at.people
      const feed = await olga.listen(listenOptions)

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
    it(`rejects ${value} for ${name}`, async () => {
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

  it('returns an error to users who are not administrators, before it validates parameters', async () => {
    const { mona, alice, gus, bot } = at.people
    for (const client of [mona, alice, gus, bot]) {
      const answer = await client.patch('/realm', { waiting_period_threshold: 'x' })
      assertRefused(answer, notAdministrator, { code: 'UNAUTHORIZED_PRINCIPAL' })
    }
    assert.equal((await at.nobody.patch('/realm')).status, 401)
  })

  it('lets only owners change some settings', async () => {
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

  it('lets a bot with the required role change settings', async () => {
    const { olga } = at.people
    const made = await makeBot(olga)
    await olga.patch(`/users/${made.user_id}`, { role: 200 })
    const regenerated = await olga.post(`/bots/${made.user_id}/api_key/regenerate`)
    const bot = clientOfBot(at, { ...made, api_key: regenerated.body.api_key })

    const { body } = await bot.patch('/realm', { digest_weekday: 2 })

    assert.deepEqual(body, { ...bareSuccess, digest_weekday: 2 })
  })

  it('sets announcement channels that the caller can access, and unsets them', async () => {
    const { adam, alice } = at.people
    const { general, secret, attic } = at.channels
    const feed = await alice.listen(listenOptions)

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

  it('requires a private channel for moderation requests', async () => {
    const { adam } = at.people
    assertRefused(
      await adam.patch('/realm', { moderation_request_channel_id: at.channels.general }),
      'Moderation request channel must be private.',
    )

    const answer = await adam.patch('/realm', { moderation_request_channel_id: at.channels.secret })

    assert.equal(answer.body.moderation_request_channel_id, at.channels.secret)
  })

  it('lists unsupported parameters in the response', async () => {
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
