import type { Knex } from 'knex'

import { tick } from '../../events/log/event-log.js'
import type { LogRecord } from '../../events/log/log-entry.js'
import type { Clock } from '../../kernel/clock.js'
import { withoutYielding } from '../../kernel/event-loop-yielder.js'
import type { CommitMessage } from '../../kernel/telemetry/spans.js'
import type { Database } from '../database.js'
import type { OpenTransaction } from '../dialects/dialect.js'
import type { EventLogWriter, ReservedNumbers } from '../log/event-log-writer.js'
import type { CommitOutcomes } from './commit-outcomes.js'
import type { OrganizationWriteLock } from './organization-write-lock.js'
import type { TracedCommits } from './traced-commits.js'
import { Transaction } from './transaction.js'
import { groupsOf, writeTogether, type Outcome, type Unit } from './write-units.js'

/** Publishes committed records. It must not throw: that would be taken for a failed commit. */
export type Publish = (
  records: ReadonlyMap<number, readonly LogRecord[]>,
  committed: readonly Transaction[],
) => void

export interface TransactionParts {
  readonly database: Database
  readonly log: EventLogWriter
  readonly writeLock: OrganizationWriteLock
  readonly clock: Clock
  readonly commits: TracedCommits
  readonly outcomes: CommitOutcomes
  readonly publish: Publish
  /** Whether an event of this kind invalidates something that this process caches. */
  readonly changesMemory: (kind: string) => boolean
  /** Whether items of the organization are prepared again, because the log lags behind. */
  readonly preparesAgain: (organizationId: number) => boolean
}

/** Items that were written together failed, so the transaction must be rolled back. */
export class SharedWriteError extends Error {}

/** A node of the cluster was lost before the commit, so nothing of the transaction is left. */
export class LostNodeError extends Error {
  constructor(readonly reason: unknown) {
    super('A node of the database was lost')
  }
}

/** A unit failed after it had written, so the whole transaction must be rolled back. */
export class PartialWriteError extends Error {
  constructor(
    readonly unit: Unit,
    readonly reason: unknown,
  ) {
    super('A unit failed after it had written')
  }
}

/** One attempt to run units in one transaction. */
export class TransactionAttempt {
  /** Whether the current unit has written. */
  #hasWritten = false
  /** Whether any unit has written. */
  #hasChanges = false

  constructor(
    private readonly parts: TransactionParts,
    private readonly units: readonly Unit[],
    /** Whether each unit is run in a savepoint. */
    private readonly useSavepoints: boolean,
  ) {}

  /** @returns the units that remain for the next transaction. */
  async run(message?: CommitMessage): Promise<readonly Unit[]> {
    const { units, useSavepoints } = this
    const { database } = this.parts
    const open = await this.#begin()
    // Units run one after the other, so every statement belongs to the current one.
    const onQuery = ({ sql }: { sql: string }): void => {
      if (/^\s*(select|savepoint|release)\b/i.test(sql)) return
      this.#hasWritten = true
      this.#hasChanges = true
    }
    const outcomes: Outcome[] = []
    const txs: Transaction[] = []
    const groups = useSavepoints ? units.map((unit) => [unit]) : groupsOf(units)
    let begun = 0
    let records: ReadonlyMap<number, readonly LogRecord[]> | undefined
    const mark = this.parts.outcomes.newMark()
    try {
      const reserved = await this.#undisturbed(units, () =>
        this.#acquireWriteLocks(units, open.executor),
      )
      open.executor.on('query', onQuery)
      for (const group of groups) {
        begun += 1
        const outcome = await this.#runGroup(group, open.executor, useSavepoints, txs)
        outcomes.push(outcome)
        if (outcome.tx === undefined) continue
        txs.push(outcome.tx)
        // Caches are invalidated after the commit: later units would use stale values.
        if (this.#changesMemory(outcome.tx)) break
      }
      if (database.isCluster) this.#addConflict(txs)
      const isEmpty = this.#leavesNothing(outcomes, txs)
      const appended = isEmpty
        ? new Map<number, readonly LogRecord[]>()
        : await this.#undisturbed(units, () =>
            this.parts.log.append(txs, open.executor, database.dialect, mark, reserved),
          )
      if (message !== undefined) message.entries = [...appended.values()].flat().length
      records = appended
      // The numbers that were taken for its events are free again.
      await (isEmpty ? open.rollback() : open.commit())
    } catch (error) {
      await rollBack(open)
      if (!(await this.#isCommitted(error, records, mark))) {
        throw database.isNodeLost(error) ? new LostNodeError(error) : error
      }
    } finally {
      open.executor.off('query', onQuery)
    }
    for (const { unit, error } of outcomes.flatMap(({ failed }) => failed)) unit.reject(error)
    this.parts.publish(records ?? new Map(), txs)
    for (const { unit, result } of outcomes.flatMap(({ finished }) => finished)) {
      unit.resolve(result)
    }
    return groups.slice(begun).flat()
  }

  /**
   * Whether a transaction was committed, although it seems to have failed.
   *
   * @param records undefined before the commit.
   * @throws the same error, if that cannot be known: nothing is repeated then.
   */
  async #isCommitted(
    error: unknown,
    records: ReadonlyMap<number, readonly LogRecord[]> | undefined,
    mark: number | null,
  ): Promise<boolean> {
    const { outcomes } = this.parts
    if (records === undefined || mark === null || !outcomes.isUnknown(error)) return false
    const [entries] = records.values()
    if (entries === undefined) throw error
    try {
      return await outcomes.isCommitted(entries, mark)
    } catch {
      throw error
    }
  }

  async #begin(): Promise<OpenTransaction> {
    try {
      return await this.parts.database.begin(this.units[0]?.organizationId)
    } catch (error) {
      const { isCluster, dialect } = this.parts.database
      // In a cluster, BEGIN waits for the commits of other nodes, which may fail as well.
      throw isCluster && dialect.isUnavailable(error) ? new LostNodeError(error) : error
    }
  }

  /**
   * In a cluster the write lock excludes other transactions of the same node only; those of other
   * nodes conflict if both change the same row. An entry of the log changes that of the
   * organization, so a transaction without one gets an entry without recipients.
   */
  #addConflict(txs: readonly Transaction[]): void {
    const [tx] = txs
    if (tx === undefined || tx.organizationId === 0 || !this.#hasChanges) return
    if (this.units.every(({ skipsWriteLock }) => skipsWriteLock)) return
    if (txs.some(({ events }) => events.length > 0)) return
    tx.emit(tick({}))
  }

  /**
   * Runs a part of a transaction. With a synchronous driver it does not yield to the event loop:
   * other writes of this process would block it while they wait for this transaction.
   */
  #undisturbed<Result>(units: readonly Unit[], work: () => Promise<Result>): Promise<Result> {
    const mayYield =
      !this.parts.database.isSynchronous || units.some((unit) => unit.yieldsToEventLoop)
    return mayYield ? work() : withoutYielding(work)
  }

  #changesMemory(tx: Transaction): boolean {
    const kinds = new Set(tx.events.map(({ kind }) => kind))
    return [...kinds].some((kind) => this.parts.changesMemory(kind))
  }

  /**
   * Whether nothing is to be committed. After the failure of one of several units, the commit tells
   * whether the others could run at all.
   */
  #leavesNothing(outcomes: readonly Outcome[], txs: readonly Transaction[]): boolean {
    if (this.#hasChanges) return false
    if (this.units.length > 1 && outcomes.some(({ failed }) => failed.length > 0)) return false
    return txs.every(({ events, isAudited }) => events.length === 0 && !isAudited)
  }

  /** @returns the numbers that were taken for the events: most units have one. */
  async #acquireWriteLocks(
    units: readonly Unit[],
    executor: Knex,
  ): Promise<Map<number, ReservedNumbers>> {
    const { dialect, tablePrefix } = this.parts.database
    const counts = new Map<number, number>()
    for (const { organizationId, skipsWriteLock } of units) {
      if (!skipsWriteLock) counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1)
    }
    const reserved = new Map<number, ReservedNumbers>()
    for (const [id, count] of counts) {
      const tx = new Transaction(id, executor, dialect, tablePrefix)
      const numbers = await this.parts.writeLock.acquireWithNumbers(tx, count)
      if (numbers !== undefined) reserved.set(id, numbers)
    }
    return reserved
  }

  /**
   * Runs a unit, or items that are written together.
   *
   * @param earlier the work of other units in the same transaction.
   */
  async #runGroup(
    group: readonly Unit[],
    executor: Knex,
    useSavepoint: boolean,
    earlier: readonly Transaction[],
  ): Promise<Outcome> {
    const [unit] = group
    if (unit === undefined) return { finished: [], failed: [] }
    const { database } = this.parts
    const { dialect, tablePrefix } = database
    const tx = new Transaction(unit.organizationId, executor, dialect, tablePrefix)
    tx.isLocked = !unit.skipsWriteLock
    if (useSavepoint) await executor.raw('SAVEPOINT unit')
    this.#hasWritten = false
    try {
      const run = async (): Promise<Outcome> => {
        if ('write' in unit.work) return writeTogether(tx, group, earlier, this.parts.preparesAgain)
        return { tx, finished: [{ unit, result: await unit.work(tx) }], failed: [] }
      }
      const outcome = await this.#undisturbed(group, run)
      if (useSavepoint) await executor.raw('RELEASE SAVEPOINT unit')
      return outcome
    } catch (error) {
      // The database has rolled back everything already, including the other units' work.
      if (dialect.isRetryable(error) || database.isNodeLost(error)) throw error
      if (useSavepoint) {
        await executor.raw('ROLLBACK TO SAVEPOINT unit')
        await executor.raw('RELEASE SAVEPOINT unit')
      } else if (group.length > 1) {
        throw new SharedWriteError()
      } else if (this.#hasWritten) {
        throw new PartialWriteError(unit, error)
      }
      return { finished: [], failed: [{ unit, error }] }
    }
  }
}

async function rollBack(open: OpenTransaction): Promise<void> {
  try {
    await open.rollback()
  } catch {
    // The database has already rolled back after errors that end a transaction by themselves.
  }
}
