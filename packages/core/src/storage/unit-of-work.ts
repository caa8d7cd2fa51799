import type { Knex } from 'knex'

import type { EventBus } from '../events/bus.js'
import type { LogRecord } from '../events/log-entry.js'
import type { Clock } from '../kernel/clock.js'
import { AudienceStore } from './audience-store.js'
import type { Database } from './database.js'
import { EventLogWriter } from './event-log-writer.js'
import { SharedTransactions } from './shared-transactions.js'
import { Transaction } from './transaction.js'

const maxAttempts = 6

export interface RunOptions {
  /** The application's own transaction to join: its commit is ours, and its rollback too. */
  readonly within?: Knex.Transaction | undefined
}

/**
 * Runs writes: all statements of one, and its events, commit together or not at all.
 */
export class UnitOfWork {
  readonly audiences: AudienceStore
  readonly #log: EventLogWriter
  readonly #shared: SharedTransactions | undefined

  constructor(
    private readonly database: Database,
    private readonly bus: EventBus,
    clock: Clock,
    /** Hears of what this process commits, besides the bus. */
    private readonly onCommit: (organizationId: number, records: readonly LogRecord[]) => void = () => {},
  ) {
    this.audiences = new AudienceStore(clock)
    this.#log = new EventLogWriter(this.audiences, clock, database.tablePrefix)
    if (database.dialect.hasSingleWriter) {
      this.#shared = new SharedTransactions(database, this.#log, (records) => this.#publish(records))
    }
  }

  /**
   * Runs `work` in a transaction of one organization. `work` may run more than once, each time
   * after a rollback, so it must do nothing but query and emit.
   *
   * @returns what `work` returned, once it is committed; inside the application's own transaction,
   *   as soon as its statements are done.
   */
  async run<Result>(
    organizationId: number,
    work: (tx: Transaction) => Promise<Result>,
    options: RunOptions = {},
  ): Promise<Result> {
    if (options.within !== undefined) return this.#join(organizationId, work, options.within)
    if (this.#shared !== undefined) return this.#shared.run(organizationId, work)
    return this.#runAlone(organizationId, work)
  }

  /** Resolves when no write is under way. */
  async idle(): Promise<void> {
    await this.#shared?.idle()
  }

  async #join<Result>(
    organizationId: number,
    work: (tx: Transaction) => Promise<Result>,
    host: Knex.Transaction,
  ): Promise<Result> {
    const { dialect, tablePrefix } = this.database
    const tx = new Transaction(organizationId, host, dialect, tablePrefix)
    const result = await work(tx)
    const records = await this.#log.append([tx], host, dialect)
    host.executionPromise.then(
      () => {
        tx.committed()
        this.#publish(records)
      },
      // A rollback is the application's own news; the events are gone with their rows.
      () => {},
    )
    return result
  }

  async #runAlone<Result>(
    organizationId: number,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const { dialect, tablePrefix, writer } = this.database
    for (let attempt = 1; ; attempt += 1) {
      try {
        let tx: Transaction | undefined
        let records: ReadonlyMap<number, readonly LogRecord[]> = new Map()
        const result = await writer.transaction(
          async (trx) => {
            tx = new Transaction(organizationId, trx, dialect, tablePrefix)
            const value = await work(tx)
            records = await this.#log.append([tx], trx, dialect)
            return value
          },
          this.database.ownsWriter ? {} : { isolationLevel: 'read committed' },
        )
        tx?.committed()
        this.#publish(records)
        return result
      } catch (error) {
        if (attempt >= maxAttempts || !dialect.isRetryable(error)) throw error
      }
    }
  }

  #publish(records: ReadonlyMap<number, readonly LogRecord[]>): void {
    for (const [organizationId, list] of records) {
      this.bus.publishRecords(organizationId, list)
      this.onCommit(organizationId, list)
    }
  }
}
