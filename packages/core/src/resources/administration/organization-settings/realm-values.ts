import {
  organizationImageNames,
  organizationImageValues,
} from '../../../domain/files/organization-images.js'
import type { OrganizationState } from '../../../domain/organizations/organization-state.js'
import { keysOf } from '../../../kernel/objects.js'
import { standInDomain, type ServerFacts } from '../../../kernel/server-facts.js'
import { offeredProvider, videoChatProviders } from '../video-calls/index.js'
import { plainSettings } from './realm-keys.js'

const plainSettingNames = keysOf(plainSettings)

/**
 * The organization's part of the snapshot `realm`, except permission settings.
 *
 * @param methods the authentication methods, by name.
 */
export function realmValues(
  organization: OrganizationState,
  facts: ServerFacts,
  methods: Readonly<Record<string, { enabled: boolean; available: boolean }>>,
  chatUrl: string,
): Record<string, unknown> {
  const { settings } = organization
  const jitsiUrl = settings.jitsi_server_url ?? facts.videoCalls.jitsiUrl
  const images = organizationImageNames.flatMap((name) =>
    Object.entries(organizationImageValues(organization, name, facts.address)),
  )
  return {
    ...Object.fromEntries(plainSettingNames.map((name) => [`realm_${name}`, settings[name]])),
    realm_name: organization.name,
    realm_url: chatUrl,
    realm_uri: chatUrl,
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
    realm_available_video_chat_providers: videoChatProviders(facts),
    realm_video_chat_provider: offeredProvider(settings.video_chat_provider, facts),
    ...(jitsiUrl !== null && { jitsi_server_url: jitsiUrl }),
  }
}
