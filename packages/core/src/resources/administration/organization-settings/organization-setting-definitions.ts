import { Type, type TSchema } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { languages } from '../../../domain/languages.js'
import type { ContentKind } from '../../../domain/messages/content-kinds.js'
import type { OrganizationSettings } from '../../../domain/organizations/organization-settings.js'
import { fromKeys, keysOf } from '../../../kernel/objects.js'
import { videoChatProviderIds } from '../video-calls/index.js'
import { giphyRatings } from './server-values.js'
import { limits } from '../../../domain/limits.js'

/** A setting, by its name in `PATCH /realm`. */
export interface OrganizationSettingDefinition {
  /** Schema of the request parameter. */
  readonly parameter: TSchema
  /** Schema of the value as stored and returned. */
  readonly kept: TSchema
  /** Schema of the changed value in the response of `PATCH /realm`. */
  readonly answer: TSchema
  /** Whether only owners may change it. */
  readonly ownerOnly?: true
  /** Whether changes are sent in the event for settings that belong together. */
  readonly coupled?: true
}

/** The largest number of seconds or days of a limit. */
export const maxLimit = 999_999_999

const updated = Type.Literal('updated')

const flag = { parameter: Type.Boolean(), kept: Type.Boolean(), answer: Type.Boolean() }
const channel = {
  parameter: Bounded.integer({
    description: 'Id of a channel, or a negative number for no channel.',
  }),
  kept: Type.Integer({ minimum: -1, description: 'Id of a channel; -1 for no channel.' }),
  answer: Type.Integer(),
}
const timeLimit = {
  parameter: Bounded.name({ description: 'Seconds, or `unlimited`.' }),
  kept: Type.Union([
    Type.Integer({ minimum: 1, maximum: maxLimit, description: 'Seconds; null for no limit.' }),
    Type.Null(),
  ]),
  answer: Type.Union([Type.Integer(), Type.Null()]),
}

function text(options: {
  maxLength?: number
  trim?: true
  refuseBlank?: true
  contentKind?: ContentKind
}) {
  const { maxLength } = options
  const kept = Type.String(maxLength === undefined ? {} : { maxLength })
  return { parameter: Bounded.name(options), kept, answer: updated }
}

function wordOf(...words: readonly string[]) {
  const kept = Type.Union(words.map((word) => Type.Literal(word)))
  return { parameter: kept, kept, answer: updated }
}

function numberOf(...numbers: readonly number[]) {
  const values = numbers.map((value) => Type.Literal(value))
  return {
    parameter: Type.Union(values, { invalid: 'listed' }),
    kept: Type.Union(values),
    answer: Type.Integer(),
  }
}

/** A setting whose possible values are listed in the server's data for clients. */
function offered(ids: readonly number[]) {
  const { kept, answer } = numberOf(...ids)
  return { parameter: Bounded.integer(), kept, answer }
}

/** In characters. */
export const maxJitsiUrlLength = 200
const waitingPeriod = Type.Integer({ minimum: 0, maximum: 36_500, description: 'Days.' })

/** The name of a setting that is stored under the same name. */
export type OrganizationSettingName =
  | Exclude<
      keyof OrganizationSettings,
      | 'disabled_authentication_methods'
      | 'password_auth_enabled'
      | 'presence_disabled'
      | 'push_notifications_enabled'
      | 'push_notifications_enabled_end_timestamp'
    >
  | 'name'

/**
 * Every setting that administrators can change, except permission settings and authentication
 * methods.
 */
export const organizationSettingDefinitions: Readonly<
  Record<OrganizationSettingName, OrganizationSettingDefinition>
> = {
  name: text({
    maxLength: limits.maxOrganizationNameLength,
    trim: true,
    refuseBlank: true,
    contentKind: 'organization.name',
  }),
  description: text({ maxLength: 1000, contentKind: 'organization.description' }),
  emails_restricted_to_domains: { ...flag, ownerOnly: true },
  disallow_disposable_email_addresses: { ...flag, ownerOnly: true },
  invite_required: { ...flag, ownerOnly: true },
  name_changes_disabled: flag,
  email_changes_disabled: flag,
  avatar_changes_disabled: flag,
  require_unique_names: flag,
  inline_image_preview: flag,
  inline_url_embed_preview: flag,
  allow_message_editing: { ...flag, coupled: true },
  message_content_edit_limit_seconds: { ...timeLimit, coupled: true },
  message_content_delete_limit_seconds: timeLimit,
  move_messages_within_stream_limit_seconds: timeLimit,
  move_messages_between_streams_limit_seconds: timeLimit,
  message_edit_history_visibility_policy: wordOf('all', 'moves', 'none'),
  topics_policy: { ...wordOf('allow_empty_topic', 'disable_empty_topic'), coupled: true },
  default_language: {
    ...text({}),
    kept: Type.Union([...languages.keys()].map((language) => Type.Literal(language))),
  },
  waiting_period_threshold: {
    parameter: waitingPeriod,
    kept: waitingPeriod,
    answer: Type.Integer(),
    ownerOnly: true,
  },
  new_stream_announcements_stream_id: channel,
  signup_announcements_stream_id: channel,
  zulip_update_announcements_stream_id: channel,
  moderation_request_channel_id: channel,
  message_retention_days: {
    parameter: Bounded.name({ description: 'Days, or `unlimited`.' }),
    kept: Type.Integer({
      minimum: -1,
      maximum: maxLimit,
      description: 'Days; -1 keeps messages forever.',
    }),
    answer: Type.Integer(),
    ownerOnly: true,
  },
  send_welcome_emails: flag,
  message_content_allowed_in_email_notifications: flag,
  welcome_message_custom_text: text({ maxLength: 8000, contentKind: 'organization.welcome' }),
  digest_emails_enabled: flag,
  digest_weekday: numberOf(0, 1, 2, 3, 4, 5, 6),
  video_chat_provider: offered(videoChatProviderIds),
  jitsi_server_url: {
    parameter: Bounded.json(10_000, { description: 'A URL, or `default`.' }),
    kept: Type.Union([
      Type.String({
        maxLength: maxJitsiUrlLength,
        description: "Null for the server's default.",
      }),
      Type.Null(),
    ]),
    answer: Type.Union([updated, Type.Null()]),
  },
  giphy_rating: offered(Object.values(giphyRatings).map(({ id }) => id)),
  default_code_block_language: text({ maxLength: 40 }),
  enable_read_receipts: flag,
  enable_spectator_access: flag,
  enable_guest_user_indicator: flag,
  enable_guest_user_dm_warning: flag,
  want_advertise_in_communities_directory: flag,
  require_e2ee_push_notifications: flag,
  org_type: numberOf(0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000),
}

/** The permission settings that only owners may change. */
export const ownerOnlyPermissions: ReadonlySet<string> = new Set([
  'can_create_groups',
  'can_invite_users_group',
  'can_manage_all_groups',
  'can_manage_billing_group',
  'create_multiuse_invite_group',
])

const { name: _name, ...ownDefinitions } = organizationSettingDefinitions

/** The schema of each stored setting, except permission settings. */
export const keptSettings: Readonly<Record<keyof OrganizationSettings, TSchema>> = {
  ...fromKeys(keysOf(ownDefinitions), (name) => ownDefinitions[name].kept),
  presence_disabled: Type.Boolean(),
  push_notifications_enabled: Type.Boolean(),
  push_notifications_enabled_end_timestamp: Type.Union([
    Type.Integer({ minimum: 0, description: 'UNIX seconds.' }),
    Type.Null(),
  ]),
  password_auth_enabled: Type.Boolean(),
  disabled_authentication_methods: Type.Array(Type.String(), { uniqueItems: true }),
}
