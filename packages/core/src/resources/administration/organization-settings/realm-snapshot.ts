import { inject } from 'tsyringe'

import {
  organizationImageNames,
  organizationImageValues,
} from '../../../domain/files/organization-images.js'
import type { OrganizationPermission } from '../../../domain/organizations/organization-settings.js'
import type { OrganizationState } from '../../../domain/organizations/organization-state.js'
import { entriesOf, keysOf } from '../../../kernel/objects.js'
import { perServer } from '../../../kernel/per-server.js'
import { type ServerFacts, ServerFactsToken, standInDomain } from '../../../kernel/server-facts.js'
import { defineSnapshot, type SnapshotContext } from '../../../resource-definition/snapshot.js'
import { AuthenticationMethods } from '../../access/authentication/index.js'
import { GroupSettingValues, UserGroupRepository } from '../../groups/user-groups/index.js'
import { isOwnedByApplication } from '../../people/users/index.js'
import { offeredProvider, videoChatProviders } from '../video-calls/index.js'
import { plainSettings, realmKeys } from './realm-keys.js'
import { serverValues } from './server-values.js'

/** The numbers that older clients use in place of groups. */
const createChannel = {
  'role:members': 1,
  'role:administrators': 2,
  'role:fullmembers': 3,
  'role:moderators': 4,
  // The old policies have no number for fewer people than the administrators.
  'role:owners': 2,
  'role:nobody': 2,
} as const

const createWebPublicChannel = {
  'role:administrators': 2,
  'role:moderators': 4,
  'role:nobody': 6,
  'role:owners': 7,
} as const

const mentionMany = {
  'role:everyone': 1,
  'role:members': 2,
  'role:fullmembers': 3,
  'role:administrators': 5,
  'role:nobody': 6,
  'role:moderators': 7,
  'role:owners': 5,
} as const

/**
 * The deprecated policies that older clients read in place of permission settings. If a setting
 * names no system group, the policy is "full members", the closest to "some of the members".
 *
 * @param systemGroupOf the name of the system group that a setting names, if it names one.
 */
function legacyPolicies(
  systemGroupOf: (permission: OrganizationPermission) => string | undefined,
): Record<string, number> {
  const numberOf = (
    numbers: Readonly<Record<string, number>>,
    permission: OrganizationPermission,
  ): number => numbers[systemGroupOf(permission) ?? ''] ?? 3
  return {
    realm_create_public_stream_policy: numberOf(createChannel, 'can_create_public_channel_group'),
    realm_create_private_stream_policy: numberOf(createChannel, 'can_create_private_channel_group'),
    realm_create_web_public_stream_policy: numberOf(
      createWebPublicChannel,
      'can_create_web_public_channel_group',
    ),
    realm_wildcard_mention_policy: numberOf(mentionMany, 'can_mention_many_users_group'),
  }
}

const plainSettingNames = keysOf(plainSettings)

/**
 * The organization's part of the snapshot `realm`, except permission settings.
 *
 * @param methods the authentication methods, by name.
 */
function realmValues(
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

/** `realm`: server values, the organization's settings and its permission settings. */
@perServer()
export class RealmSnapshot {
  constructor(
    @inject(GroupSettingValues) private readonly groupValues: GroupSettingValues,
    @inject(UserGroupRepository) private readonly groups: UserGroupRepository,
    @inject(AuthenticationMethods) private readonly methods: AuthenticationMethods,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('realm')) return {}
    const { organization, scope, chatUrl } = context
    const valueOf = await this.groupValues.reader(scope)
    const systemNames = new Map(
      [...(await this.groups.systemGroupIds(scope))].map(([name, id]) => [id, name]),
    )
    return {
      ...serverValues(this.facts, chatUrl),
      ...realmValues(
        organization,
        this.facts,
        this.methods.describe(organization.settings),
        chatUrl,
      ),
      ...closedSettings(context.self, this.facts),
      ...Object.fromEntries(
        entriesOf(organization.permissions).map(([name, groupId]) => [
          `realm_${name}`,
          valueOf(groupId),
        ]),
      ),
      ...legacyPolicies((name) => systemNames.get(organization.permissions[name])),
    }
  }
}

/** Properties that the application owns are announced to its users as settings closed to all. */
function closedSettings(
  self: SnapshotContext['self'],
  facts: ServerFacts,
): Readonly<Record<string, boolean>> {
  const closed: Record<string, boolean> = {}
  if (isOwnedByApplication(self, 'fullName', facts)) {
    closed.realm_name_changes_disabled = true
    closed.server_name_changes_disabled = true
  }
  if (isOwnedByApplication(self, 'email', facts)) closed.realm_email_changes_disabled = true
  if (isOwnedByApplication(self, 'avatar', facts)) {
    closed.realm_avatar_changes_disabled = true
    closed.server_avatar_changes_disabled = true
  }
  return closed
}

export const realmSnapshot = defineSnapshot({
  keys: realmKeys,
  service: RealmSnapshot,
  load: async (service, context) => service.load(context),
})
