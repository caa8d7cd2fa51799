import type { AuditEntry } from '../../domain/organizations/audit-actions.js'
import type { Actor } from '../../domain/users/actor.js'
import type { PendingEvent } from '../../events/event.js'
import { OrganizationScope } from '../rows/scope.js'

/** One write: its statements, and the events that are sent after its commit. */
export class Transaction extends OrganizationScope {
  readonly #events: PendingEvent[] = []
  readonly #kinds = new Set<string>()
  readonly #audited: AuditEntry[] = []
  readonly #afterCommit: (() => void)[] = []
  readonly #made: Transaction[] = []
  #caller: Actor | undefined
  /** Whether it has locked the organization, and this process has read the log until then. */
  isLocked = false

  /** The same transaction for the rows of an organization that it has just created. */
  ofNewOrganization(organizationId: number): Transaction {
    const { executor, dialect, tablePrefix } = this
    const tx = new Transaction(organizationId, executor, dialect, tablePrefix)
    this.#made.push(tx)
    return tx
  }

  /** Emits an event. It is in the log if and only if the transaction commits. */
  emit(event: PendingEvent): void {
    this.#events.push(event)
    this.#kinds.add(event.kind)
  }

  /** The actor of the call; undefined for the application, and for background work. */
  get caller(): Actor | undefined {
    return this.#caller
  }

  set caller(caller: Actor | undefined) {
    this.#caller = caller
  }

  /**
   * Adds rows to the audit trail, which are stored if and only if the transaction commits: all rows
   * of a commit with one statement, or one for each 5,000.
   */
  audit(...entries: readonly AuditEntry[]): void {
    this.#audited.push(...entries)
  }

  /** Calls `callback` once the transaction has committed; an exception of it is logged. */
  afterCommit(callback: () => void): void {
    this.#afterCommit.push(callback)
  }

  get events(): readonly PendingEvent[] {
    return this.#events
  }

  override get kindsOfLockedWrite(): ReadonlySet<string> | undefined {
    return this.isLocked ? this.#kinds : undefined
  }

  /** Whether it adds rows to the audit trail. */
  get isAudited(): boolean {
    return this.#audited.length > 0 || this.#made.some((tx) => tx.isAudited)
  }

  /** For the writer of the audit trail. */
  get audited(): readonly { readonly tx: Transaction; readonly entry: AuditEntry }[] {
    const own = this.#audited.map((entry) => ({ tx: this, entry }))
    return [...own, ...this.#made.flatMap((tx) => tx.audited)]
  }

  /** For the unit of work: the callbacks to run after the commit. */
  get afterCommitCallbacks(): readonly (() => void)[] {
    return [...this.#afterCommit, ...this.#made.flatMap((tx) => tx.afterCommitCallbacks)]
  }
}
