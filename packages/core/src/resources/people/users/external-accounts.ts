import { createHash } from 'node:crypto'

import { LRUCache } from 'lru-cache'
import { inject } from 'tsyringe'

import { foldCase } from '../../../domain/texts/folding.js'
import type { Role } from '../../../domain/users/actor.js'
import { isSystemBotAddress } from '../../../domain/users/system-bots.js'
import type { Logger } from '../../../kernel/logger.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { LoggerToken } from '../../../kernel/tokens.js'
import { UnitOfWork, type OrganizationScope, type Transaction } from '../../../storage/index.js'
import { AccountChanges } from './account-changes.js'
import { newAvatarName } from './avatar-url.js'
import type { ExternalIdentity } from './external-identity.js'
import { UserRepository } from './user-repository.js'
import type { UserRow } from './users-table.js'
import { UserService } from './user-service.js'
import { accountChanged } from './user-changes.js'

const maxKeptOwners = 1000

/** The rules for a login of a user without an account. */
export interface AdmissionRules {
  /** Whether an account is created. */
  readonly creates: boolean
  /** Whether an account with the same email address, but without an external id, is linked. */
  readonly adoptsByEmail: boolean
}

/** The accounts of users that the application's own login authenticates. */
@perServer()
export class ExternalAccounts {
  /** Users whose owner role was kept, so that it is logged only once. */
  readonly #keptOwners = new LRUCache<number, true>({ max: maxKeptOwners })

  constructor(
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(UserService) private readonly service: UserService,
    @inject(AccountChanges) private readonly changes: AccountChanges,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {}

  /**
   * The user of an identity. Creates the account on first use, and updates it when the
   * application's data changes. An email address does not identify an account: if another account
   * has it, the identity gets a stand-in address. The only owner keeps the role.
   */
  async ensure(scope: OrganizationScope, identity: ExternalIdentity): Promise<UserRow> {
    const known = await this.users.findByExternalId(scope, identity.externalId)
    if (known === undefined) return this.#create(scope, identity)
    if (!known.is_active || !(await this.#differs(scope, known, identity))) return known
    return this.unitOfWork.run(scope.organizationId, (tx) => this.update(tx, known.id, identity))
  }

  /**
   * Like {@link ensure}, within the rules.
   *
   * @returns undefined if there is no account and none may be created.
   */
  async admit(
    scope: OrganizationScope,
    identity: ExternalIdentity,
    rules: AdmissionRules,
  ): Promise<UserRow | undefined> {
    const known = await this.users.findByExternalId(scope, identity.externalId)
    if (known === undefined && rules.adoptsByEmail) {
      const adopted = await this.#adopt(scope, identity)
      if (adopted !== undefined) return adopted
    }
    if (known === undefined && !rules.creates) return undefined
    return this.ensure(scope, identity)
  }

  async #adopt(scope: OrganizationScope, identity: ExternalIdentity): Promise<UserRow | undefined> {
    return this.unitOfWork.run(scope.organizationId, async (tx) => {
      const found = await this.users.findByEmailKey(tx, foldCase(identity.email))
      const account = found === undefined ? undefined : await this.users.lock(tx, found.id)
      if (account === undefined || account.is_bot || account.external_id !== null) return undefined
      if (!account.is_active) return account
      await this.users.update(tx, account.id, { external_id: identity.externalId })
      tx.emit(accountChanged({ userId: account.id }))
      return this.update(tx, account.id, identity)
    })
  }

  async #create(scope: OrganizationScope, identity: ExternalIdentity): Promise<UserRow> {
    const isTaken = await this.#isTaken(scope, identity)
    try {
      return await this.service.create(scope.organizationId, {
        ...identity,
        ...(isTaken ? { email: standInForTaken(identity, this.facts) } : {}),
      })
    } catch (error) {
      // A concurrent request created the user, or another account has just got the address.
      if (!scope.dialect.isUniqueViolation(error)) throw error
      const winner = await this.users.findByExternalId(scope, identity.externalId)
      if (winner !== undefined) return winner
      return this.service.create(scope.organizationId, {
        ...identity,
        email: standInForTaken(identity, this.facts),
      })
    }
  }

  /** Gives an account the identity's data, within the rules of {@link ensure}. */
  async update(tx: Transaction, userId: number, identity: ExternalIdentity): Promise<UserRow> {
    return this.updateLocked(tx, await this.users.getLocked(tx, userId), identity)
  }

  /** The same for an account whose row is locked and current. @returns the row afterwards. */
  async updateLocked(
    tx: Transaction,
    known: UserRow,
    identity: ExternalIdentity,
  ): Promise<UserRow> {
    if (!(await this.#differs(tx, known, identity))) return known
    const { fullName, role, email } = identity
    if (fullName !== known.full_name) await this.changes.rename(tx, known, fullName)
    if (role !== undefined && role !== known.role) await this.#changeRole(tx, known, role)
    if (await this.#isNewAddress(tx, known, identity)) {
      await this.changes.changeEmail(tx, known, email)
    }
    if (hasNewAvatar(known, identity)) await this.#changeAvatar(tx, known, identity.avatarUrl)
    return await this.users.get(tx, known.id)
  }

  async #changeAvatar(tx: Transaction, known: UserRow, url: string | null = null): Promise<void> {
    const current = await this.users.get(tx, known.id)
    await this.changes.changeAvatar(tx, current, url === null ? null : newAvatarName(), url)
  }

  async #changeRole(tx: Transaction, known: UserRow, role: Role): Promise<void> {
    if (!(await this.users.isOnlyOwner(tx, known))) {
      await this.changes.changeRole(tx, known, role)
      this.#keptOwners.delete(known.id)
      return
    }
    if (this.#keptOwners.has(known.id)) return
    this.#keptOwners.set(known.id, true)
    this.logger.warn("The application's login would remove the only owner's role; it is kept", {
      organizationId: tx.organizationId,
      userId: known.id,
      role,
    })
  }

  async #differs(
    scope: OrganizationScope,
    known: UserRow,
    identity: ExternalIdentity,
  ): Promise<boolean> {
    const { fullName, role } = identity
    if (fullName !== known.full_name || (role ?? known.role) !== known.role) return true
    if (hasNewAvatar(known, identity)) return true
    return this.#isNewAddress(scope, known, identity)
  }

  /** Whether the account should and can get the identity's email address. */
  async #isNewAddress(
    scope: OrganizationScope,
    known: UserRow,
    identity: ExternalIdentity,
  ): Promise<boolean> {
    return known.email !== identity.email && !(await this.#isTaken(scope, identity))
  }

  async #isTaken(scope: OrganizationScope, identity: ExternalIdentity): Promise<boolean> {
    if (isSystemBotAddress(identity.email, this.facts.systemBotDomain)) return true
    const owner = await this.users.findByEmailKey(scope, foldCase(identity.email))
    return owner !== undefined && owner.external_id !== identity.externalId
  }
}

/** Whether the account should get another picture of the application, or none. */
export function hasNewAvatar(
  { application_avatar_url: current }: Pick<UserRow, 'application_avatar_url'>,
  { avatarUrl = current }: ExternalIdentity,
): boolean {
  return avatarUrl !== current
}

/** The address of an account whose own one belongs to another account. */
export function standInForTaken(
  { externalId }: Pick<ExternalIdentity, 'externalId'>,
  facts: ServerFacts,
): string {
  const hash = createHash('sha256').update(externalId).digest('hex').slice(0, 20)
  return `login-${hash}@${facts.fakeEmailDomain}`
}
