import type {
  OrganizationChanges,
  OrganizationState,
} from '../../events/log/organization-changes.js'
import type { OrganizationScope } from '../rows/scope.js'
import type { Transaction } from './transaction.js'

/**
 * A frequent write in two steps: the checks and computations that can precede the transaction, and
 * the statements. Writes of the same kind that commit together are written by the same statements.
 */
export interface PreparedWrite<Item, Prepared, Result> {
  /** Changes that affect `prepare`. After one before the commit, the item is prepared again. */
  readonly changes: OrganizationChanges
  /**
   * Checks an item, and writes nothing.
   *
   * @param scope outside a transaction; or the transaction, if the item is prepared in it.
   * @param state outside a transaction, the state of the organization before anything was read.
   */
  prepare(scope: OrganizationScope, item: Item, state?: OrganizationState): Promise<Prepared>
  /**
   * Whether rows from which an item was prepared, and whose changes are not among `changes`, are
   * still the same. Locks them; if they have changed, the item is prepared again.
   */
  isCurrent?(tx: Transaction, prepared: Prepared): Promise<boolean>
  /** Writes prepared items, and returns their results in the same order. */
  write(tx: Transaction, prepared: readonly Prepared[]): Promise<readonly Result[]>
}

/** An item that was prepared before its transaction. */
export interface PreparedItem<Prepared, Result> {
  readonly write: Pick<PreparedWrite<never, Prepared, Result>, 'changes' | 'isCurrent' | 'write'>
  readonly prepared: Prepared
  /** The state of the organization for which it was prepared. */
  readonly state: OrganizationState
  readonly prepareAgain: (tx: Transaction) => Promise<Prepared>
}
