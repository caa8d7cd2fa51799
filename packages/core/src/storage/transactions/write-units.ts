import type { PreparedItem } from './prepared-write.js'
import type { WriteOrigin } from './traced-commits.js'
import type { Transaction } from './transaction.js'

export type Work<Result> = (tx: Transaction) => Promise<Result>

export interface Unit {
  readonly organizationId: number
  /** Its statements; or an item that is written together with others. */
  readonly work: Work<unknown> | PreparedItem<unknown, unknown>
  /** Whether other processes may write in the organization at the same time. */
  readonly skipsWriteLock: boolean
  /**
   * Whether the event loop keeps running during the transaction, even with a synchronous driver.
   */
  readonly yieldsToEventLoop: boolean
  /** Undefined if nothing is reported. */
  readonly origin: WriteOrigin | undefined
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

interface FailedUnit {
  readonly unit: Unit
  readonly error: unknown
}

/** The results and errors of units in an open transaction. */
export interface Outcome {
  /** Undefined if all of them failed. */
  readonly tx?: Transaction
  readonly finished: readonly { readonly unit: Unit; readonly result: unknown }[]
  readonly failed: readonly FailedUnit[]
}

export type UnitOptions = Pick<Unit, 'skipsWriteLock' | 'yieldsToEventLoop'>

/** Writes items of the same kind, those of which that may be written now. */
export async function writeTogether(
  tx: Transaction,
  units: readonly Unit[],
  earlier: readonly Transaction[],
  preparesAgain: (organizationId: number) => boolean,
): Promise<Outcome> {
  const ready: Unit[] = []
  const prepared: unknown[] = []
  const failed: FailedUnit[] = []
  let write: PreparedItem<unknown, unknown>['write'] | undefined
  for (const unit of units) {
    if (!('write' in unit.work)) continue
    write = unit.work.write
    try {
      prepared.push(
        !preparesAgain(tx.organizationId) && (await isCurrent(unit.work, tx, earlier))
          ? unit.work.prepared
          : await unit.work.prepareAgain(tx),
      )
      ready.push(unit)
    } catch (error) {
      // Preparing writes nothing, so the others are not concerned.
      if (tx.dialect.isRetryable(error)) throw error
      failed.push({ unit, error })
    }
  }
  if (write === undefined || ready.length === 0) return { finished: [], failed }
  const results = await write.write(tx, prepared)
  return { tx, finished: ready.map((unit, index) => ({ unit, result: results[index] })), failed }
}

/** Whether nothing has changed since the item was prepared that it was checked against. */
async function isCurrent(
  { write, prepared, state }: PreparedItem<unknown, unknown>,
  tx: Transaction,
  earlier: readonly Transaction[],
): Promise<boolean> {
  const { changes } = write
  if (changes.current(tx.organizationId) !== state) return false
  const isAffected = earlier.some(
    ({ organizationId, events }) =>
      organizationId === tx.organizationId && events.some(({ kind }) => changes.isAffectedBy(kind)),
  )
  return !isAffected && ((await write.isCurrent?.(tx, prepared)) ?? true)
}

/** Items of the same kind and organization are written together, in place of the first of them. */
export function groupsOf(units: readonly Unit[]): readonly (readonly Unit[])[] {
  const groups: Unit[][] = []
  const groupsOfItems = new Map<object, Map<number, Unit[]>>()
  for (const unit of units) {
    if (!('write' in unit.work)) {
      groups.push([unit])
      continue
    }
    const { write } = unit.work
    const ofWrite = groupsOfItems.get(write) ?? new Map<number, Unit[]>()
    groupsOfItems.set(write, ofWrite)
    const group = ofWrite.get(unit.organizationId)
    if (group !== undefined) {
      group.push(unit)
      continue
    }
    const first = [unit]
    ofWrite.set(unit.organizationId, first)
    groups.push(first)
  }
  return groups
}
