import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost } from '../support/host.js'
import {
  furnish,
  groups,
  requireEach,
  requireKeys,
  type Snapshot,
} from '../support/snapshot-keys.js'

everyHost('register-queue', (at) => {
  it('returns all keys that zulip-terminal needs to start', async () => {
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
        color: 'color',
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

  it('returns the newest message id to zulip-terminal even without fetch types', async () => {
    const { body } = await at.people.bob.post('/register', { event_types: ['message'] })

    requireKeys(body as Snapshot, { max_message_id: 'integer' }, 'register')
  })

  it('returns all keys that zulip-mobile needs to start', async () => {
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
