import { Type, type TSchema } from 'typebox'

import { thumbnailFormats } from '../../../domain/files/thumbnails.js'
import { limits } from '../../../domain/limits.js'
import { emptyTopicDisplayName } from '../../../domain/messages/topics.js'
import { externalAccounts } from '../../../domain/users/external-accounts.js'
import { apiUrl } from '../../../kernel/chat-address.js'
import type { ServerFacts } from '../../../kernel/server-facts.js'
import { supportedPermissionSettings } from './permission-specs.js'

/** The GIF ratings that an organization can choose from, by the names that clients use. */
export const giphyRatings = {
  disabled: { name: 'GIPHY integration disabled', id: 0 },
  y: { name: 'Allow GIFs rated Y (Very young audience)', id: 1 },
  g: { name: 'Allow GIFs rated G (General audience)', id: 2 },
  pg: { name: 'Allow GIFs rated PG (Parental guidance)', id: 3 },
  'pg-13': { name: 'Allow GIFs rated PG-13 (Parental guidance - under 13)', id: 4 },
  r: { name: 'Allow GIFs rated R (Restricted)', id: 5 },
} as const

/** The server's part of the snapshot `realm`: the same in every organization. */
export function serverValues(
  facts: Pick<
    ServerFacts,
    | 'development'
    | 'passwordPolicy'
    | 'webPublicChannels'
    | 'startedAtSeconds'
    | 'maxUploadMebibytes'
    | 'uploadQuotaMebibytes'
    | 'videoCalls'
    | 'sendsDigests'
  >,
  chatUrl: string,
): Record<string, unknown> {
  const { minLength, minGuesses } = facts.passwordPolicy
  return {
    ...announcedLimits,
    password_min_length: minLength,
    password_min_guesses: minGuesses,
    ...absentFeatures,
    max_file_upload_size_mib: facts.maxUploadMebibytes,
    realm_upload_quota_mib: Number.isFinite(facts.uploadQuotaMebibytes)
      ? Math.floor(facts.uploadQuotaMebibytes)
      : null,
    development_environment: facts.development,
    server_web_public_streams_enabled: facts.webPublicChannels,
    server_generation: facts.startedAtSeconds,
    server_emoji_data_url: apiUrl(chatUrl, '/emoji_data.json'),
    server_jitsi_server_url: facts.videoCalls.jitsiUrl,
    server_inline_image_preview: true,
    server_inline_url_embed_preview: true,
    server_supported_permission_settings: supportedPermissionSettings,
    server_thumbnail_formats: thumbnailFormats,
    settings_send_digest_emails: facts.sendsDigests,
    zulip_plan_is_not_limited: true,
    realm_empty_topic_display_name: emptyTopicDisplayName,
    giphy_rating_options: giphyRatings,
    realm_default_external_accounts: externalAccounts,
  }
}

const announcedLimits = {
  max_message_length: limits.maxMessageLength,
  max_topic_length: limits.maxTopicLength,
  max_stream_name_length: limits.maxChannelNameLength,
  max_stream_description_length: limits.maxChannelDescriptionLength,
  max_channel_folder_name_length: limits.maxChannelFolderNameLength,
  max_channel_folder_description_length: limits.maxChannelFolderDescriptionLength,
  max_reminder_note_length: limits.maxReminderNoteLength,
  max_bulk_new_subscription_messages: limits.maxBulkNewSubscriptionMessages,
  max_avatar_file_size_mib: limits.maxAvatarFileMebibytes,
  max_icon_file_size_mib: limits.maxIconFileMebibytes,
  max_logo_file_size_mib: limits.maxLogoFileMebibytes,
  password_max_length: limits.passwordMaxLength,
  event_queue_longpoll_timeout_seconds: limits.longPollTimeoutSeconds,
  server_presence_ping_interval_seconds: limits.presencePingIntervalSeconds,
  server_presence_offline_threshold_seconds: limits.presenceOfflineThresholdSeconds,
  server_typing_started_expiry_period_milliseconds: limits.typingStartedExpiryMilliseconds,
  server_typing_stopped_wait_period_milliseconds: limits.typingStoppedWaitMilliseconds,
  server_typing_started_wait_period_milliseconds: limits.typingStartedWaitMilliseconds,
}

/** Features that clients check for and this server does not have. */
const absentFeatures = {
  realm_is_zephyr_mirror_realm: false,
  server_avatar_changes_disabled: false,
  server_name_changes_disabled: false,
  server_needs_upgrade: false,
  server_can_summarize_topics: false,
  server_min_deactivated_realm_deletion_days: 14,
  server_max_deactivated_realm_deletion_days: null,
  upgrade_text_for_wide_organization_logo: 'Available on Zulip Cloud Standard. Upgrade to access.',
}

const flag = Type.Boolean()
const text = Type.String()
const PermissionSpec = Type.Object({
  require_system_group: flag,
  allow_internet_group: flag,
  allow_nobody_group: flag,
  allow_everyone_group: flag,
  default_group_name: text,
  default_for_system_groups: Type.Union([text, Type.Null()]),
  allowed_system_groups: Type.Array(text),
})

/** The keys of {@link serverValues}. */
export const serverKeys: Readonly<Record<string, TSchema>> = {
  ...Object.fromEntries(Object.keys(announcedLimits).map((name) => [name, Type.Integer()])),
  password_min_length: Type.Integer(),
  password_min_guesses: Type.Integer(),
  realm_is_zephyr_mirror_realm: flag,
  server_avatar_changes_disabled: flag,
  server_name_changes_disabled: flag,
  server_needs_upgrade: flag,
  server_can_summarize_topics: flag,
  server_min_deactivated_realm_deletion_days: Type.Integer(),
  server_max_deactivated_realm_deletion_days: Type.Null(),
  upgrade_text_for_wide_organization_logo: text,
  max_file_upload_size_mib: Type.Integer(),
  realm_upload_quota_mib: Type.Union([Type.Integer(), Type.Null()]),
  development_environment: flag,
  server_web_public_streams_enabled: flag,
  server_generation: Type.Integer({ description: 'UNIX seconds of the start of the server.' }),
  server_emoji_data_url: text,
  server_jitsi_server_url: Type.Union([text, Type.Null()]),
  server_inline_image_preview: flag,
  server_inline_url_embed_preview: flag,
  server_supported_permission_settings: Type.Object({
    realm: Type.Record(text, PermissionSpec),
    stream: Type.Record(text, PermissionSpec),
    group: Type.Record(text, PermissionSpec),
  }),
  server_thumbnail_formats: Type.Array(
    Type.Object({
      name: text,
      max_width: Type.Integer(),
      max_height: Type.Integer(),
      format: text,
      animated: flag,
    }),
  ),
  settings_send_digest_emails: flag,
  zulip_plan_is_not_limited: flag,
  realm_empty_topic_display_name: text,
  giphy_rating_options: Type.Record(text, Type.Object({ name: text, id: Type.Integer() })),
  realm_default_external_accounts: Type.Record(
    text,
    Type.Object({ text, url_pattern: text, name: text, hint: text }),
  ),
}
