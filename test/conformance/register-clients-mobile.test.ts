import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost } from '../support/host.js'
import {
  furnish,
  groups,
  is,
  requireEach,
  requireKeys,
  type Snapshot,
} from '../support/snapshot-keys.js'

everyHost('register-queue', (at) => {
  it('returns all keys that zulip-flutter needs to start', async () => {
    await furnish(at)

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
      { ...channel, pin_to_top: 'boolean', is_muted: 'boolean', color: 'color' },
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
})
