import { inject } from 'tsyringe'

import type { Role } from '../../domain/actor.js'
import { foldCase } from '../../domain/folding.js'
import {
  channelPermissions,
  groupPermissions,
  organizationPermissions,
  type PermissionSettingDefinition,
  type SystemGroupName,
} from '../../domain/organization-settings.js'
import { nowSeconds, type Clock } from '../../kernel/clock.js'
import { perServer } from '../../kernel/per-server.js'
import { randomToken } from '../../kernel/random.js'
import { ClockToken } from '../../kernel/tokens.js'
import { Database, UnitOfWork, type Transaction } from '../../storage/index.js'
import { ChannelRepository } from '../channels/index.js'
import { PasswordHasher } from '../credentials/index.js'
import { ConversationRepository } from '../messages/index.js'
import { OrganizationRepository, OrganizationService } from '../organizations/index.js'
import { SubscriptionRepository } from '../subscriptions/index.js'
import { insertSystemGroups, UserGroupRepository } from '../user-groups/index.js'
import { UserService } from '../users/index.js'
import { MessageLoader } from './message-loader.js'
import { requireOrganizationFile } from './organization-file-check.js'
import type { OrganizationFile } from './organization-file-schema.js'
import { subscriptionColor } from '../../domain/subscription-colors.js'

export interface LoadedOrganization {
  readonly organizationId: number
  /** False if an organization with this subdomain was there already; nothing was then changed. */
  readonly created: boolean
}

type SystemGroupIds = Record<SystemGroupName, number>

/** Creates whole organizations from files. */
@perServer()
export class OrganizationLoader {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(OrganizationRepository) private readonly organizationRows: OrganizationRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserGroupRepository) private readonly groups: UserGroupRepository,
    @inject(UserService) private readonly users: UserService,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ConversationRepository) private readonly conversations: ConversationRepository,
    @inject(SubscriptionRepository) private readonly subscriptions: SubscriptionRepository,
    @inject(MessageLoader) private readonly messages: MessageLoader,
    @inject(PasswordHasher) private readonly passwords: PasswordHasher,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * Creates the organization of a file, all of it or nothing.
   *
   * @throws {OrganizationFileError} listing every problem of the file.
   */
  async load(value: unknown): Promise<LoadedOrganization> {
    const file = requireOrganizationFile(value)
    const subdomain = file.organization.subdomain ?? ''
    const known = await this.organizationRows.findBySubdomain(subdomain)
    if (known !== undefined) return { organizationId: known.id, created: false }
    const hashes = await this.#hashPasswords(file)
    try {
      const organizationId = await this.unitOfWork.run(0, (tx) => this.#insert(tx, file, hashes))
      return { organizationId, created: true }
    } catch (error) {
      // Another process that starts on the same database at the same moment was first.
      const other = this.database.dialect.isUniqueViolation(error)
        ? await this.organizationRows.findBySubdomain(subdomain)
        : undefined
      if (other === undefined) throw error
      return { organizationId: other.id, created: false }
    } finally {
      this.organizations.forgetNames()
    }
  }

  async #hashPasswords(file: OrganizationFile): Promise<ReadonlyMap<number, string>> {
    const withPassword = file.users.filter(({ password }) => password !== undefined)
    const hashes = await Promise.all(
      withPassword.map(
        async ({ id, password }) => [id, await this.passwords.hash(password ?? '')] as const,
      ),
    )
    return new Map(hashes)
  }

  async #insert(
    outer: Transaction,
    file: OrganizationFile,
    hashes: ReadonlyMap<number, string>,
  ): Promise<number> {
    const createdAtSeconds = file.organization.created_at_seconds ?? nowSeconds(this.clock)
    const organizationId = await this.organizationRows.insert(outer, {
      ...(file.organization.id === undefined ? {} : { id: file.organization.id }),
      subdomain: file.organization.subdomain ?? '',
      name: file.organization.name,
      created_at_seconds: createdAtSeconds,
      is_deactivated: false,
      epoch: randomToken(6).replaceAll('-', '_'),
      settings: '{}',
      user_defaults: '{}',
    })
    const tx = outer.ofNewOrganization(organizationId)
    const systemGroups = await this.#insertGroups(tx, file, createdAtSeconds)
    await this.organizationRows.update(tx, {
      settings: JSON.stringify(organizationSettings(file, systemGroups)),
    })
    await this.#insertUsers(tx, file, hashes, createdAtSeconds)
    await this.#insertChannels(tx, file, systemGroups, createdAtSeconds)
    await this.messages.insert(tx, file)
    return organizationId
  }

  async #insertGroups(
    tx: Transaction,
    file: OrganizationFile,
    createdAtSeconds: number,
  ): Promise<SystemGroupIds> {
    const named = file.groups ?? []
    // Prescribed ids first, so that the system groups take what is free after them.
    for (const group of named) {
      await this.groups.insert(tx, {
        id: group.id,
        name: group.name,
        description: group.description ?? '',
        is_system_group: false,
        is_deactivated: group.is_deactivated ?? false,
        creator_id: group.creator_id ?? null,
        created_at_seconds: createdAtSeconds,
        settings: '{}',
      })
    }
    const systemGroups = await insertSystemGroups(tx, this.groups, createdAtSeconds)
    for (const group of named) {
      const settings = await this.#settings(tx, groupPermissions, systemGroups, group.creator_id)
      await this.groups.update(tx, group.id, { settings: JSON.stringify(settings) })
    }
    await this.groups.insertMembers(
      tx,
      named.flatMap(({ id, members = [] }) =>
        members.map((user_id) => ({ group_id: id, user_id })),
      ),
    )
    await this.groups.insertSubgroups(
      tx,
      named.flatMap(({ id, subgroups = [] }) =>
        subgroups.map((subgroup) => ({
          group_id: id,
          subgroup_id:
            typeof subgroup === 'number' ? subgroup : systemGroups[subgroup as SystemGroupName],
        })),
      ),
    )
    return systemGroups
  }

  async #insertUsers(
    tx: Transaction,
    file: OrganizationFile,
    hashes: ReadonlyMap<number, string>,
    createdAtSeconds: number,
  ): Promise<void> {
    for (const user of file.users) {
      await this.users.insert(tx, {
        id: user.id,
        externalId: user.external_id ?? null,
        email: user.email,
        fullName: user.full_name,
        role: (user.role ?? 400) as Role,
        isActive: user.is_active ?? true,
        passwordHash: hashes.get(user.id) ?? null,
        ...(user.api_key === undefined ? {} : { apiKey: user.api_key }),
        joinedAtMilliseconds: (user.joined_at_seconds ?? createdAtSeconds) * 1000,
        timezone: user.timezone ?? '',
        emailAddressVisibility: Number(user.settings?.['email_address_visibility'] ?? 1),
        canCreateUsers: user.can_create_users ?? false,
        canChangeUserEmails: user.can_change_user_emails ?? false,
        settings: JSON.stringify(user.settings ?? {}),
      })
    }
    for (const bot of file.bots ?? []) {
      await this.users.insert(tx, {
        id: bot.id,
        email: bot.email,
        fullName: bot.full_name,
        role: (bot.role ?? 400) as Role,
        isActive: bot.is_active ?? true,
        ...(bot.api_key === undefined ? {} : { apiKey: bot.api_key }),
        bot: { type: bot.bot_type ?? 1, ownerId: bot.owner_id },
        joinedAtMilliseconds: createdAtSeconds * 1000,
      })
    }
  }

  async #insertChannels(
    tx: Transaction,
    file: OrganizationFile,
    systemGroups: SystemGroupIds,
    createdAtSeconds: number,
  ): Promise<void> {
    const active = new Set(
      [...file.users, ...(file.bots ?? [])]
        .filter(({ is_active = true }) => is_active)
        .map(({ id }) => id),
    )
    for (const channel of file.channels ?? []) {
      const privacy = channel.privacy ?? 'public'
      const recipientId = await this.conversations.insertForChannel(tx)
      await this.channels.insert(tx, {
        id: channel.id,
        recipient_id: recipientId,
        name: channel.name,
        name_key: foldCase(channel.name),
        description: channel.description ?? '',
        rendered_description: await this.messages.renderDescription(tx, channel.description ?? ''),
        created_at_seconds: channel.created_at_seconds ?? createdAtSeconds,
        creator_id: channel.creator_id ?? null,
        is_private: privacy.startsWith('private'),
        is_history_shared: privacy !== 'private_protected_history',
        is_web_public: privacy === 'web_public',
        is_archived: channel.is_archived ?? false,
        is_default: channel.is_default ?? false,
        is_recently_active: true,
        message_retention_days: null,
        topics_policy: 'inherit',
        folder_id: null,
        first_message_id: null,
        audience_id: null,
        settings: JSON.stringify(
          await this.#settings(tx, channelPermissions, systemGroups, channel.creator_id),
        ),
      })
      await this.conversations.setChannel(tx, recipientId, channel.id)
      await this.subscriptions.insert(
        tx,
        (channel.subscribers ?? []).map((userId) => ({
          channel_id: channel.id,
          user_id: userId,
          is_active: true,
          is_user_active: active.has(userId),
          color: subscriptionColor(channel.id),
          is_muted: false,
          pin_to_top: false,
          desktop_notifications: null,
          audible_notifications: null,
          push_notifications: null,
          email_notifications: null,
          wildcard_mentions_notify: null,
        })),
      )
    }
  }

  /** The group ids of a new channel's or group's permission settings. */
  async #settings(
    tx: Transaction,
    definitions: Readonly<Record<string, PermissionSettingDefinition>>,
    systemGroups: SystemGroupIds,
    creatorId: number | undefined,
  ): Promise<Record<string, number>> {
    const creatorGroup = creatorId === undefined ? undefined : await this.#nameless(tx, creatorId)
    return Object.fromEntries(
      Object.entries(definitions).map(([name, { default: group }]) => [
        name,
        group === 'stream_creator_or_nobody' || group === 'group_creator'
          ? (creatorGroup ?? systemGroups['role:nobody'])
          : systemGroups[group],
      ]),
    )
  }

  /** A nameless group of one user. */
  async #nameless(tx: Transaction, userId: number): Promise<number> {
    const id = await this.groups.insert(tx, {
      name: null,
      description: '',
      is_system_group: false,
      is_deactivated: false,
      creator_id: null,
      created_at_seconds: null,
      settings: '{}',
    })
    await this.groups.insertMembers(tx, [{ group_id: id, user_id: userId }])
    return id
  }
}

function organizationSettings(
  file: OrganizationFile,
  systemGroups: SystemGroupIds,
): Record<string, unknown> {
  const given = file.organization.settings ?? {}
  const permissions = Object.fromEntries(
    Object.entries(organizationPermissions).map(([name, definition]) => {
      const group = (given[name] ?? definition.default) as SystemGroupName
      return [name, systemGroups[group]]
    }),
  )
  const plain = Object.fromEntries(
    Object.entries(given).filter(([name]) => !(name in organizationPermissions)),
  )
  return { ...plain, permissions }
}
