import { inject } from 'tsyringe'

import { languages } from '../../../domain/languages.js'
import { createdValues } from '../../../domain/organizations/audit-actions.js'
import {
  channelPermissions,
  organizationPermissions,
  type OrganizationPermission,
  type PermissionSettingDefinition,
  type SystemGroupName,
} from '../../../domain/organizations/organization-settings.js'
import { subscriptionColor } from '../../../domain/organizations/subscription-colors.js'
import { foldCase } from '../../../domain/texts/folding.js'
import { Role } from '../../../domain/users/actor.js'
import { isEmailAddress } from '../../../domain/users/email-address.js'
import { normalizeFullName } from '../../../domain/users/full-name.js'
import type { UserSettings } from '../../../domain/users/user-settings.js'
import { badRequest } from '../../../errors/index.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { fromKeys, keysOf } from '../../../kernel/objects.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { randomToken } from '../../../kernel/random.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database, toJson, UnitOfWork, type Transaction } from '../../../storage/index.js'
import { Translator } from '../../../texts/index.js'
import {
  ChannelRepository,
  normalizeChannelName,
  type ChannelRow,
} from '../../channels/channels/index.js'
import { SubscriptionRepository } from '../../channels/subscriptions/index.js'
import { MessageRenderer } from '../../content/rendering/index.js'
import { insertSystemGroups, UserGroupRepository } from '../../groups/user-groups/index.js'
import { WelcomeMessages } from '../../messages/notification-messages/index.js'
import { SearchIndex } from '../../messages/search-index/index.js'
import { SystemBotMessages } from '../../messages/sending/index.js'
import {
  OrganizationRepository,
  OrganizationService,
} from '../../organization/organizations/index.js'
import { PasswordHasher, PasswordStrength } from '../../people/credentials/index.js'
import {
  SystemBots,
  actorOf,
  externalIdOf,
  UserRepository,
  UserService,
} from '../../people/users/index.js'
import {
  announcementChannel,
  differencesOf,
  firstChannels,
  firstMessages,
  type FirstChannelKey,
} from './first-contents.js'
import type {
  NewOrganization,
  CreatedOrganization,
  FirstOwner,
  EmptyOrganization,
  FirstChannelRows,
  SystemGroupIds,
} from './new-organization.js'
import { requireOrganizationName } from './organization-name.js'
import { requireSubdomain } from './subdomain-rules.js'

/** Creates organizations with their first channels and messages. */
@perServer()
export class OrganizationCreation {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(OrganizationRepository) private readonly rows: OrganizationRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserGroupRepository) private readonly groups: UserGroupRepository,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(SubscriptionRepository) private readonly subscriptions: SubscriptionRepository,
    @inject(UserService) private readonly users: UserService,
    @inject(UserRepository) private readonly userRows: UserRepository,
    @inject(MessageRenderer) private readonly renderer: MessageRenderer,
    @inject(SystemBots) private readonly bots: SystemBots,
    @inject(SystemBotMessages) private readonly messages: SystemBotMessages,
    @inject(WelcomeMessages) private readonly welcome: WelcomeMessages,
    @inject(SearchIndex) private readonly searchIndex: SearchIndex,
    @inject(Translator) private readonly translator: Translator,
    @inject(PasswordHasher) private readonly passwords: PasswordHasher,
    @inject(PasswordStrength) private readonly strength: PasswordStrength,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * @throws {ChatError} `BAD_REQUEST` if a value is invalid, the password too weak, or the
   *   subdomain in use.
   */
  async create(options: NewOrganization): Promise<CreatedOrganization> {
    const { subdomain, owner, language = 'en' } = options
    requireSubdomain(subdomain)
    if (!languages.has(language)) throw badRequest('SETTING_LANGUAGE_INVALID')
    const name = requireOrganizationName(options.name)
    const email = owner.email.trim()
    if (!isEmailAddress(email) || this.bots.hasAddress(email)) {
      throw badRequest('BOT_NAME_INVALID')
    }
    const fullName = normalizeFullName(owner.fullName)
    const passwordHash = await this.#hash(owner.password, [email, fullName])
    const externalId = owner.externalId === undefined ? null : externalIdOf(owner.externalId)
    if (externalId === undefined) throw badRequest('ORGANIZATION_EXTERNAL_ID_INVALID')
    const first = { email, fullName, externalId, passwordHash, language }
    const created = await this.#insertFree({ ...options, name }, first)
    // Sending messages requires that the organization is committed.
    await this.unitOfWork.run(created.organizationId, (tx) => this.#fill(tx, created))
    return { organizationId: created.organizationId, ownerId: created.ownerId }
  }

  async #hash(password: string | undefined, related: readonly string[]): Promise<string | null> {
    if (password === undefined) return null
    if (!(await this.strength.isEnough(password, related))) {
      throw badRequest('SIGN_UP_PASSWORD_TOO_WEAK')
    }
    return this.passwords.hashQueued(password)
  }

  async #insertFree(options: NewOrganization, owner: FirstOwner): Promise<EmptyOrganization> {
    try {
      return await this.unitOfWork.run(0, (tx) => this.#insert(tx, options, owner))
    } catch (error) {
      if (!this.database.dialect.isUniqueViolation(error)) throw error
      throw badRequest('SUBDOMAIN_TAKEN')
    } finally {
      this.organizations.forgetNames()
    }
  }

  async #insert(
    outer: Transaction,
    { subdomain, name, type = 0 }: NewOrganization,
    first: FirstOwner,
  ): Promise<EmptyOrganization> {
    const createdAtSeconds = nowSeconds(this.clock)
    const { permissions, userDefaults } = differencesOf(type)
    const organizationId = await this.rows.insert(outer, {
      subdomain,
      name,
      created_at_seconds: createdAtSeconds,
      is_deactivated: false,
      epoch: randomToken(6).replaceAll('-', '_'),
      user_defaults: toJson(userDefaults),
    })
    const tx = outer.ofNewOrganization(organizationId)
    const changes = createdValues({ name, subdomain })
    tx.audit({ action: 'organization.created', changes })
    await this.searchIndex.begin(tx, false)
    const systemGroups = await insertSystemGroups(tx, this.groups, createdAtSeconds)
    const settings = {
      org_type: type,
      default_language: first.language,
      permissions: organizationGroups(systemGroups, permissions),
    }
    await this.rows.update(tx, { settings: toJson(settings) })
    const channels = await this.#insertChannels(tx, systemGroups, createdAtSeconds, first.language)
    const announcementsId = idOf(channels, announcementChannel)
    const roles = {
      new_stream_announcements_stream_id: announcementsId,
      zulip_update_announcements_stream_id: announcementsId,
    }
    await this.rows.update(tx, { settings: toJson({ ...settings, ...roles }) })
    const ownerId = await this.#insertOwner(tx, first, userDefaults)
    await this.#subscribe(tx, ownerId, [...channels.values()])
    return { organizationId, ownerId, channels }
  }

  /** Sends the first messages. */
  async #fill(tx: Transaction, { ownerId, channels }: EmptyOrganization): Promise<void> {
    const rendered = await this.renderer.renderAll(
      tx,
      actorOf(this.bots.get(tx.organizationId, 'welcome')),
      [...channels.values()].map(({ description }) => description),
      { isDescription: true },
    )
    for (const [index, { id }] of [...channels.values()].entries()) {
      const rendered_description = rendered[index]?.html ?? ''
      await this.channels.update(tx, id, { rendered_description })
    }
    await this.messages.send(
      tx,
      'welcome',
      firstMessages.map(({ channel, topic, content }) => ({
        to: { channelId: idOf(channels, channel), topic },
        content,
      })),
    )
    await this.welcome.welcome(tx, [await this.userRows.get(tx, ownerId)])
  }

  async #insertChannels(
    tx: Transaction,
    systemGroups: SystemGroupIds,
    createdAtSeconds: number,
    language: string,
  ): Promise<FirstChannelRows> {
    const settings = fromKeys(keysOf(channelPermissions), (name) => {
      return systemGroups[defaultGroup(channelPermissions[name])]
    })
    const { write } = this.translator.writerIn(language)
    const written = firstChannels.map(({ key, name, description }) => ({
      key,
      name: normalizeChannelName(write(name)),
      description: write(description),
    }))
    const rows = await this.channels.insertMany(
      tx,
      written.map(({ name, description }) => ({
        external_id: null,
        name,
        name_key: foldCase(name),
        description,
        rendered_description: '',
        created_at_seconds: createdAtSeconds,
        creator_id: null,
        is_private: false,
        is_history_shared: true,
        is_web_public: false,
        is_archived: false,
        is_default: true,
        is_recently_active: true,
        message_retention_days: null,
        topics_policy: 'inherit',
        folder_id: null,
        first_message_id: null,
        audience_id: null,
        version: 0,
        settings: toJson(settings),
      })),
    )
    const byName = new Map(rows.map((row) => [row.name, row]))
    return new Map(written.map(({ key, name }) => [key, present(byName.get(name), key)]))
  }

  async #insertOwner(
    tx: Transaction,
    { email, fullName, externalId, passwordHash, language }: FirstOwner,
    userDefaults: Partial<UserSettings>,
  ): Promise<number> {
    const visibility = userDefaults.email_address_visibility
    return this.users.insert(tx, {
      email,
      fullName,
      externalId,
      role: Role.owner,
      passwordHash,
      settings: toJson({ default_language: language }),
      ...(visibility === undefined ? {} : { emailAddressVisibility: visibility }),
    })
  }

  async #subscribe(
    tx: Transaction,
    ownerId: number,
    channels: readonly ChannelRow[],
  ): Promise<void> {
    await this.subscriptions.insert(
      tx,
      channels.map(({ id }) => ({
        channel_id: id,
        user_id: ownerId,
        is_active: true,
        is_user_active: true,
        color: subscriptionColor(id),
        is_muted: false,
        pin_to_top: false,
        desktop_notifications: null,
        audible_notifications: null,
        push_notifications: null,
        email_notifications: null,
        wildcard_mentions_notify: null,
        unwritten_after_message_id: 0,
      })),
    )
  }
}

function idOf(channels: FirstChannelRows, key: FirstChannelKey): number {
  return present(channels.get(key), 'a first channel').id
}

function organizationGroups(
  systemGroups: SystemGroupIds,
  different: Partial<Record<OrganizationPermission, SystemGroupName>>,
): Record<OrganizationPermission, number> {
  return fromKeys(
    keysOf(organizationPermissions),
    (name) => systemGroups[different[name] ?? defaultGroup(organizationPermissions[name])],
  )
}

/** The default system group of a setting, for an object that no user has created. */
function defaultGroup({ default: group }: PermissionSettingDefinition): SystemGroupName {
  return group === 'stream_creator_or_nobody' || group === 'group_creator' ? 'role:nobody' : group
}
