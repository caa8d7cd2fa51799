import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost, type HostCase } from '../support/host.js'

type Snapshot = Record<string, any> // eslint-disable-line typescript/no-explicit-any -- whatever the server says
type Kind = 'string' | 'integer' | 'number' | 'boolean' | 'list' | 'object' | 'colour'

const is: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  colour: (value) => typeof value === 'string' && /^#[0-9a-f]{6}$/.test(value),
}

/** Asserts that `object` has the keys; a kind that ends in `?` allows null and absence. */
function requireKeys(
  object: Snapshot,
  keys: Readonly<Record<string, Kind | `${Kind}?`>>,
  place: string,
): void {
  for (const [key, wanted] of Object.entries(keys)) {
    const kind = wanted.replace('?', '') as Kind
    const value = object[key] as unknown
    if (wanted.endsWith('?') && value == null) continue
    assert.equal(is[kind](value), true, `${place}.${key} is ${JSON.stringify(value)}, no ${kind}`)
  }
}

function requireEach(
  objects: readonly Snapshot[],
  keys: Readonly<Record<string, Kind | `${Kind}?`>>,
  place: string,
): void {
  assert.equal(objects.length > 0, true, `${place} is empty: nothing would be checked`)
  for (const object of objects) requireKeys(object, keys, `${place}[]`)
}

/** Gives bob something in every list that clients read. */
async function furnish({ people, channels }: HostCase): Promise<void> {
  const { alice, bob, carol } = people
  await alice.say(channels.general, 'furniture', 'a chair')
  await alice.whisper([bob], 'a table')
  await alice.whisper([bob, carol], 'a lamp')
  const starred = await bob.say(channels.design, 'furniture', 'a star')
  await bob.post('/messages/flags', { messages: [starred], op: 'add', flag: 'starred' })
  await bob.post('/saved_snippets', { title: 'Hello', content: 'Hello **all**' })
  await bob.post(`/users/me/muted_users/${carol.id}`)
  await bob.post('/users/me/alert_words', { alert_words: ['chair'] })
  const topic = { stream_id: channels.general, topic: 'furniture', visibility_policy: 2 }
  await bob.post('/user_topics', topic)
}

const groups = { id: 'integer', name: 'string' } as const

everyHost('register-queue', (at) => {
  it('gives zulip-terminal what it needs to start', async () => {
    await furnish(at)

    const answer = await at.people.bob.post('/register', {
      event_types: [
        'message',
        'update_message',
        'reaction',
        'submessage',
        'subscription',
        'typing',
        'update_message_flags',
        'user_settings',
        'realm_emoji',
        'realm_user',
      ],
      fetch_event_types: [
        'realm',
        'presence',
        'subscription',
        'message',
        'starred_messages',
        'update_message_flags',
        'muted_topics',
        'realm_user',
        'realm_user_groups',
        'user_settings',
        'realm_emoji',
        'custom_profile_fields',
        'zulip_version',
      ],
      client_gravatar: true,
      apply_markdown: true,
      include_subscribers: true,
    })

    const snapshot = answer.body as Snapshot
    requireKeys(
      snapshot,
      {
        queue_id: 'string',
        last_event_id: 'integer',
        max_message_id: 'integer',
        zulip_version: 'string',
        user_id: 'integer',
        email: 'string',
        full_name: 'string',
        realm_name: 'string',
        realm_message_retention_days: 'integer',
        realm_users: 'list',
        cross_realm_bots: 'list',
        presences: 'object',
        subscriptions: 'list',
        muted_topics: 'list',
        realm_user_groups: 'list',
        unread_msgs: 'object',
        realm_emoji: 'object',
        user_settings: 'object',
        starred_messages: 'list',
        custom_profile_fields: 'list',
        realm_allow_message_editing: 'boolean',
        realm_message_content_edit_limit_seconds: 'integer',
        realm_allow_edit_history: 'boolean',
        max_stream_name_length: 'integer',
        max_topic_length: 'integer',
        max_message_length: 'integer',
        server_typing_started_expiry_period_milliseconds: 'integer',
        server_typing_stopped_wait_period_milliseconds: 'integer',
        server_typing_started_wait_period_milliseconds: 'integer',
        server_presence_ping_interval_seconds: 'integer',
        server_presence_offline_threshold_seconds: 'integer',
      },
      'register',
    )
    requireEach(
      snapshot['realm_users'],
      {
        user_id: 'integer',
        full_name: 'string',
        email: 'string',
        is_bot: 'boolean',
        role: 'integer',
      },
      'realm_users',
    )
    assert.equal(
      (snapshot['realm_users'] as Snapshot[]).some((user) => user['user_id'] === at.people.bob.id),
      true,
    )
    requireEach(
      snapshot['subscriptions'],
      {
        stream_id: 'integer',
        name: 'string',
        color: 'colour',
        description: 'string',
        rendered_description: 'string',
        pin_to_top: 'boolean',
        is_muted: 'boolean',
        desktop_notifications: 'boolean',
        invite_only: 'boolean',
        subscribers: 'list',
        message_retention_days: 'integer?',
        date_created: 'integer',
        history_public_to_subscribers: 'boolean',
        stream_weekly_traffic: 'integer?',
        stream_post_policy: 'integer?',
      },
      'subscriptions',
    )
    requireEach(snapshot['realm_user_groups'], groups, 'realm_user_groups')
    const unread = snapshot['unread_msgs'] as Snapshot
    requireKeys(unread, { mentions: 'list' }, 'unread_msgs')
    const ids = { unread_message_ids: 'list' } as const
    requireEach(unread['pms'], { sender_id: 'integer', ...ids }, 'pms')
    requireEach(unread['streams'], { stream_id: 'integer', topic: 'string', ...ids }, 'streams')
    requireEach(unread['huddles'], { user_ids_string: 'string', ...ids }, 'huddles')
    requireKeys(
      snapshot['user_settings'],
      {
        send_private_typing_notifications: 'boolean',
        twenty_four_hour_time: 'boolean',
        pm_content_in_desktop_notifications: 'boolean',
      },
      'user_settings',
    )
  })

  it('gives zulip-terminal the newest message id even without fetch types', async () => {
    const { body } = await at.people.bob.post('/register', { event_types: ['message'] })

    requireKeys(body as Snapshot, { max_message_id: 'integer' }, 'register')
  })

  it('gives zulip-flutter what it needs to start', async () => {
    const answer = await at.people.bob.post('/register', {
      idle_queue_timeout: 'mobile',
      apply_markdown: true,
      client_gravatar: false,
      slim_presence: true,
      client_capabilities: {
        notification_settings_null: true,
        bulk_message_deletion: true,
        user_avatar_url_field_optional: false,
        stream_typing_notifications: true,
        user_settings_object: true,
        include_deactivated_groups: true,
        empty_topic_name: true,
      },
    })

    const snapshot = answer.body as Snapshot
    requireKeys(
      snapshot,
      {
        queue_id: 'string',
        last_event_id: 'integer',
        zulip_feature_level: 'integer',
        zulip_version: 'string',
        zulip_merge_base: 'string',
        alert_words: 'list',
        custom_profile_fields: 'list',
        muted_users: 'list',
        realm_user_groups: 'list',
        recent_private_conversations: 'list',
        subscriptions: 'list',
        streams: 'list',
        starred_messages: 'list',
        user_topics: 'list',
        realm_users: 'list',
        realm_non_active_users: 'list',
        cross_realm_bots: 'list',
        saved_snippets: 'list',
        channel_folders: 'list',
        server_thumbnail_formats: 'list',
        presences: 'object',
        realm_emoji: 'object',
        user_status: 'object',
        realm_default_external_accounts: 'object',
        unread_msgs: 'object',
        user_settings: 'object',
        max_stream_name_length: 'integer',
        max_topic_length: 'integer',
        server_presence_ping_interval_seconds: 'integer',
        server_presence_offline_threshold_seconds: 'integer',
        server_typing_started_expiry_period_milliseconds: 'integer',
        server_typing_stopped_wait_period_milliseconds: 'integer',
        server_typing_started_wait_period_milliseconds: 'integer',
        realm_wildcard_mention_policy: 'integer',
        realm_name: 'string',
        realm_url: 'string',
        realm_uri: 'string',
        realm_waiting_period_threshold: 'integer',
        realm_allow_message_editing: 'boolean',
        realm_enable_read_receipts: 'boolean',
        realm_icon_url: 'string',
        realm_presence_disabled: 'boolean',
        max_file_upload_size_mib: 'integer',
        server_emoji_data_url: 'string',
        event_queue_longpoll_timeout_seconds: 'integer',
        realm_message_content_edit_limit_seconds: 'integer?',
        realm_message_content_delete_limit_seconds: 'integer?',
        realm_topics_policy: 'string',
        realm_mandatory_topics: 'boolean',
        realm_moderation_request_channel_id: 'integer',
        realm_empty_topic_display_name: 'string',
      },
      'register',
    )
    for (const key of [
      'realm_can_delete_any_message_group',
      'realm_can_delete_own_message_group',
    ]) {
      assert.equal(is.integer(snapshot[key]) || is.object(snapshot[key]), true, key)
    }
    const user = {
      user_id: 'integer',
      email: 'string',
      full_name: 'string',
      date_joined: 'string',
      is_bot: 'boolean',
      role: 'integer',
      timezone: 'string',
      avatar_version: 'integer',
      delivery_email: 'string?',
      bot_type: 'integer?',
      bot_owner_id: 'integer?',
      avatar_url: 'string?',
      profile_data: 'object?',
    } as const
    requireEach(snapshot['realm_users'], user, 'realm_users')
    requireEach(snapshot['realm_non_active_users'], user, 'realm_non_active_users')
    const channel = {
      stream_id: 'integer',
      name: 'string',
      description: 'string',
      rendered_description: 'string',
      date_created: 'integer',
      invite_only: 'boolean',
      is_web_public: 'boolean',
      history_public_to_subscribers: 'boolean',
      is_archived: 'boolean?',
      first_message_id: 'integer?',
      folder_id: 'integer?',
      message_retention_days: 'integer?',
      topics_policy: 'string?',
      stream_post_policy: 'integer?',
      is_recently_active: 'boolean?',
      stream_weekly_traffic: 'integer?',
    } as const
    requireEach(snapshot['streams'], channel, 'streams')
    requireEach(
      snapshot['subscriptions'],
      { ...channel, pin_to_top: 'boolean', is_muted: 'boolean', color: 'colour' },
      'subscriptions',
    )
    requireEach(
      snapshot['realm_user_groups'],
      {
        ...groups,
        members: 'list',
        direct_subgroup_ids: 'list',
        description: 'string',
        is_system_group: 'boolean',
        deactivated: 'boolean',
      },
      'realm_user_groups',
    )
    const unread = snapshot['unread_msgs'] as Snapshot
    requireKeys(
      unread,
      { count: 'integer', old_unreads_missing: 'boolean', mentions: 'list' },
      'unread_msgs',
    )
    requireEach(unread['pms'], { other_user_id: 'integer', unread_message_ids: 'list' }, 'pms')
    requireKeys(
      snapshot['user_settings'],
      {
        starred_message_counts: 'boolean',
        display_emoji_reaction_users: 'boolean',
        emojiset: 'string',
        presence_enabled: 'boolean',
        twenty_four_hour_time: 'boolean?',
      },
      'user_settings',
    )
    requireEach(
      snapshot['saved_snippets'],
      { id: 'integer', title: 'string', content: 'string', date_created: 'integer' },
      'saved_snippets',
    )
    requireEach(
      snapshot['user_topics'],
      {
        stream_id: 'integer',
        topic_name: 'string',
        last_updated: 'integer',
        visibility_policy: 'integer',
      },
      'user_topics',
    )
    requireEach(snapshot['muted_users'], { id: 'integer', timestamp: 'integer' }, 'muted_users')
    requireEach(
      snapshot['recent_private_conversations'],
      { max_message_id: 'integer', user_ids: 'list' },
      'recent_private_conversations',
    )
    requireEach(
      Object.values(snapshot['realm_default_external_accounts'] as Snapshot),
      { name: 'string', text: 'string', hint: 'string', url_pattern: 'string' },
      'realm_default_external_accounts',
    )
    const settings = (await at.nobody.get('/server_settings')).body as Snapshot
    for (const key of ['zulip_version', 'zulip_merge_base', 'zulip_feature_level']) {
      assert.equal(snapshot[key], settings[key], key)
    }
  })

  it('gives zulip-mobile what it needs to start', async () => {
    const answer = await at.people.bob.post('/register', {
      fetch_event_types: [
        'alert_words',
        'custom_profile_fields',
        'message',
        'muted_topics',
        'muted_users',
        'presence',
        'realm',
        'realm_emoji',
        'realm_filters',
        'realm_linkifiers',
        'realm_user',
        'realm_user_groups',
        'recent_private_conversations',
        'starred_messages',
        'stream',
        'subscription',
        'update_display_settings',
        'update_global_notifications',
        'update_message_flags',
        'user_settings',
        'user_status',
        'user_topic',
        'zulip_version',
      ],
      apply_markdown: true,
      include_subscribers: false,
      client_gravatar: true,
      slim_presence: true,
      client_capabilities: {
        notification_settings_null: true,
        bulk_message_deletion: true,
        user_avatar_url_field_optional: true,
        stream_typing_notifications: false,
        user_settings_object: true,
        user_list_incomplete: false,
      },
    })

    const snapshot = answer.body as Snapshot
    requireKeys(
      snapshot,
      {
        queue_id: 'string',
        last_event_id: 'integer',
        user_id: 'integer',
        email: 'string',
        realm_users: 'list',
        realm_non_active_users: 'list',
        cross_realm_bots: 'list',
        can_create_streams: 'boolean',
        can_create_public_streams: 'boolean',
        can_create_private_streams: 'boolean',
        realm_linkifiers: 'list',
        unread_msgs: 'object',
        alert_words: 'list',
        subscriptions: 'list',
        streams: 'list',
        realm_user_groups: 'list',
        realm_emoji: 'object',
        realm_name: 'string',
        realm_uri: 'string',
      },
      'register',
    )
    requireEach(snapshot['realm_users'], { user_id: 'integer', email: 'string' }, 'realm_users')
    requireKeys(
      snapshot['unread_msgs'],
      { streams: 'list', huddles: 'list', pms: 'list', mentions: 'list' },
      'unread_msgs',
    )
    assert.equal(Number.parseInt(snapshot['zulip_version'] as string, 10) >= 7, true)
    assert.equal('muted_topics' in snapshot, false)
  })
})
