import type { LogRecord } from '../events/log-entry.js'
import type { Database } from './database.js'
import type { EventLogWriter } from './event-log-writer.js'
import { Transaction } from './transaction.js'

const maxUnitsPerCommit = 200

interface Unit {
  readonly organizationId: number
  readonly work: (tx: Transaction) => Promise<unknown>
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

interface FinishedUnit {
  readonly unit: Unit
  readonly tx: Transaction
  readonly result: unknown
}

/** A unit failed after it had written, so the whole transaction must be taken back. */
class Tainted extends Error {
  constructor(
    readonly unit: Unit,
    readonly reason: unknown,
  ) {
    super('A unit failed after it had written')
  }
}

/**
 * Group commit for a database with one writer: units that arrive while a transaction commits share
 * the next one. A unit's failure never undoes another's work: a unit that fails before its first
 * write leaves nothing behind, and after a later failure the others are run again, each in a
 * savepoint of its own.
 */
export class SharedTransactions {
  readonly #waiting: Unit[] = []
  #isDraining = false
  #hasWritten = false

  constructor(
    private readonly database: Database,
    private readonly log: EventLogWriter,
    private readonly publish: (records: ReadonlyMap<number, readonly LogRecord[]>) => void,
  ) {
    // Units run one after the other, so every statement belongs to the one that runs.
    database.writer.on('query', ({ sql }: { sql: string }) => {
      if (!/^\s*(select|savepoint|release)\b/i.test(sql)) this.#hasWritten = true
    })
  }

  run<Result>(organizationId: number, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({
        organizationId,
        work,
        resolve: resolve as (result: unknown) => void,
        reject,
      })
      if (!this.#isDraining) void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    this.#isDraining = true
    // One turn's grace lets everything that arrived together commit together.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      await this.#commitTogether(this.#waiting.splice(0, maxUnitsPerCommit))
    }
    this.#isDraining = false
  }

  async #commitTogether(units: readonly Unit[]): Promise<void> {
    let remaining = units
    let useSavepoints = false
    while (remaining.length > 0) {
      try {
        await this.#attempt(remaining, useSavepoints)
        return
      } catch (error) {
        if (error instanceof Tainted) {
          error.unit.reject(error.reason)
          remaining = remaining.filter((unit) => unit !== error.unit)
          useSavepoints = true
        } else {
          await this.#answerEach(remaining, error)
          return
        }
      }
    }
  }

  /** The transaction as a whole has failed, and was taken back. */
  async #answerEach(units: readonly Unit[], error: unknown): Promise<void> {
    if (units.length === 1 || this.database.dialect.isUnavailable(error)) {
      for (const unit of units) unit.reject(error)
      return
    }
    // One of them is to blame; alone, each gets the answer that is its own.
    for (const unit of units) await this.#commitTogether([unit])
  }

  async #attempt(units: readonly Unit[], useSavepoints: boolean): Promise<void> {
    const { writer, dialect } = this.database
    // Takes the write lock at once: a transaction that reads first could not wait for it later.
    await writer.raw('BEGIN IMMEDIATE')
    const finished: FinishedUnit[] = []
    const failed: { unit: Unit; error: unknown }[] = []
    let records: ReadonlyMap<number, readonly LogRecord[]>
    try {
      for (const unit of units) {
        const outcome = await this.#runUnit(unit, useSavepoints)
        if ('tx' in outcome) finished.push(outcome)
        else failed.push(outcome)
      }
      records = await this.log.append(
        finished.map(({ tx }) => tx),
        writer,
        dialect,
      )
      await writer.raw('COMMIT')
    } catch (error) {
      await this.#rollback()
      throw error
    }
    for (const { unit, error } of failed) unit.reject(error)
    for (const { tx } of finished) tx.committed()
    this.publish(records)
    for (const { unit, result } of finished) unit.resolve(result)
  }

  async #runUnit(
    unit: Unit,
    useSavepoint: boolean,
  ): Promise<FinishedUnit | { unit: Unit; error: unknown }> {
    const { writer, dialect, tablePrefix } = this.database
    const tx = new Transaction(unit.organizationId, writer, dialect, tablePrefix)
    if (useSavepoint) await writer.raw('SAVEPOINT unit')
    this.#hasWritten = false
    try {
      const result = await unit.work(tx)
      if (useSavepoint) await writer.raw('RELEASE unit')
      return { unit, tx, result }
    } catch (error) {
      if (useSavepoint) {
        await writer.raw('ROLLBACK TO unit')
        await writer.raw('RELEASE unit')
      } else if (this.#hasWritten) {
        throw new Tainted(unit, error)
      }
      return { unit, error }
    }
  }

  async #rollback(): Promise<void> {
    try {
      await this.database.writer.raw('ROLLBACK')
    } catch {
      // SQLite has already rolled back after the errors that end a transaction by themselves.
    }
  }
}
