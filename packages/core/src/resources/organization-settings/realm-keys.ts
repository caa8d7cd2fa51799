import { Type, type TSchema } from 'typebox'

import {
  organizationPermissions,
  type OrganizationSettings,
} from '../../domain/organization-settings.js'
import { organizationImageNames } from '../organizations/index.js'
import { GroupSettingValue } from '../user-groups/index.js'
import { serverKeys } from './server-values.js'

const flag = Type.Boolean()
const integer = Type.Integer()
const text = Type.String()
const orNull = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()])
const secondsOrNull = orNull(Type.Integer({ description: 'Seconds; null is without limit.' }))
const channelId = Type.Integer({ description: 'The id of a channel; -1 is none.' })
const oldPolicy = Type.Integer({ description: 'Deprecated: there is a group for it.' })

/** Settings that clients see under their own name, prefixed with `realm_`. */
export const plainSettings = {
  allow_message_editing: flag,
  avatar_changes_disabled: flag,
  default_code_block_language: text,
  default_language: text,
  description: text,
  digest_emails_enabled: flag,
  digest_weekday: integer,
  disallow_disposable_email_addresses: flag,
  email_changes_disabled: flag,
  emails_restricted_to_domains: flag,
  enable_guest_user_dm_warning: flag,
  enable_guest_user_indicator: flag,
  enable_read_receipts: flag,
  enable_spectator_access: flag,
  giphy_rating: integer,
  inline_image_preview: flag,
  inline_url_embed_preview: flag,
  invite_required: flag,
  jitsi_server_url: orNull(text),
  message_content_allowed_in_email_notifications: flag,
  message_content_delete_limit_seconds: secondsOrNull,
  message_content_edit_limit_seconds: secondsOrNull,
  message_edit_history_visibility_policy: Type.Union([
    Type.Literal('all'),
    Type.Literal('moves'),
    Type.Literal('none'),
  ]),
  message_retention_days: Type.Integer({ description: '-1 is for ever.' }),
  moderation_request_channel_id: channelId,
  move_messages_between_streams_limit_seconds: secondsOrNull,
  move_messages_within_stream_limit_seconds: secondsOrNull,
  name_changes_disabled: flag,
  new_stream_announcements_stream_id: channelId,
  org_type: integer,
  presence_disabled: flag,
  push_notifications_enabled: flag,
  push_notifications_enabled_end_timestamp: orNull(integer),
  require_e2ee_push_notifications: flag,
  require_unique_names: flag,
  send_welcome_emails: flag,
  signup_announcements_stream_id: channelId,
  topics_policy: Type.Union([
    Type.Literal('allow_empty_topic'),
    Type.Literal('disable_empty_topic'),
  ]),
  video_chat_provider: integer,
  waiting_period_threshold: Type.Integer({ description: 'Days.' }),
  want_advertise_in_communities_directory: flag,
  welcome_message_custom_text: text,
  zulip_update_announcements_stream_id: channelId,
} as const satisfies Partial<Record<keyof OrganizationSettings, TSchema>>

/** What the section adds to the answer of `POST /register`. */
export const realmKeys: Readonly<Record<string, TSchema>> = {
  ...serverKeys,
  ...prefixed(plainSettings),
  ...prefixed(
    Object.fromEntries(
      Object.keys(organizationPermissions).map((name) => [name, GroupSettingValue]),
    ),
  ),
  ...prefixed(
    Object.fromEntries(
      organizationImageNames.flatMap((name) => [
        [`${name}_url`, text],
        [`${name}_source`, text],
      ]),
    ),
  ),
  realm_name: text,
  realm_url: text,
  realm_uri: Type.String({ description: 'Deprecated: the same as `realm_url`.' }),
  realm_bot_domain: text,
  realm_date_created: Type.Integer({ description: 'UNIX seconds.' }),
  realm_plan_type: integer,
  realm_allow_edit_history: flag,
  realm_mandatory_topics: flag,
  realm_email_auth_enabled: flag,
  realm_password_auth_enabled: flag,
  realm_authentication_methods: Type.Record(
    Type.String(),
    Type.Object({
      enabled: flag,
      available: flag,
      unavailable_reason: Type.Optional(text),
    }),
  ),
  realm_available_video_chat_providers: Type.Record(
    Type.String(),
    Type.Object({ name: text, id: integer }),
  ),
  jitsi_server_url: Type.String({ description: 'Deprecated.' }),
  realm_create_public_stream_policy: oldPolicy,
  realm_create_private_stream_policy: oldPolicy,
  realm_create_web_public_stream_policy: oldPolicy,
  realm_wildcard_mention_policy: oldPolicy,
}

function prefixed(schemas: Readonly<Record<string, TSchema>>): Record<string, TSchema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [`realm_${name}`, schema]),
  )
}
