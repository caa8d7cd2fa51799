import { inject } from 'tsyringe'

import { foldCase } from '../../../domain/folding.js'
import { isSystemBotAddress } from '../../../domain/system-bots.js'
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
import { ExternalAccounts, standInForTaken } from './external-accounts.js'
import { ExternalReferences } from './external-references.js'
import { ExternalUserRepository, type ExternalUser } from './external-user-repository.js'
import { UserRepository } from './user-repository.js'
import type { UserRow } from './user-rows.js'
import { UserService } from './user-service.js'
import {
  checkUsers,
  type SyncEntry,
  type SyncedUser,
  type SyncOptions,
  type SyncProblem,
  type SyncResult,
} from './user-sync-input.js'

/** Users per transaction: other writes wait for it, and a synchronous driver blocks meanwhile. */
const newUsersPerCommit = 250
const changedUsersPerCommit = 50

const takenAddress = 'Another account has the address'
const onlyOwner = 'The only owner of the organization stays one'

type Outcome = 'created' | 'updated' | 'unchanged' | 'deactivated'

interface Outcomes {
  readonly counts: Readonly<Record<Outcome, number>>
  readonly problems: readonly SyncProblem[]
}

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
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  async sync(users: readonly SyncedUser[], options: SyncOptions = {}): Promise<SyncResult> {
    const { externalIds, problems, ...checked } = checkUsers(users, options)
    const organizationId = await this.references.organizationId(options)
    const isActiveByDefault = options.deactivateMissing === true ? true : undefined
    const entries = checked.entries.map(({ identity, isActive = isActiveByDefault }) => ({
      identity,
      isActive,
    }))

    const scope = this.database.read(organizationId)
    const outcomes: Outcomes[] = []
    const added: SyncEntry[] = []
    const changed: SyncEntry[] = []
    const yielder = new EventLoopYielder()
    for (const chunk of chunksOf(entries)) {
      const known = await this.#known(scope, chunk)
      const tally = new Tally()
      for (const entry of chunk) {
        if (yielder.isDue) await yielder.yield()
        const account = known.byExternalId.get(entry.identity.externalId)
        if (account === undefined && entry.isActive !== false) added.push(entry)
        else if (account !== undefined && this.#differs(known, account, entry)) changed.push(entry)
        else this.#noteUnchanged(tally, known, account, entry)
      }
      outcomes.push(tally)
    }
    // Changes first: they may free addresses that new users have.
    for (const chunk of chunksOf(changed, changedUsersPerCommit)) {
      const work = (tx: Transaction) => this.#change(tx, chunk)
      outcomes.push(await this.unitOfWork.run(organizationId, work))
    }
    for (const chunk of chunksOf(added, newUsersPerCommit)) {
      const work = (tx: Transaction) => this.#create(tx, chunk)
      outcomes.push(await this.unitOfWork.run(organizationId, work))
    }
    if (options.deactivateMissing === true) {
      outcomes.push(...(await this.#deactivateMissing(scope, externalIds)))
    }
    return total(outcomes, problems)
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
    return email !== account.email && !this.#isTaken(known.ownerByEmailKey, identity)
  }

  #noteUnchanged(
    tally: Tally,
    known: KnownAccounts,
    account: ExternalUser | undefined,
    { identity }: SyncEntry,
  ): void {
    tally.count('unchanged')
    if (account === undefined || !account.is_active || account.email === identity.email) return
    if (this.#isTaken(known.ownerByEmailKey, identity)) tally.note(identity, takenAddress)
  }

  /** Changes accounts, which are read again, because requests may have changed them meanwhile. */
  async #change(tx: Transaction, entries: readonly SyncEntry[]): Promise<Outcomes> {
    const tally = new Tally()
    for (const entry of entries) {
      const found = await this.users.findByExternalId(tx, entry.identity.externalId)
      if (found === undefined) continue
      const account = await this.users.getLocked(tx, found.id)
      if (entry.isActive === false) await this.#deactivate(tx, account, tally)
      else await this.#update(tx, account, entry, tally)
    }
    return tally
  }

  async #update(
    tx: Transaction,
    account: UserRow,
    { identity, isActive }: SyncEntry,
    tally: Tally,
  ): Promise<void> {
    const reactivates = !account.is_active && isActive === true
    if (reactivates) await this.changes.reactivate(tx, account)
    if (!account.is_active && !reactivates) {
      tally.count('unchanged')
      return
    }
    const updated = await this.accounts.update(tx, account.id, identity)
    const isSame =
      updated.full_name === account.full_name &&
      updated.role === account.role &&
      updated.email === account.email
    tally.count(isSame && !reactivates ? 'unchanged' : 'updated')
    if (identity.role !== undefined && updated.role !== identity.role)
      tally.note(identity, onlyOwner)
    if (updated.email !== identity.email) tally.note(identity, takenAddress)
  }

  /** Creates the accounts that no request has created meanwhile. */
  async #create(tx: Transaction, entries: readonly SyncEntry[]): Promise<Outcomes> {
    const tally = new Tally()
    const known = await this.#known(tx, entries)
    const owners = new Map(known.ownerByEmailKey)
    const missing = entries.filter(({ identity }) => !known.byExternalId.has(identity.externalId))
    const created = missing.map(({ identity }) => {
      const isTaken = this.#isTaken(owners, identity)
      if (isTaken) tally.note(identity, takenAddress)
      owners.set(foldCase(identity.email), identity.externalId)
      return isTaken ? { ...identity, email: standInForTaken(identity, this.facts) } : identity
    })
    await this.service.createManyWithin(tx, created)
    tally.count('created', created.length)
    tally.count('unchanged', entries.length - created.length)
    return tally
  }

  async #deactivateMissing(
    scope: OrganizationScope,
    listed: ReadonlySet<string>,
  ): Promise<Outcomes[]> {
    const active = await this.external.listActiveIds(scope)
    const missing = active.filter((user) => !listed.has(user.external_id))
    const outcomes: Outcomes[] = []
    for (const chunk of chunksOf(missing, changedUsersPerCommit)) {
      const work = async (tx: Transaction): Promise<Outcomes> => {
        const tally = new Tally()
        for (const { id } of chunk) {
          await this.#deactivate(tx, await this.users.getLocked(tx, id), tally)
        }
        return tally
      }
      outcomes.push(await this.unitOfWork.run(scope.organizationId, work))
    }
    return outcomes
  }

  async #deactivate(tx: Transaction, account: UserRow, tally: Tally): Promise<void> {
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

/** Counts what was done in one transaction, which may be repeated. */
class Tally implements Outcomes {
  readonly counts = { created: 0, updated: 0, unchanged: 0, deactivated: 0 }
  readonly problems: SyncProblem[] = []

  count(outcome: Outcome, users = 1): void {
    this.counts[outcome] += users
  }

  note({ externalId }: { readonly externalId: string }, message: string): void {
    this.problems.push({ externalId, message })
  }
}

function total(outcomes: readonly Outcomes[], problems: readonly SyncProblem[]): SyncResult {
  const sum = (outcome: Outcome): number =>
    outcomes.reduce((users, { counts }) => users + counts[outcome], 0)
  return {
    created: sum('created'),
    updated: sum('updated'),
    unchanged: sum('unchanged'),
    deactivated: sum('deactivated'),
    problems: [...problems, ...outcomes.flatMap((one) => one.problems)],
  }
}
