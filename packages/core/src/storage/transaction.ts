import type { PendingEvent } from '../events/event.js'
import { OrganizationScope } from './scope.js'

/** One write: its statements, and the events that are sent after its commit. */
export class Transaction extends OrganizationScope {
  readonly #events: PendingEvent[] = []
  readonly #afterCommit: (() => void)[] = []
  readonly #made: Transaction[] = []

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
  }

  /** Calls `callback` once the transaction has committed; an exception of it is logged. */
  afterCommit(callback: () => void): void {
    this.#afterCommit.push(callback)
  }

  get events(): readonly PendingEvent[] {
    return this.#events
  }

  /** For the unit of work: the callbacks to run after the commit. */
  get afterCommitCallbacks(): readonly (() => void)[] {
    return [...this.#afterCommit, ...this.#made.flatMap((tx) => tx.afterCommitCallbacks)]
  }
}
