import { inject, injectAll } from 'tsyringe'

import { createdValues, type AuditEntry } from '../../../domain/organizations/audit-actions.js'
import { foldCase } from '../../../domain/texts/folding.js'
import { anyUserOf, Role } from '../../../domain/users/actor.js'
import { parseUserSettings, type UserSettingsJson } from '../../../domain/users/user-settings.js'
import type { Clock } from '../../../kernel/clock.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { toJson, UnitOfWork, type Transaction } from '../../../storage/index.js'
import { ActiveUsers, OrganizationService } from '../../organization/organizations/index.js'
import { ApiKeys } from '../credentials/index.js'
import { UserAccess } from '../user-access/index.js'
import { newAvatarName } from './avatar-url.js'
import { BotManagerRepository } from './bot-manager-repository.js'
import { ExternalUserRepository } from './external-user-repository.js'
import { NewcomerStepToken, type Joining, type NewcomerStep } from './account-steps.js'
import { exportConsentChanged, userAdded } from './user-events.js'
import { UserRepository } from './user-repository.js'
import type { NewUserRow } from './user-rows.js'
import type { UserRow } from './users-table.js'
import type { UserObject } from './user-schemas.js'
import { actorOf, unknownUser, userObject, weakestRoleThatSees } from './user-view.js'

/** The data of a user to be created. */
export interface NewUser {
  readonly id?: number
  readonly externalId?: string | null
  readonly email: string
  readonly fullName: string
  readonly role?: Role
  readonly isActive?: boolean
  readonly passwordHash?: string | null
  /** @default a random one */
  readonly apiKey?: string
  /** Present on bots. */
  readonly bot?: { readonly type: number; readonly ownerId: number | null }
  readonly joinedAtMilliseconds?: number
  readonly timezone?: string
  /** The name of an uploaded avatar; without it, the user has a gravatar. */
  readonly avatarName?: string | undefined
  /** Where the application has the picture. */
  readonly avatarUrl?: string | null
  readonly emailAddressVisibility?: number
  readonly canCreateUsers?: boolean
  readonly canChangeUserEmails?: boolean
  /** JSON of the settings that differ from the product's defaults. */
  readonly settings?: UserSettingsJson
}

/** The values of a new human user's columns that the user's data do not name. */
interface NewUserDefaults {
  readonly settings: UserSettingsJson
  readonly visibility: number
  readonly role: Role
}

/** Those of an organization that is being created. */
const noDefaults: NewUserDefaults = { settings: toJson({}), visibility: 1, role: Role.member }

/** Creates users, and sends events about them. */
@perServer()
export class UserService {
  constructor(
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(ExternalUserRepository) private readonly external: ExternalUserRepository,
    @inject(BotManagerRepository) private readonly managers: BotManagerRepository,
    @inject(ActiveUsers) private readonly activeUsers: ActiveUsers,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserAccess) private readonly access: UserAccess,
    @inject(ApiKeys) private readonly apiKeys: ApiKeys,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
    @injectAll(NewcomerStepToken) private readonly newcomerSteps: readonly NewcomerStep[],
  ) {}

  /** Creates a user in a new transaction, and sends events. */
  async create(organizationId: number, user: NewUser): Promise<UserRow> {
    return this.unitOfWork.run(organizationId, (tx) => this.createWithin(tx, user))
  }

  /**
   * Creates a user, and sends events to all active users.
   *
   * @param joining the invitation that the user has accepted, if any.
   */
  async createWithin(tx: Transaction, user: NewUser, joining?: Joining): Promise<UserRow> {
    const [row] = await this.#createAll(tx, [user], joining)
    return present(row, 'the new user')
  }

  /**
   * Creates users with distinct addresses, and sends events to all active users.
   *
   * @returns their rows, ascending by id.
   */
  async createManyWithin(tx: Transaction, users: readonly NewUser[]): Promise<UserRow[]> {
    return this.#createAll(tx, users)
  }

  async #createAll(
    tx: Transaction,
    users: readonly NewUser[],
    joining?: Joining,
  ): Promise<UserRow[]> {
    if (users.length === 0) return []
    const defaults = await this.#defaultsOf(tx.organizationId)
    const rows: NewUserRow[] = []
    const yielder = new EventLoopYielder()
    for (const user of users) {
      if (yielder.isDue) await yielder.yield()
      rows.push(this.#newRow(user, defaults))
    }
    await this.users.insertMany(tx, rows)
    const emailKeys = rows.map((row) => row.email_key)
    const stored = await this.external.listRowsByEmailKeys(tx, emailKeys)
    await this.activeUsers.change(tx, { active: stored.filter((user) => user.is_active) })
    tx.audit(...stored.map(creationOf))
    await this.#announce(tx, stored)
    for (const step of this.newcomerSteps) await step.welcome(tx, stored, joining)
    await this.#sendExportConsents(tx, stored)
    return stored
  }

  /** Stores a user without events. */
  async insert(tx: Transaction, user: NewUser): Promise<number> {
    const defaults = await this.#defaultsOf(tx.organizationId)
    const row = this.#newRow(user, defaults)
    const id = await this.users.insert(tx, row)
    if (row.is_active) await this.activeUsers.change(tx, { active: [{ ...row, id }] })
    return id
  }

  /** Stores users of an organization that is being created, in a constant number of statements. */
  async insertMany(tx: Transaction, users: readonly NewUser[]): Promise<void> {
    const defaults = noDefaults
    await this.users.insertMany(
      tx,
      users.map((user) => this.#newRow(user, defaults)),
    )
  }

  /** Sends administrators whether a human user allows the export of their private data. */
  async sendExportConsent(tx: Transaction, user: UserRow): Promise<void> {
    await this.#sendExportConsents(tx, [user])
  }

  /** The interned list of all active users. */
  async activeAudience(tx: Transaction): Promise<number> {
    return this.activeUsers.audience(tx)
  }

  /**
   * Sends events about new users to all active users: with the real address to users who may see
   * it, and a placeholder to guests who cannot access the user.
   */
  async #announce(tx: Transaction, rows: readonly UserRow[]): Promise<void> {
    const audienceId = await this.activeAudience(tx)
    const limitedGuests = await this.access.guestsWithoutAccessToNewcomers(tx)
    const seeingByRole = new Map<number, readonly number[]>()
    for (const row of rows) {
      const withoutAccess = row.is_bot ? [] : limitedGuests.filter((id) => id !== row.id)
      const weakest = weakestRoleThatSees(row)
      const isOpen = weakest >= Role.guest
      let withRole = isOpen ? [] : seeingByRole.get(weakest)
      withRole ??= await this.users.listActiveIdsWithRole(tx, weakest, row.id)
      if (!isOpen) seeingByRole.set(weakest, withRole)
      const seeing = isOpen || withRole.includes(row.id) ? withRole : [...withRole, row.id]
      const others = { audienceId, exceptUserIds: [...seeing, ...withoutAccess] }
      if (seeing.length > 0)
        tx.emit(userAdded({ userIds: seeing }, { person: this.#person(row, row) }))
      tx.emit(userAdded(others, { person: this.#person(row, isOpen ? row : undefined) }))
      if (withoutAccess.length > 0) {
        const person = unknownUser(row.id, this.facts)
        tx.emit(userAdded({ userIds: withoutAccess }, { person, isUnknown: true }))
      }
    }
  }

  async #sendExportConsents(tx: Transaction, users: readonly UserRow[]): Promise<void> {
    const humans = users.filter((user) => !user.is_bot)
    if (humans.length === 0) return
    const userIds = await this.managers.listAdministrators(tx)
    for (const user of humans) {
      const consented = parseUserSettings(user.settings).allow_private_data_export
      tx.emit(exportConsentChanged({ userIds }, { user_id: user.id, consented }))
    }
  }

  #person(row: UserRow, viewerRow: UserRow | undefined): UserObject {
    const viewer = viewerRow === undefined ? publicViewer : actorOf(viewerRow)
    const person = userObject(row, viewer, this.facts, { clientGravatar: false })
    return person.is_bot ? person : { ...person, profile_data: {} }
  }

  #newRow(user: NewUser, defaults: NewUserDefaults): NewUserRow {
    return {
      ...(user.id === undefined ? {} : { id: user.id }),
      external_id: user.externalId ?? null,
      email: user.email,
      email_key: foldCase(user.email),
      full_name: user.fullName,
      role: user.role ?? (user.bot === undefined ? defaults.role : Role.member),
      is_active: user.isActive ?? true,
      is_bot: user.bot !== undefined,
      bot_type: user.bot?.type ?? null,
      bot_owner_id: user.bot?.ownerId ?? null,
      joined_at_milliseconds: user.joinedAtMilliseconds ?? this.clock.now(),
      timezone: user.timezone ?? '',
      ...this.#newAvatar(user),
      avatar_version: 1,
      email_address_visibility:
        user.emailAddressVisibility ?? (user.bot === undefined ? defaults.visibility : 1),
      can_create_users: user.canCreateUsers ?? false,
      can_change_user_emails: user.canChangeUserEmails ?? false,
      password_hash: user.passwordHash ?? null,
      ...this.apiKeys.toStored(user.apiKey ?? this.apiKeys.create()),
      settings: user.settings ?? (user.bot === undefined ? defaults.settings : toJson({})),
    }
  }

  #newAvatar({ avatarUrl = null, avatarName }: NewUser) {
    const avatar_name = avatarUrl === null ? (avatarName ?? null) : newAvatarName()
    const avatar_source = avatar_name === null ? ('G' as const) : ('U' as const)
    return { avatar_source, avatar_name, application_avatar_url: avatarUrl }
  }

  async #defaultsOf(organizationId: number): Promise<NewUserDefaults> {
    const row = await this.organizations.find(organizationId)
    if (row === undefined) return noDefaults
    const { default_language } = row.settings
    return {
      settings: toJson({ ...row.userDefaults, default_language }),
      visibility: row.userDefaults.email_address_visibility,
      role: row.newUsers.role,
    }
  }
}

function creationOf({ id, role, is_bot, bot_type, bot_owner_id }: UserRow): AuditEntry {
  return is_bot
    ? {
        action: 'bot.created',
        objectId: id,
        changes: createdValues({ role, bot_type, bot_owner_id }),
      }
    : { action: 'user.created', objectId: id, changes: createdValues({ role }) }
}

/** A viewer without more access than others. */
const publicViewer = anyUserOf(Role.guest)
