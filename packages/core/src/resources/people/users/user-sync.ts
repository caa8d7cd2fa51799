import { inject } from 'tsyringe'

import { foldCase } from '../../../domain/texts/folding.js'
import { isSystemBotAddress } from '../../../domain/users/system-bots.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { chunksOf } from '../../../resource-definition/chunks.js'
import {
  Database,
  UnitOfWork,
  type OrganizationScope,
  type Transaction,
} from '../../../storage/index.js'
import { AccountChanges } from './account-changes.js'
import { ExternalAccounts, hasNewAvatar, standInForTaken } from './external-accounts.js'
import { ExternalReferences } from './external-references.js'
import { ExternalUserRepository, type ExternalUser } from './external-user-repository.js'
import { SyncParts, type StartedSyncPart, type SyncedAccount } from './sync-parts.js'
import { SyncTally, totalOf, type SyncOutcomes } from './sync-tally.js'
import { UserRepository } from './user-repository.js'
import type { UserRow } from './users-table.js'
import { UserService } from './user-service.js'
import {
  checkUsers,
  type SyncEntry,
  type SyncedUser,
  type SyncOptions,
  type SyncResult,
} from './user-sync-input.js'

/** Users per transaction: other writes wait for it, and a synchronous driver blocks meanwhile. */
const newUsersPerCommit = 250
const changedUsersPerCommit = 50

const takenAddress = 'Another account has the address'
const onlyOwner = 'The only owner of the organization stays one'

/** The stored accounts of some users of the list. */
interface KnownAccounts {
  readonly byExternalId: ReadonlyMap<string, ExternalUser>
  /** External ids of the owners of their addresses, by case-folded address; null for others. */
  readonly ownerByEmailKey: ReadonlyMap<string, string | null>
}

/** Brings the accounts of the application's users up to date with its own list of users. */
@perServer()
export class UserSync {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ExternalReferences) private readonly references: ExternalReferences,
    @inject(ExternalUserRepository) private readonly external: ExternalUserRepository,
    @inject(ExternalAccounts) private readonly accounts: ExternalAccounts,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(UserService) private readonly service: UserService,
    @inject(AccountChanges) private readonly changes: AccountChanges,
    @inject(SyncParts) private readonly parts: SyncParts,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  async sync(users: readonly SyncedUser[], options: SyncOptions = {}): Promise<SyncResult> {
    const { externalIds, problems, ...checked } = await checkUsers(users, options)
    const organizationId = await this.references.organizationId(options)
    const isActiveByDefault = options.deactivateMissing === true ? true : undefined
    const entries = checked.entries.map(({ isActive = isActiveByDefault, ...entry }) => ({
      ...entry,
      isActive,
    }))
    const parts = await this.parts.start(organizationId, entries, options)

    const scope = this.database.read(organizationId)
    const outcomes: SyncOutcomes[] = []
    const added: SyncEntry[] = []
    const changed: SyncEntry[] = []
    const yielder = new EventLoopYielder()
    for (const chunk of chunksOf(entries)) {
      const known = await this.#known(scope, chunk)
      const tally = new SyncTally()
      const same: SyncedAccount[] = []
      for (const entry of chunk) {
        if (yielder.isDue) await yielder.yield()
        const account = known.byExternalId.get(entry.identity.externalId)
        if (account === undefined && entry.isActive !== false) added.push(entry)
        else if (account !== undefined && this.#differs(known, account, entry)) changed.push(entry)
        else if (account?.is_active === true) same.push({ id: account.id, entry })
        else tally.count('unchanged')
      }
      const { changedIds, problems: partProblems } = await parts.compare(scope, same)
      const differing = new Set<string>()
      for (const { id, entry } of same) {
        if (changedIds.has(id)) {
          changed.push(entry)
          differing.add(entry.identity.externalId)
        } else this.#noteUnchanged(tally, known, entry)
      }
      // Those of changed accounts are found again with the change.
      tally.problems.push(...partProblems.filter(({ externalId }) => !differing.has(externalId)))
      outcomes.push(tally)
    }
    // Changes first: they may free addresses that new users have.
    for (const chunk of chunksOf(changed, changedUsersPerCommit)) {
      const work = (tx: Transaction) => this.#change(tx, chunk, parts)
      outcomes.push(await this.unitOfWork.run(organizationId, work))
    }
    for (const chunk of chunksOf(added, newUsersPerCommit)) {
      const work = (tx: Transaction) => this.#create(tx, chunk, parts)
      outcomes.push(await this.unitOfWork.run(organizationId, work))
    }
    if (options.deactivateMissing === true) {
      outcomes.push(...(await this.#deactivateMissing(scope, externalIds)))
    }
    return totalOf(outcomes, problems)
  }

  async #known(scope: OrganizationScope, entries: readonly SyncEntry[]): Promise<KnownAccounts> {
    const ids = entries.map(({ identity }) => identity.externalId)
    const rows = await this.external.listByExternalIds(scope, ids)
    const byExternalId = new Map(rows.map((row) => [row.external_id, row]))
    const newAddresses = entries
      .filter(({ identity }) => byExternalId.get(identity.externalId)?.email !== identity.email)
      .map(({ identity }) => foldCase(identity.email))
    const owners = await this.external.listByEmailKeys(scope, newAddresses)
    return {
      byExternalId,
      ownerByEmailKey: new Map(owners.map((row) => [row.email_key, row.external_id])),
    }
  }

  #differs(
    known: KnownAccounts,
    account: ExternalUser,
    { identity, isActive }: SyncEntry,
  ): boolean {
    if ((isActive ?? account.is_active) !== account.is_active) return true
    // As at a login, the data of a deactivated account waits until it is active again.
    if (!account.is_active) return false
    const { fullName, role = account.role, email } = identity
    if (fullName !== account.full_name || role !== account.role) return true
    if (hasNewAvatar(account, identity)) return true
    return email !== account.email && !this.#isTaken(known.ownerByEmailKey, identity)
  }

  #noteUnchanged(tally: SyncTally, known: KnownAccounts, { identity }: SyncEntry): void {
    tally.count('unchanged')
    if (known.byExternalId.get(identity.externalId)?.email === identity.email) return
    if (this.#isTaken(known.ownerByEmailKey, identity)) tally.note(identity, takenAddress)
  }

  /** Changes accounts, which are read again, because requests may have changed them meanwhile. */
  async #change(
    tx: Transaction,
    entries: readonly SyncEntry[],
    parts: StartedSyncPart,
  ): Promise<SyncOutcomes> {
    const tally = new SyncTally()
    const active: SyncedAccount[] = []
    const updatedIds = new Set<number>()
    const ids = entries.map(({ identity }) => identity.externalId)
    const rows = await this.external.lockByExternalIds(tx, ids)
    const accounts = new Map(rows.map((row) => [row.external_id, row]))
    for (const entry of entries) {
      const account = accounts.get(entry.identity.externalId)
      if (account === undefined) continue
      if (entry.isActive === false) await this.#deactivate(tx, account, tally)
      else if (!account.is_active && entry.isActive !== true) tally.count('unchanged')
      else {
        active.push({ id: account.id, entry })
        if (await this.#update(tx, account, entry, tally)) updatedIds.add(account.id)
      }
    }
    const { changedIds, problems } = await parts.apply(tx, active)
    tally.problems.push(...problems)
    for (const { id } of active) {
      tally.count(updatedIds.has(id) || changedIds.has(id) ? 'updated' : 'unchanged')
    }
    return tally
  }

  /** @returns whether the account has changed. */
  async #update(
    tx: Transaction,
    account: UserRow,
    { identity }: SyncEntry,
    tally: SyncTally,
  ): Promise<boolean> {
    if (!account.is_active) await this.changes.reactivate(tx, account)
    const active = { ...account, is_active: true }
    const updated = await this.accounts.updateLocked(tx, active, identity)
    const isSame =
      updated.full_name === account.full_name &&
      updated.role === account.role &&
      updated.avatar_version === account.avatar_version &&
      updated.email === account.email
    if (identity.role !== undefined && updated.role !== identity.role)
      tally.note(identity, onlyOwner)
    if (updated.email !== identity.email) tally.note(identity, takenAddress)
    return !isSame || !account.is_active
  }

  /** Creates the accounts that no request has created meanwhile. */
  async #create(
    tx: Transaction,
    entries: readonly SyncEntry[],
    parts: StartedSyncPart,
  ): Promise<SyncOutcomes> {
    const tally = new SyncTally()
    const known = await this.#known(tx, entries)
    const owners = new Map(known.ownerByEmailKey)
    const missing = entries.filter(({ identity }) => !known.byExternalId.has(identity.externalId))
    const created = missing.map(({ identity }) => {
      const isTaken = this.#isTaken(owners, identity)
      if (isTaken) tally.note(identity, takenAddress)
      owners.set(foldCase(identity.email), identity.externalId)
      return isTaken ? { ...identity, email: standInForTaken(identity, this.facts) } : identity
    })
    const rows = await this.service.createManyWithin(tx, created)
    const ids = new Map(rows.map((row) => [row.external_id, row.id]))
    const accounts = missing.flatMap((entry): SyncedAccount[] => {
      const id = ids.get(entry.identity.externalId)
      return id === undefined ? [] : [{ id, entry }]
    })
    tally.problems.push(...(await parts.apply(tx, accounts)).problems)
    tally.count('created', created.length)
    tally.count('unchanged', entries.length - created.length)
    return tally
  }

  async #deactivateMissing(
    scope: OrganizationScope,
    listed: ReadonlySet<string>,
  ): Promise<SyncOutcomes[]> {
    const active = await this.external.listActiveIds(scope)
    const missing = active.filter((user) => !listed.has(user.external_id))
    const outcomes: SyncOutcomes[] = []
    for (const chunk of chunksOf(missing, changedUsersPerCommit)) {
      const work = async (tx: Transaction): Promise<SyncOutcomes> => {
        const tally = new SyncTally()
        for (const { id } of chunk) {
          await this.#deactivate(tx, await this.users.getLocked(tx, id), tally)
        }
        return tally
      }
      outcomes.push(await this.unitOfWork.run(scope.organizationId, work))
    }
    return outcomes
  }

  async #deactivate(tx: Transaction, account: UserRow, tally: SyncTally): Promise<void> {
    if (await this.users.isOnlyOwner(tx, account)) {
      tally.count('unchanged')
      tally.note({ externalId: account.external_id ?? '' }, onlyOwner)
    } else if (account.is_active) {
      await this.changes.deactivate(tx, account)
      tally.count('deactivated')
    }
  }

  #isTaken(
    ownerByEmailKey: ReadonlyMap<string, string | null>,
    { email, externalId }: SyncEntry['identity'],
  ): boolean {
    if (isSystemBotAddress(email, this.facts.systemBotDomain)) return true
    const owner = ownerByEmailKey.get(foldCase(email))
    return owner !== undefined && owner !== externalId
  }
}
