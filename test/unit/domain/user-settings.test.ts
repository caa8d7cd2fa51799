import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import {
  defaultUserSettings,
  notificationSounds,
  parseUserSettings,
  userSettingDefinitions,
  type UserSettingDefinition,
} from '../../../packages/core/src/domain/users/user-settings.js'
import { toJson } from '../../../packages/core/src/kernel/json.js'

const definitions = Object.entries<UserSettingDefinition>(userSettingDefinitions)

/** The parameters that the API documentation lists for the defaults of new users. */
const specified: Readonly<
  Record<string, 'boolean' | 'integer' | 'string' | readonly number[] | readonly string[]>
> = {
  starred_message_counts: 'boolean',
  receives_typing_notifications: 'boolean',
  web_suggest_update_timezone: 'boolean',
  fluid_layout_width: 'boolean',
  high_contrast_mode: 'boolean',
  web_channel_default_view: [1, 2, 3, 4],
  web_font_size_px: 'integer',
  web_line_height_percent: 'integer',
  color_scheme: [1, 2, 3],
  enable_drafts_synchronization: 'boolean',
  translate_emoticons: 'boolean',
  display_emoji_reaction_users: 'boolean',
  web_home_view: ['recent_topics', 'inbox', 'all_messages'],
  web_escape_navigates_to_home_view: 'boolean',
  left_side_userlist: 'boolean',
  emojiset: ['google', 'twitter', 'text'],
  demote_inactive_streams: [1, 2, 3],
  user_list_style: [1, 2, 3],
  web_animate_image_previews: ['always', 'on_hover', 'never'],
  web_stream_unreads_count_display_policy: [1, 2, 3],
  hide_ai_features: 'boolean',
  enable_stream_desktop_notifications: 'boolean',
  enable_stream_email_notifications: 'boolean',
  enable_stream_push_notifications: 'boolean',
  enable_stream_audible_notifications: 'boolean',
  notification_sound: 'string',
  enable_desktop_notifications: 'boolean',
  enable_sounds: 'boolean',
  enable_followed_topic_desktop_notifications: 'boolean',
  enable_followed_topic_email_notifications: 'boolean',
  enable_followed_topic_push_notifications: 'boolean',
  enable_followed_topic_audible_notifications: 'boolean',
  email_notifications_batching_period_seconds: 'integer',
  enable_offline_email_notifications: 'boolean',
  enable_offline_push_notifications: 'boolean',
  enable_online_push_notifications: 'boolean',
  enable_digest_emails: 'boolean',
  message_content_in_email_notifications: 'boolean',
  pm_content_in_desktop_notifications: 'boolean',
  wildcard_mentions_notify: 'boolean',
  enable_followed_topic_wildcard_mentions_notify: 'boolean',
  desktop_icon_count_display: [1, 2, 3, 4],
  realm_name_in_email_notifications_policy: [1, 2, 3],
  automatically_follow_topics_policy: [1, 2, 3, 4],
  automatically_unmute_topics_in_muted_streams_policy: [1, 2, 3, 4],
  automatically_follow_topics_where_mentioned: 'boolean',
  resolved_topic_notice_auto_read_policy: ['always', 'except_followed', 'never'],
  presence_enabled: 'boolean',
  enter_sends: 'boolean',
  twenty_four_hour_time: 'boolean',
  send_private_typing_notifications: 'boolean',
  send_stream_typing_notifications: 'boolean',
  send_read_receipts: 'boolean',
  email_address_visibility: [1, 2, 3, 4, 5],
  web_navigate_to_sent_message: 'boolean',
}

/** Parameters that only later documents list, for new users and for the own user. */
const added = [
  'web_left_sidebar_show_channel_folders',
  'web_left_sidebar_unreads_count_summary',
  'web_mark_read_on_scroll_policy',
]

/** Settings that only a user can have. */
const personal = [
  'allow_private_data_export',
  'default_language',
  'enable_login_emails',
  'enable_marketing_emails',
  'timezone',
]

describe('the table of user settings', () => {
  it('contains every documented setting, with exactly its values', () => {
    for (const [name, kind] of Object.entries(specified)) {
      const definition = (userSettingDefinitions as Record<string, UserSettingDefinition>)[name]
      assert.notEqual(definition, undefined, name)
      const { values } = definition as UserSettingDefinition
      if (typeof kind === 'string') {
        assert.equal(values.type, kind, name)
        assert.equal('allowed' in values, false, name)
      } else {
        assert.equal(values.type, typeof kind[0] === 'number' ? 'integer' : 'string', name)
        assert.deepEqual((values as { allowed?: unknown }).allowed, kind, name)
      }
    }
  })

  it('contains no others but those of later documents and those that only users have', () => {
    const known = [...Object.keys(specified), ...added, ...personal].sort()

    assert.deepEqual(definitions.map(([name]) => name).sort(), known)
    assert.equal(known.length, 63)
    assert.deepEqual(
      definitions
        .filter(([, definition]) => definition.isPersonalOnly === true)
        .map(([name]) => name)
        .sort(),
      personal,
    )
  })

  it('has defaults that the settings allow', () => {
    for (const [name, { default: value, values }] of definitions) {
      const type = values.type === 'integer' ? 'number' : values.type
      assert.equal(typeof value, type, name)
      if ('allowed' in values && values.allowed !== undefined) {
        assert.equal((values.allowed as readonly unknown[]).includes(value), true, name)
      }
    }
    assert.equal(
      notificationSounds.some((sound) => sound === 'zulip'),
      true,
    )
    assert.deepEqual([...notificationSounds], [...notificationSounds].sort())
  })

  it('is the default for settings that a row does not contain', () => {
    assert.deepEqual(parseUserSettings(toJson({})), defaultUserSettings)
    assert.deepEqual(parseUserSettings(toJson({ enter_sends: true })), {
      ...defaultUserSettings,
      enter_sends: true,
    })
  })
})
