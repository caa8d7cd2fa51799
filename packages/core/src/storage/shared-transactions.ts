import type { Knex } from 'knex'

import type { LogRecord } from '../events/log-entry.js'
import type { Clock } from '../kernel/clock.js'
import { withoutYielding } from '../kernel/event-loop-yielder.js'
import type { Database } from './database.js'
import type { OpenTransaction } from './dialect.js'
import type { EventLogWriter } from './event-log-writer.js'
import type { PreparedItem } from './prepared-write.js'
import { Retries } from './retries.js'
import type { CommitMessage } from '../kernel/telemetry/spans.js'
import type { TracedCommits } from './traced-commits.js'
import {
  groupsOf,
  writeTogether,
  type Outcome,
  type Unit,
  type UnitOptions,
  type Work,
} from './write-units.js'
import { Transaction } from './transaction.js'
import type { OrganizationWriteLock } from './organization-write-lock.js'

const maxUnitsPerCommit = 200
/** With a synchronous driver, a transaction blocks the event loop. */
const maxSynchronousUnits = 5

/** Publishes committed records. It must not throw: that would be taken for a failed commit. */
export type Publish = (
  records: ReadonlyMap<number, readonly LogRecord[]>,
  committed: readonly Transaction[],
) => void

export interface SharedTransactionParts {
  readonly database: Database
  readonly log: EventLogWriter
  readonly writeLock: OrganizationWriteLock
  readonly clock: Clock
  readonly commits: TracedCommits
  readonly publish: Publish
  /** Whether an event of this kind invalidates something that this process caches. */
  readonly changesMemory: (kind: string) => boolean
  /** Whether items of the organization are prepared again, because the log lags behind. */
  readonly preparesAgain: (organizationId: number) => boolean
}

/** Items that were written together failed, so the transaction must be rolled back. */
class SharedWriteError extends Error {}

/** A unit failed after it had written, so the whole transaction must be rolled back. */
class PartialWriteError extends Error {
  constructor(
    readonly unit: Unit,
    readonly reason: unknown,
  ) {
    super('A unit failed after it had written')
  }
}

/**
 * Group commit: units that arrive while a transaction commits share the next one. A database with
 * one writer has one such queue; if several transactions can write at a time, each organization has
 * its own, because its units are serialized anyway; see {@link OrganizationWriteLock}.
 */
export class SharedTransactions {
  readonly #queues = new Map<number, UnitQueue>()

  constructor(private readonly parts: SharedTransactionParts) {}

  run<Result>(organizationId: number, work: Work<Result>, options: UnitOptions): Promise<Result> {
    return this.#queue(organizationId).run(organizationId, work, options)
  }

  /** Writes a prepared item, together with those that arrive at the same time. */
  runPrepared<Prepared, Result>(
    organizationId: number,
    item: PreparedItem<Prepared, Result>,
  ): Promise<Result> {
    return this.#queue(organizationId).run<Result, Prepared>(organizationId, item, {
      skipsWriteLock: false,
      yieldsToEventLoop: false,
    })
  }

  #queue(organizationId: number): UnitQueue {
    const key = this.parts.database.dialect.hasSingleWriter ? 0 : organizationId
    let queue = this.#queues.get(key)
    if (queue === undefined) {
      queue = new UnitQueue(this.parts, () => this.#queues.delete(key))
      this.#queues.set(key, queue)
    }
    return queue
  }
}

/**
 * Runs units one after the other, several in one transaction. A unit's failure never affects
 * another unit: a unit that fails before its first write has no effect, and after a later failure
 * the others are run again, each in a savepoint of its own.
 */
class UnitQueue {
  readonly #waiting: Unit[] = []
  #isDraining = false
  #hasWritten = false

  constructor(
    private readonly parts: SharedTransactionParts,
    private readonly onEmpty: () => void,
  ) {}

  run<Result, Prepared = never>(
    organizationId: number,
    work: Work<Result> | PreparedItem<Prepared, Result>,
    options: UnitOptions,
  ): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({
        organizationId,
        // The item is only ever given to its own `write`.
        work: work as Unit['work'],
        ...options,
        origin: this.parts.commits.origin(),
        resolve: resolve as (result: unknown) => void,
        reject,
      })
      if (!this.#isDraining) void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    this.#isDraining = true
    // Wait for one microtask, so that writes that arrived together commit together.
    await Promise.resolve()
    const maxUnits = this.parts.database.isSynchronous ? maxSynchronousUnits : maxUnitsPerCommit
    while (this.#waiting.length > 0) {
      await this.#commitTogether(this.#waiting.splice(0, maxUnits))
    }
    this.#isDraining = false
    this.onEmpty()
  }

  async #commitTogether(all: readonly Unit[]): Promise<void> {
    let remaining = all
    let useSavepoints = false
    const retries = new Retries(this.parts.clock)
    while (remaining.length > 0) {
      try {
        const [units, isAlone] = [remaining, useSavepoints]
        remaining = await this.parts.commits.run(units, (message) =>
          this.#attempt(units, isAlone, message),
        )
      } catch (error) {
        if (error instanceof PartialWriteError) {
          error.unit.reject(error.reason)
          remaining = remaining.filter((unit) => unit !== error.unit)
          useSavepoints = true
        } else if (error instanceof SharedWriteError) {
          // Each of them is written alone, so that one harms no other.
          useSavepoints = true
        } else if (!this.parts.database.dialect.isRetryable(error) || !(await retries.next())) {
          // The transaction is rolled back before the pause, so its locks are released.
          await this.#answerEach(remaining, error)
          return
        }
      }
    }
  }

  /** Handles the failure of the whole transaction, which was rolled back. */
  async #answerEach(units: readonly Unit[], error: unknown): Promise<void> {
    if (units.length === 1 || this.parts.database.dialect.isUnavailable(error)) {
      for (const unit of units) unit.reject(error)
      return
    }
    // One of the units caused it; run separately, each gets its own result.
    for (const unit of units) await this.#commitTogether([unit])
  }

  /** @returns the units that remain for the next transaction. */
  async #attempt(
    units: readonly Unit[],
    useSavepoints: boolean,
    message?: CommitMessage,
  ): Promise<readonly Unit[]> {
    const open = await this.parts.database.begin()
    // Units run one after the other, so every statement belongs to the current one.
    const onQuery = ({ sql }: { sql: string }): void => {
      if (!/^\s*(select|savepoint|release)\b/i.test(sql)) this.#hasWritten = true
    }
    open.executor.on('query', onQuery)
    const outcomes: Outcome[] = []
    const txs: Transaction[] = []
    const groups = useSavepoints ? units.map((unit) => [unit]) : groupsOf(units)
    let begun = 0
    let records: ReadonlyMap<number, readonly LogRecord[]>
    try {
      await this.#undisturbed(units, () => this.#acquireWriteLocks(units, open.executor))
      for (const group of groups) {
        begun += 1
        const outcome = await this.#runGroup(group, open.executor, useSavepoints, txs)
        outcomes.push(outcome)
        if (outcome.tx === undefined) continue
        txs.push(outcome.tx)
        // Caches are invalidated after the commit: later units would use stale values.
        if (this.#changesMemory(outcome.tx)) break
      }
      const { dialect } = this.parts.database
      records = await this.#undisturbed(units, () =>
        this.parts.log.append(txs, open.executor, dialect),
      )
      if (message !== undefined) message.entries = [...records.values()].flat().length
      await open.commit()
    } catch (error) {
      await rollBack(open)
      throw error
    } finally {
      open.executor.off('query', onQuery)
    }
    for (const { unit, error } of outcomes.flatMap(({ failed }) => failed)) unit.reject(error)
    this.parts.publish(records, txs)
    for (const { unit, result } of outcomes.flatMap(({ finished }) => finished)) {
      unit.resolve(result)
    }
    return groups.slice(begun).flat()
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

  async #acquireWriteLocks(units: readonly Unit[], executor: Knex): Promise<void> {
    const { dialect, tablePrefix } = this.parts.database
    const waiting = units.filter(({ skipsWriteLock }) => !skipsWriteLock)
    for (const id of new Set(waiting.map(({ organizationId }) => organizationId))) {
      await this.parts.writeLock.acquire(new Transaction(id, executor, dialect, tablePrefix))
    }
  }

  /**
   * Runs a unit, or items that are written together.
   *
   * @param earlier what other units have done in the same transaction.
   */
  async #runGroup(
    group: readonly Unit[],
    executor: Knex,
    useSavepoint: boolean,
    earlier: readonly Transaction[],
  ): Promise<Outcome> {
    const [unit] = group
    if (unit === undefined) return { finished: [], failed: [] }
    const { dialect, tablePrefix } = this.parts.database
    const tx = new Transaction(unit.organizationId, executor, dialect, tablePrefix)
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
      if (dialect.isRetryable(error)) throw error
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
