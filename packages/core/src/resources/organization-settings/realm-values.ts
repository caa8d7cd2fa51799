import type { OrganizationSettings } from '../../domain/organization-settings.js'
import { standInDomain, type ServerFacts } from '../../kernel/server-facts.js'
import {
  organizationImageNames,
  organizationImageValues,
  type OrganizationState,
} from '../organizations/index.js'
import { serverJitsiUrl } from './server-values.js'

/** Settings that clients see under their own name, prefixed with `realm_`. */
const plainSettings = [
  'allow_message_editing',
  'avatar_changes_disabled',
  'default_code_block_language',
  'default_language',
  'description',
  'digest_emails_enabled',
  'digest_weekday',
  'disallow_disposable_email_addresses',
  'email_changes_disabled',
  'emails_restricted_to_domains',
  'enable_guest_user_dm_warning',
  'enable_guest_user_indicator',
  'enable_read_receipts',
  'enable_spectator_access',
  'giphy_rating',
  'inline_image_preview',
  'inline_url_embed_preview',
  'invite_required',
  'jitsi_server_url',
  'message_content_allowed_in_email_notifications',
  'message_content_delete_limit_seconds',
  'message_content_edit_limit_seconds',
  'message_edit_history_visibility_policy',
  'message_retention_days',
  'moderation_request_channel_id',
  'move_messages_between_streams_limit_seconds',
  'move_messages_within_stream_limit_seconds',
  'name_changes_disabled',
  'new_stream_announcements_stream_id',
  'org_type',
  'presence_disabled',
  'push_notifications_enabled',
  'push_notifications_enabled_end_timestamp',
  'require_e2ee_push_notifications',
  'require_unique_names',
  'send_welcome_emails',
  'signup_announcements_stream_id',
  'topics_policy',
  'video_chat_provider',
  'waiting_period_threshold',
  'want_advertise_in_communities_directory',
  'welcome_message_custom_text',
  'zulip_update_announcements_stream_id',
] as const satisfies readonly (keyof OrganizationSettings)[]

/** The services for calls that an organization can choose from, by the names that clients use. */
export const videoChatProviders = {
  disabled: { name: 'None', id: 0 },
  jitsi_meet: { name: 'Jitsi Meet', id: 1 },
} as const

/**
 * What the section `realm` says of the organization, permissions aside.
 *
 * @param methods the ways to log in, by name.
 */
export function realmValues(
  organization: OrganizationState,
  facts: ServerFacts,
  methods: Readonly<Record<string, { enabled: boolean; available: boolean }>>,
  url: string,
): Record<string, unknown> {
  const { settings } = organization
  const images = organizationImageNames.flatMap((name) =>
    Object.entries(organizationImageValues(organization, name)),
  )
  return {
    ...Object.fromEntries(plainSettings.map((name) => [`realm_${name}`, settings[name]])),
    realm_name: organization.name,
    realm_url: url,
    realm_uri: url,
    realm_bot_domain: standInDomain(facts),
    realm_date_created: organization.createdAtSeconds,
    realm_plan_type: 1,
    ...Object.fromEntries(images.map(([name, value]) => [`realm_${name}`, value])),
    realm_allow_edit_history: settings.message_edit_history_visibility_policy !== 'none',
    realm_mandatory_topics: settings.topics_policy === 'disable_empty_topic',
    realm_email_auth_enabled: methods['Email']?.enabled ?? false,
    realm_password_auth_enabled: [methods['Email'], methods['LDAP']].some(
      (method) => method?.enabled === true,
    ),
    realm_authentication_methods: methods,
    realm_available_video_chat_providers: videoChatProviders,
    jitsi_server_url: settings.jitsi_server_url ?? serverJitsiUrl,
  }
}
