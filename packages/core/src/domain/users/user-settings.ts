import { parseJson, type Json } from '../../kernel/json.js'

/** The valid values of a user setting. */
export type UserSettingValues =
  | { readonly type: 'boolean' }
  | { readonly type: 'integer'; readonly allowed?: readonly number[] }
  | {
      readonly type: 'string'
      readonly allowed?: readonly string[]
      /** Whether the error message is "Value error, Not in the list of possible values". */
      readonly listed?: boolean
    }

/** The deprecated event, besides `user_settings`, that older clients get for a change. */
export type LegacySettingEvent = 'display' | 'notifications'

export interface UserSettingDefinition<
  Value extends boolean | number | string = boolean | number | string,
> {
  readonly default: Value
  readonly values: UserSettingValues
  readonly legacyEvent?: LegacySettingEvent
  /** Whether the setting has no organization-wide default for new users. */
  readonly isPersonalOnly?: boolean
}

const display = { legacyEvent: 'display' } as const
const notifications = { legacyEvent: 'notifications' } as const
const personal = { isPersonalOnly: true } as const

function flag(
  value: boolean,
  more: Omit<UserSettingDefinition, 'default' | 'values'> = {},
): UserSettingDefinition<boolean> {
  return { default: value, values: { type: 'boolean' }, ...more }
}

function number(
  value: number,
  allowed?: readonly number[],
  more: Omit<UserSettingDefinition, 'default' | 'values'> = {},
): UserSettingDefinition<number> {
  return {
    default: value,
    values: { type: 'integer', ...(allowed === undefined ? {} : { allowed }) },
    ...more,
  }
}

function choice(
  value: string,
  allowed: readonly string[] | undefined,
  more: Omit<UserSettingDefinition, 'default' | 'values'> & { listed?: boolean } = {},
): UserSettingDefinition<string> {
  const { listed = false, ...rest } = more
  return {
    default: value,
    values: { type: 'string', listed, ...(allowed === undefined ? {} : { allowed }) },
    ...rest,
  }
}

export const notificationSounds = [
  'ascend',
  'beep_boop',
  'bink',
  'bright',
  'brlip',
  'chime',
  'deep tom',
  'ding',
  'double tap',
  'down',
  'dry bongos',
  'dutdut',
  'fast ascend',
  'flute',
  'friendly',
  'kick roll',
  'loud tintong',
  'metallic snare',
  'pan',
  'shaker',
  'simple',
  'stairs',
  'subtle',
  'swish',
  'tintong',
  'up',
  'wood block',
  'zaping',
  'zing',
  'zulip',
] as const

export const emojisetChoices = [
  { key: 'google', text: 'Google' },
  { key: 'twitter', text: 'Twitter' },
  { key: 'text', text: 'Plain text' },
] as const

/** Every personal setting: its default in a new organization, its values, and the events for it. */
export const userSettingDefinitions = {
  enter_sends: flag(false, display),
  left_side_userlist: flag(false, display),
  fluid_layout_width: flag(false, display),
  high_contrast_mode: flag(false, display),
  translate_emoticons: flag(false, display),
  starred_message_counts: flag(true, display),
  enable_drafts_synchronization: flag(true, display),
  twenty_four_hour_time: flag(false, display),
  color_scheme: number(1, [1, 2, 3], display),
  demote_inactive_streams: number(1, [1, 2, 3], display),
  emojiset: choice('google', ['google', 'twitter', 'text'], { ...display, listed: true }),
  web_home_view: choice('inbox', ['recent_topics', 'inbox', 'all_messages'], display),
  default_language: choice('en', undefined, { ...display, ...personal }),
  timezone: choice('', undefined, { ...display, ...personal }),

  web_escape_navigates_to_home_view: flag(true),
  display_emoji_reaction_users: flag(true),
  web_suggest_update_timezone: flag(true),
  web_navigate_to_sent_message: flag(true),
  web_left_sidebar_show_channel_folders: flag(true),
  web_left_sidebar_unreads_count_summary: flag(true),
  receives_typing_notifications: flag(true),
  send_stream_typing_notifications: flag(true),
  send_private_typing_notifications: flag(true),
  send_read_receipts: flag(true),
  automatically_follow_topics_where_mentioned: flag(true),
  hide_ai_features: flag(false),
  web_font_size_px: number(16),
  web_line_height_percent: number(140),
  web_mark_read_on_scroll_policy: number(1, [1, 2, 3]),
  web_channel_default_view: number(1, [1, 2, 3, 4]),
  web_stream_unreads_count_display_policy: number(2, [1, 2, 3]),
  user_list_style: number(3, [1, 2, 3]),
  email_address_visibility: number(1, [1, 2, 3, 4, 5]),
  automatically_follow_topics_policy: number(3, [1, 2, 3, 4]),
  automatically_unmute_topics_in_muted_streams_policy: number(2, [1, 2, 3, 4]),
  web_animate_image_previews: choice('on_hover', ['always', 'on_hover', 'never']),
  resolved_topic_notice_auto_read_policy: choice('except_followed', [
    'always',
    'except_followed',
    'never',
  ]),

  enable_desktop_notifications: flag(true, notifications),
  enable_sounds: flag(true, notifications),
  enable_offline_email_notifications: flag(true, notifications),
  enable_offline_push_notifications: flag(true, notifications),
  enable_online_push_notifications: flag(true, notifications),
  pm_content_in_desktop_notifications: flag(true, notifications),
  message_content_in_email_notifications: flag(true, notifications),
  wildcard_mentions_notify: flag(true, notifications),
  enable_digest_emails: flag(true, notifications),
  presence_enabled: flag(true, notifications),
  enable_login_emails: flag(true, { ...notifications, ...personal }),
  enable_marketing_emails: flag(true, { ...notifications, ...personal }),
  enable_stream_desktop_notifications: flag(false, notifications),
  enable_stream_email_notifications: flag(false, notifications),
  enable_stream_push_notifications: flag(false, notifications),
  enable_stream_audible_notifications: flag(false, notifications),
  email_notifications_batching_period_seconds: number(120, undefined, notifications),
  desktop_icon_count_display: number(1, [1, 2, 3, 4], notifications),
  realm_name_in_email_notifications_policy: number(1, [1, 2, 3], notifications),
  notification_sound: choice('zulip', undefined, notifications),
  enable_followed_topic_desktop_notifications: flag(true),
  enable_followed_topic_email_notifications: flag(true),
  enable_followed_topic_push_notifications: flag(true),
  enable_followed_topic_audible_notifications: flag(true),
  enable_followed_topic_wildcard_mentions_notify: flag(true),

  allow_private_data_export: flag(false, personal),
} satisfies Record<string, UserSettingDefinition>

export type UserSettingName = keyof typeof userSettingDefinitions

/** A user's settings, or the organization's defaults for new users. */
export type UserSettings = {
  [Name in UserSettingName]: (typeof userSettingDefinitions)[Name]['default']
}

/** The default settings of a new user. */
export const defaultUserSettings =
  // The type, too, takes each setting's value from its definition.
  Object.fromEntries(
    Object.entries(userSettingDefinitions).map(([name, definition]) => [name, definition.default]),
  ) as UserSettings

/** Settings as rows store them: those that differ from the defaults. */
export type UserSettingsJson = Json<Partial<UserSettings>>

/** All settings, with the defaults of those that are not stored. */
export function parseUserSettings(json: UserSettingsJson): UserSettings {
  return { ...defaultUserSettings, ...parseJson(json) }
}
