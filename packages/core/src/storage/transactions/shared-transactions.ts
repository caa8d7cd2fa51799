import type { PreparedItem } from './prepared-write.js'
import { Retries } from './retries.js'
import {
  LostNodeError,
  PartialWriteError,
  SharedWriteError,
  TransactionAttempt,
  type TransactionParts,
} from './transaction-attempt.js'
import type { Unit, UnitOptions, Work } from './write-units.js'

const maxUnitsPerCommit = 200
/** With a synchronous driver, a transaction blocks the event loop. */
const maxSynchronousUnits = 5

/**
 * Group commit: units that arrive while a transaction commits share the next one. A database with
 * one writer has one such queue; if several transactions can write at a time, each organization has
 * its own, because its units are serialized anyway; see {@link OrganizationWriteLock}.
 */
export class SharedTransactions {
  readonly #queues = new Map<number, UnitQueue>()

  constructor(private readonly parts: TransactionParts) {}

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

  constructor(
    private readonly parts: TransactionParts,
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
    let lostNodes = 0
    const { database, clock } = this.parts
    const retries = new Retries(clock)
    while (remaining.length > 0) {
      try {
        const [units, isAlone] = [remaining, useSavepoints]
        remaining = await this.parts.commits.run(units, (message) =>
          new TransactionAttempt(this.parts, units, isAlone).run(message),
        )
      } catch (error) {
        if (error instanceof PartialWriteError) {
          error.unit.reject(error.reason)
          remaining = remaining.filter((unit) => unit !== error.unit)
          useSavepoints = true
        } else if (error instanceof SharedWriteError) {
          // Each of them is written alone, so that one harms no other.
          useSavepoints = true
        } else {
          const isLost = error instanceof LostNodeError
          // Another node is used for the next attempt.
          if (isLost) lostNodes += 1
          if (isLost && lostNodes < database.nodeCount) continue
          const reason: unknown = isLost ? error.reason : error
          // The transaction is rolled back before the pause, so its locks are released.
          if (database.dialect.isRetryable(reason) && (await retries.next())) continue
          await this.#answerEach(remaining, reason)
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
}
