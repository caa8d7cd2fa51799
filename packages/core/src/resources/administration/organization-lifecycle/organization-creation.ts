import { inject } from 'tsyringe'

import { languages } from '../../../domain/languages.js'
import { createdValues } from '../../../domain/organizations/audit-actions.js'
import {
  organizationPresets,
  type OrganizationPreset,
} from '../../../domain/organizations/organization-presets.js'
import {
  defaultGroup,
  organizationPermissions,
  type OrganizationPermission,
  type SystemGroupName,
} from '../../../domain/organizations/organization-settings.js'
import { Role } from '../../../domain/users/actor.js'
import { isEmailAddress } from '../../../domain/users/email-address.js'
import { normalizeFullName } from '../../../domain/users/full-name.js'
import type { UserSettings } from '../../../domain/users/user-settings.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { knownOptions } from '../../../kernel/known-options.js'
import { fromKeys, isRecord, keysOf } from '../../../kernel/objects.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { randomToken } from '../../../kernel/random.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database, toJson, UnitOfWork, type Transaction } from '../../../storage/index.js'
import { insertSystemGroups, UserGroupRepository } from '../../groups/user-groups/index.js'
import { WelcomeMessages } from '../../messages/notification-messages/index.js'
import { SearchIndex } from '../../messages/search-index/index.js'
import {
  OrganizationRepository,
  OrganizationService,
} from '../../organization/organizations/index.js'
import { PasswordHasher, PasswordStrength } from '../../people/credentials/index.js'
import { SystemBots, externalIdOf, UserRepository, UserService } from '../../people/users/index.js'
import { FirstChannels } from './first-channels.js'
import { announcementChannel, beginningOf } from './first-contents.js'
import type {
  NewOrganization,
  CreatedOrganization,
  EnsuredOrganization,
  FirstOwner,
  EmptyOrganization,
  SystemGroupIds,
} from './new-organization.js'
import { requireOrganizationName } from './organization-name.js'
import { requireSubdomain } from './subdomain-rules.js'

/** The parameters of a new organization as they are stored, without the hash of a password. */
interface CheckedOrganization {
  readonly subdomain: string
  readonly name: string
  readonly type: number
  readonly beginning: OrganizationPreset
  readonly owner: Omit<FirstOwner, 'passwordHash'> & { readonly password: string | undefined }
}

/** Creates organizations with their first channels and messages. */
@perServer()
export class OrganizationCreation {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(OrganizationRepository) private readonly rows: OrganizationRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserGroupRepository) private readonly groups: UserGroupRepository,
    @inject(UserService) private readonly users: UserService,
    @inject(UserRepository) private readonly userRows: UserRepository,
    @inject(FirstChannels) private readonly firstChannels: FirstChannels,
    @inject(SystemBots) private readonly bots: SystemBots,
    @inject(WelcomeMessages) private readonly welcome: WelcomeMessages,
    @inject(SearchIndex) private readonly searchIndex: SearchIndex,
    @inject(PasswordHasher) private readonly passwords: PasswordHasher,
    @inject(PasswordStrength) private readonly strength: PasswordStrength,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * @throws {ChatError} `SUBDOMAIN_TAKEN` if another organization has the subdomain; `BAD_REQUEST`
   *   if a value is invalid or the password too weak.
   */
  async create(options: NewOrganization): Promise<CreatedOrganization> {
    const created = await this.#create(this.#check(options))
    if (created === undefined) throw new ChatError('SUBDOMAIN_TAKEN')
    return created
  }

  /** Creates the organization unless its subdomain is taken; an existing one stays as it is. */
  async ensure(options: NewOrganization): Promise<EnsuredOrganization> {
    const checked = this.#check(options)
    const known = await this.rows.findBySubdomain(checked.subdomain)
    if (known !== undefined) return { organizationId: known.id, created: false }
    const created = await this.#create(checked)
    if (created !== undefined) return { organizationId: created.organizationId, created: true }
    // Another process on the same database was first.
    const other = await this.rows.findBySubdomain(checked.subdomain)
    // An import that has not ended has the subdomain.
    if (other === undefined) throw new ChatError('SUBDOMAIN_TAKEN')
    return { organizationId: other.id, created: false }
  }

  #check(options: NewOrganization): CheckedOrganization {
    // Applications in plain JavaScript are not type-checked.
    knownOptions('chat.organizations', options, {
      subdomain: true,
      name: true,
      owner: true,
      type: true,
      preset: true,
      language: true,
    })
    const { subdomain = '', name, owner, type = 0, preset = 'team', language = 'en' } = options
    if (!isRecord(owner)) throw new TypeError('chat.organizations: owner must be an object')
    requireSubdomain(subdomain)
    if (!Object.hasOwn(organizationPresets, preset)) {
      const names = keysOf(organizationPresets).join(', ')
      throw new TypeError(`chat.organizations: preset must be one of ${names}`)
    }
    if (!languages.has(language)) throw badRequest('SETTING_LANGUAGE_INVALID')
    const email = owner.email.trim()
    if (!isEmailAddress(email) || this.bots.hasAddress(email)) {
      throw badRequest('BOT_NAME_INVALID')
    }
    const externalId = owner.externalId === undefined ? null : externalIdOf(owner.externalId)
    if (externalId === undefined) throw badRequest('ORGANIZATION_EXTERNAL_ID_INVALID')
    const fullName = normalizeFullName(owner.fullName)
    const { password } = owner
    return {
      subdomain,
      name: requireOrganizationName(name),
      type,
      beginning: beginningOf(preset, type),
      owner: { email, fullName, externalId, language, password },
    }
  }

  /** @returns undefined if the subdomain is taken. */
  async #create(checked: CheckedOrganization): Promise<CreatedOrganization | undefined> {
    const { password, ...owner } = checked.owner
    const passwordHash = await this.#hash(password, [owner.email, owner.fullName])
    const created = await this.#insertFree(checked, { ...owner, passwordHash })
    if (created === undefined) return undefined
    const { organizationId, ownerId, channels } = created
    // Sending messages requires that the organization is committed.
    await this.unitOfWork.run(organizationId, async (tx) => {
      if (channels !== undefined) await this.firstChannels.fill(tx, channels)
      await this.welcome.welcome(tx, [await this.userRows.get(tx, ownerId)])
    })
    return { organizationId, ownerId }
  }

  async #hash(password: string | undefined, related: readonly string[]): Promise<string | null> {
    if (password === undefined) return null
    if (!(await this.strength.isEnough(password, related))) {
      throw badRequest('SIGN_UP_PASSWORD_TOO_WEAK')
    }
    return this.passwords.hashQueued(password)
  }

  async #insertFree(
    checked: CheckedOrganization,
    owner: FirstOwner,
  ): Promise<EmptyOrganization | undefined> {
    try {
      return await this.unitOfWork.run(0, (tx) => this.#insert(tx, checked, owner))
    } catch (error) {
      if (!this.database.dialect.isUniqueViolation(error)) throw error
      return undefined
    } finally {
      this.organizations.forgetNames()
    }
  }

  async #insert(
    outer: Transaction,
    { subdomain, name, type, beginning }: CheckedOrganization,
    owner: FirstOwner,
  ): Promise<EmptyOrganization> {
    const createdAtSeconds = nowSeconds(this.clock)
    const { permissions, userDefaults, newUsers } = beginning
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
      ...beginning.settings,
      newUsers,
      org_type: type,
      default_language: owner.language,
      permissions: organizationGroups(systemGroups, permissions),
    }
    await this.rows.update(tx, { settings: toJson(settings) })
    const ownerId = await this.#insertOwner(tx, owner, userDefaults)
    if (!beginning.hasFirstChannels) return { organizationId, ownerId, channels: undefined }
    const { language } = owner
    const channels = await this.firstChannels.insert(tx, systemGroups, createdAtSeconds, language)
    const announcementsId = present(channels.get(announcementChannel), 'a first channel').id
    const roles = {
      new_stream_announcements_stream_id: announcementsId,
      zulip_update_announcements_stream_id: announcementsId,
    }
    await this.rows.update(tx, { settings: toJson({ ...settings, ...roles }) })
    await this.firstChannels.subscribe(tx, ownerId, channels)
    return { organizationId, ownerId, channels }
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
