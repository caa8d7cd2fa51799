import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'

const fixedKeys = [
  'last_event_id',
  'msg',
  'queue_id',
  'result',
  'zulip_feature_level',
  'zulip_merge_base',
  'zulip_version',
]

everyHost('register-queue', (at) => {
  const keysOf = async (params: Record<string, unknown>): Promise<string[]> => {
    const { body } = await at.people.alice.post('/register', params)
    return Object.keys(body).filter((key) => !fixedKeys.includes(key))
  }

  it('returns only the fixed keys if no section is requested', async () => {
    const { body } = await at.people.alice.post('/register', { fetch_event_types: [] })

    assert.deepEqual(Object.keys(body).sort(), fixedKeys)
    assert.equal(body.zulip_feature_level, 420)
    assert.equal(Number.isInteger(body.last_event_id), true)
  })

  it('selects the sections by event_types, unless fetch_event_types is given', async () => {
    const event_types = ['alert_words', 'heartbeat']

    assert.deepEqual(await keysOf({ event_types }), ['alert_words'])
    assert.deepEqual(await keysOf({ event_types, fetch_event_types: null }), ['alert_words'])
    assert.deepEqual(await keysOf({ event_types, fetch_event_types: ['muted_users'] }), [
      'muted_users',
    ])
    assert.deepEqual(await keysOf({ event_types, fetch_event_types: [] }), [])
    assert.deepEqual(await keysOf({ event_types: [] }), [])
  })

  it('returns nothing for unknown sections', async () => {
    const names = ['no_such_thing', 'user_group', 'navigation_view', 'has_zoom_token', 'attachment']

    assert.deepEqual(await keysOf({ fetch_event_types: names }), [])
  })

  it('maps sections whose names differ from those of their events', async () => {
    const sections: Readonly<Record<string, readonly string[]>> = {
      alert_words: ['alert_words'],
      channel_folders: ['channel_folders'],
      custom_profile_fields: ['custom_profile_field_types', 'custom_profile_fields'],
      default_stream_groups: ['realm_default_stream_groups'],
      default_streams: ['realm_default_streams'],
      drafts: ['drafts'],
      giphy: ['giphy_api_key'],
      message: ['max_message_id'],
      muted_topics: ['muted_topics'],
      muted_users: ['muted_users'],
      navigation_views: ['navigation_views'],
      onboarding_steps: ['navigation_tour_video_url', 'onboarding_steps'],
      presence: ['presence_last_update_id', 'presences', 'server_timestamp'],
      push_device: ['push_devices'],
      realm_billing: ['realm_billing'],
      realm_bot: ['realm_bots'],
      realm_domains: ['realm_domains'],
      realm_embedded_bots: ['realm_embedded_bots'],
      realm_emoji: ['realm_emoji'],
      realm_filters: ['realm_filters'],
      realm_incoming_webhook_bots: ['realm_incoming_webhook_bots'],
      realm_linkifiers: ['realm_linkifiers'],
      realm_playgrounds: ['realm_playgrounds'],
      realm_user_groups: ['realm_user_groups'],
      realm_user_settings_defaults: ['realm_user_settings_defaults'],
      recent_private_conversations: ['recent_private_conversations'],
      reminders: ['reminders'],
      saved_snippets: ['saved_snippets'],
      scheduled_messages: ['scheduled_messages'],
      starred_messages: ['starred_messages'],
      stop_words: ['stop_words'],
      stream: ['streams'],
      subscription: ['never_subscribed', 'subscriptions', 'unsubscribed'],
      user_settings: ['user_settings'],
      user_status: ['user_status'],
      user_topic: ['user_topics'],
      video_calls: ['has_zoom_token'],
    }
    for (const [type, keys] of Object.entries(sections)) {
      assert.deepEqual((await keysOf({ fetch_event_types: [type] })).sort(), keys, type)
    }
    assert.deepEqual(
      (await keysOf({ fetch_event_types: ['message', 'update_message_flags'] })).sort(),
      ['max_message_id', 'unread_msgs'],
    )
  })

  it('returns everything if no section is named', async () => {
    const keys = await keysOf({})

    for (const key of ['realm_name', 'user_settings', 'realm_user_groups', 'subscriptions']) {
      assert.equal(keys.includes(key), true, key)
    }
    assert.equal(keys.length > 150, true)
  })

  it('copies settings to the top level for clients without user_settings_object', async () => {
    const capabilities = { notification_settings_null: true, user_settings_object: true }
    const fetch_event_types = ['update_display_settings', 'update_global_notifications']

    const legacy = await at.people.alice.post('/register', { fetch_event_types })
    const modern = await keysOf({ fetch_event_types, client_capabilities: capabilities })

    assert.deepEqual(modern, [])
    assert.deepEqual(
      Object.keys(legacy.body)
        .filter((key) => !fixedKeys.includes(key))
        .sort(),
      [
        'available_notification_sounds',
        'color_scheme',
        'default_language',
        'demote_inactive_streams',
        'desktop_icon_count_display',
        'email_notifications_batching_period_seconds',
        'emojiset',
        'emojiset_choices',
        'enable_desktop_notifications',
        'enable_digest_emails',
        'enable_drafts_synchronization',
        'enable_login_emails',
        'enable_marketing_emails',
        'enable_offline_email_notifications',
        'enable_offline_push_notifications',
        'enable_online_push_notifications',
        'enable_sounds',
        'enable_stream_audible_notifications',
        'enable_stream_desktop_notifications',
        'enable_stream_email_notifications',
        'enable_stream_push_notifications',
        'enter_sends',
        'fluid_layout_width',
        'high_contrast_mode',
        'left_side_userlist',
        'message_content_in_email_notifications',
        'notification_sound',
        'pm_content_in_desktop_notifications',
        'presence_enabled',
        'realm_name_in_email_notifications_policy',
        'starred_message_counts',
        'timezone',
        'translate_emoticons',
        'twenty_four_hour_time',
        'web_home_view',
        'wildcard_mentions_notify',
      ],
    )
    assert.equal(legacy.body.web_home_view, 'inbox')
  })

  it('ignores unknown parameters, and lists them in the response', async () => {
    const { body } = await at.people.alice.post('/register', {
      fetch_event_types: [],
      idle_queue_timeout: 'mobile',
      client_capabilities: {
        notification_settings_null: true,
        bulk_message_deletion: true,
        individual_emoji_changes: true,
      },
    })

    assert.deepEqual(body.ignored_parameters_unsupported, ['idle_queue_timeout'])
  })

  it('rejects parameters of the wrong type', async () => {
    const { alice, gus } = at.people
    const refuse = async (params: Record<string, unknown>, text: string) =>
      assertRefused(await alice.post('/register', params), text)

    await refuse(
      { client_capabilities: {} },
      'notification_settings_null key is missing from client_capabilities',
    )
    await refuse({ client_capabilities: [] }, 'client_capabilities is not a dict')
    await refuse(
      { client_capabilities: { notification_settings_null: 1 } },
      'client_capabilities["notification_settings_null"] is not a boolean',
    )
    await refuse({ event_types: 'message' }, 'event_types is not valid JSON')
    await refuse({ event_types: [1] }, 'event_types[0] is not a string')
    await refuse({ fetch_event_types: {} }, 'fetch_event_types is not a list')
    await refuse({ include_subscribers: 'maybe' }, 'Invalid include_subscribers')
    await refuse({ queue_lifespan_secs: -1 }, 'queue_lifespan_secs is too small')
    await refuse({ narrow: [['channel']] }, 'narrow[0] is not length 2')
    await refuse({ narrow: [['near', '5']] }, 'Operator near not supported.')
    await refuse({ narrow: [['is', 'followed']] }, 'Operand followed not supported.')
    assertRefused(
      await gus.post('/register', { all_public_streams: true }),
      'User not authorized for this query',
    )
  })

  it('accepts calls by all users, also bots and guests', async () => {
    const { bot, gus } = at.people
    for (const user of [bot, gus]) {
      assert.equal((await user.post('/register', { fetch_event_types: [] })).status, 200)
    }
    assert.equal((await at.nobody.post('/register')).status, 401)
  })

  it('returns the current role of the caller', async () => {
    const { adam, mona } = at.people
    await mona.post('/register', { fetch_event_types: [] })
    await adam.patch(`/users/${mona.id}`, { role: 200 })

    const { body } = await mona.post('/register', { fetch_event_types: ['realm_user'] })

    assert.equal(body.is_admin, true)
    await adam.patch(`/users/${mona.id}`, { role: 300 })
  })
})
