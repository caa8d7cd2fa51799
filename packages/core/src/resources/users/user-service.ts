import { inject } from 'tsyringe'

import { Role, type Actor } from '../../domain/actor.js'
import { foldCase } from '../../domain/folding.js'
import type { Clock } from '../../kernel/clock.js'
import { perServer } from '../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../kernel/server-facts.js'
import { ClockToken } from '../../kernel/tokens.js'
import { UnitOfWork, type OrganizationScope, type Transaction } from '../../storage/index.js'
import { ApiKeys } from '../credentials/index.js'
import { OrganizationRepository, OrganizationService } from '../organizations/index.js'
import { NewcomerStepsToken, type NewcomerStep } from './newcomer-steps.js'
import { userAdded, userUpdated } from './user-events.js'
import { UserRepository, type UserRow } from './user-repository.js'
import { actorOf, seesRealEmail, userObject } from './user-view.js'

/** What is known of a user who does not exist yet. */
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
  readonly emailAddressVisibility?: number
  readonly canCreateUsers?: boolean
  readonly canChangeUserEmails?: boolean
  /** JSON of the settings that differ from the product's defaults. */
  readonly settings?: string
}

/** Creates and changes users, and tells the others. */
@perServer()
export class UserService {
  constructor(
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(OrganizationRepository) private readonly organizationRows: OrganizationRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ApiKeys) private readonly apiKeys: ApiKeys,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
    @inject(NewcomerStepsToken) private readonly newcomerSteps: () => readonly NewcomerStep[],
  ) {}

  /** Creates a user in a transaction of its own and tells everyone. */
  async create(organizationId: number, user: NewUser): Promise<UserRow> {
    return this.unitOfWork.run(organizationId, (tx) => this.createWithin(tx, user))
  }

  /** Creates a user and announces them to all active users. */
  async createWithin(tx: Transaction, user: NewUser): Promise<UserRow> {
    const id = await this.insert(tx, user)
    const row = (await this.users.find(tx, id)) as UserRow
    await this.announce(tx, row)
    for (const step of this.newcomerSteps()) await step.welcome(tx, row)
    return row
  }

  /** Stores a user without telling anyone: for loading whole organizations. */
  async insert(tx: Transaction, user: NewUser): Promise<number> {
    const defaults = await this.#defaultSettings(tx.organizationId)
    const id = await this.users.insert(tx, {
      ...(user.id === undefined ? {} : { id: user.id }),
      external_id: user.externalId ?? null,
      email: user.email,
      email_key: foldCase(user.email),
      full_name: user.fullName,
      role: user.role ?? Role.member,
      is_active: user.isActive ?? true,
      is_bot: user.bot !== undefined,
      bot_type: user.bot?.type ?? null,
      bot_owner_id: user.bot?.ownerId ?? null,
      joined_at_milliseconds: user.joinedAtMilliseconds ?? this.clock.now(),
      timezone: user.timezone ?? '',
      avatar_source: 'G',
      avatar_version: 1,
      email_address_visibility:
        user.emailAddressVisibility ?? (user.bot === undefined ? defaults.visibility : 1),
      can_create_users: user.canCreateUsers ?? false,
      can_change_user_emails: user.canChangeUserEmails ?? false,
      password_hash: user.passwordHash ?? null,
      ...this.apiKeys.store(user.apiKey ?? this.apiKeys.create()),
      settings: user.settings ?? (user.bot === undefined ? defaults.settings : '{}'),
    })
    await this.organizationRows.setActiveAudienceId(tx, null)
    return id
  }

  /** Tells all active users of a new one; only some of them learn the real address. */
  async announce(tx: Transaction, row: UserRow): Promise<void> {
    const everyone = await this.users.listActive(tx)
    const knowing = everyone.filter((user) => seesRealEmail(actorOf(user), row))
    const others = everyone.filter((user) => !seesRealEmail(actorOf(user), row))
    for (const [viewers, sees] of [[knowing, true], [others, false]] as const) {
      if (viewers.length === 0) continue
      const person = userObject(row, sees ? actorOf(row) : nobodySpecial, this.facts, {
        clientGravatar: false,
      })
      const humansOnly = person.is_bot ? {} : { profile_data: {} }
      tx.emit(
        userAdded({ userIds: viewers.map(({ id }) => id) }, { person: { ...person, ...humansOnly } }),
      )
    }
  }

  /** The interned list of all active users. */
  async activeAudience(tx: Transaction): Promise<number> {
    const known = await this.organizationRows.activeAudienceId(tx)
    if (known !== null) return known
    const id = await this.unitOfWork.audiences.intern(tx, await this.users.listActiveIds(tx))
    await this.organizationRows.setActiveAudienceId(tx, id)
    return id
  }

  /**
   * The chat user of somebody whom the application's own login vouches for: created when first
   * seen, brought up to date when the application says something else than before.
   */
  async ensureExternal(
    scope: OrganizationScope,
    identity: {
      readonly externalId: string
      readonly email: string
      readonly fullName: string
      readonly role?: Role
    },
  ): Promise<UserRow> {
    const known = await this.users.findByExternalId(scope, identity.externalId)
    if (known === undefined) return this.#createExternal(scope, identity)
    const changes = externalChanges(known, identity)
    if (Object.keys(changes).length === 0) return known
    return this.unitOfWork.run(scope.organizationId, async (tx) => {
      await this.users.update(tx, known.id, changes)
      const audienceId = await this.activeAudience(tx)
      if (changes.full_name !== undefined) {
        tx.emit(
          userUpdated({ audienceId }, { person: { user_id: known.id, full_name: changes.full_name } }),
        )
      }
      if (changes.role !== undefined) {
        tx.emit(userUpdated({ audienceId }, { person: { user_id: known.id, role: changes.role } }))
      }
      tx.emit({ kind: '@user', data: { userId: known.id }, audience: {} })
      return { ...known, ...changes }
    })
  }

  async #createExternal(
    scope: OrganizationScope,
    identity: { externalId: string; email: string; fullName: string; role?: Role },
  ): Promise<UserRow> {
    try {
      return await this.create(scope.organizationId, identity)
    } catch (error) {
      // Two first requests of the same user at once, or an address that another account has.
      if (!scope.dialect.isUniqueViolation(error)) throw error
      const winner = await this.users.findByExternalId(scope, identity.externalId)
      if (winner !== undefined) return winner
      return this.create(scope.organizationId, {
        ...identity,
        // An address proves nothing, so the account that has it stays somebody else's.
        email: `${identity.externalId}@${this.facts.fakeEmailDomain}`,
      })
    }
  }

  async #defaultSettings(
    organizationId: number,
  ): Promise<{ settings: string; visibility: number }> {
    const row = await this.organizations.find(organizationId)
    if (row === undefined) return { settings: '{}', visibility: 1 }
    return {
      settings: JSON.stringify(row.userDefaults),
      visibility: row.userDefaults.email_address_visibility,
    }
  }
}

/** A viewer who learns no more than anybody. */
const nobodySpecial: Pick<Actor, 'userId' | 'role'> = { userId: 0, role: Role.guest }

function externalChanges(
  known: UserRow,
  identity: { email: string; fullName: string; role?: Role },
): Partial<UserRow> {
  return {
    ...(identity.fullName === known.full_name ? {} : { full_name: identity.fullName }),
    ...(identity.role === undefined || identity.role === known.role ? {} : { role: identity.role }),
  }
}
