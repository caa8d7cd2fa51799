import type { Knex } from 'knex'

import type { Actor } from '../domain/actor.js'
import type { EventBus } from '../events/bus.js'
import type { LogRecord } from '../events/log-entry.js'
import type { Clock } from '../kernel/clock.js'
import type { Logger } from '../kernel/logger.js'
import { randomToken } from '../kernel/random.js'
import { AudienceStore } from './audience-store.js'
import { renamesColumns, type Database } from './database.js'
import { EventLogWriter } from './event-log-writer.js'
import { configurationOf, isTransaction, type KnexTransaction } from './host-knex.js'
import { SharedTransactions } from './shared-transactions.js'
import { Transaction } from './transaction.js'
import { OrganizationWriteLock, type CatchUp } from './organization-write-lock.js'

/** The last record of a write inside the application's transaction; tells whether it committed. */
const joined = '@joined'

export interface RunOptions {
  /** The application's own transaction to join: its commit is ours, and its rollback too. */
  readonly within?: KnexTransaction | undefined
  /**
   * Whether other processes may write at the same time: for what is done very often, and relies on
   * nothing but rows that it locks, or that nobody else writes.
   *
   * @default false
   */
  readonly skipWriteLock?: boolean
  /**
   * Whether the rest of the process goes on meanwhile, with a synchronous driver too. What it then
   * writes in the same file, through connections of its own, cannot succeed before the commit.
   *
   * @default false
   */
  readonly long?: boolean
}

/** Who has to do with writes, besides those who make them. */
export interface WriteListeners {
  /** Hears of what this process commits, besides the bus. */
  readonly onCommit?: (organizationId: number, records: readonly LogRecord[]) => void
  /** Present where other processes may write in the same database. */
  readonly catchUp?: CatchUp | undefined
  /** Whether an event of this kind changes something that this process remembers. */
  readonly changesMemory?: (kind: string) => boolean
  /** Checks in a transaction that a caller may still do what they could before; throws if not. */
  readonly requireCaller?: (tx: Transaction, caller: Actor) => Promise<void>
}

/**
 * Runs writes: all statements of one, and its events, commit together or not at all.
 */
export class UnitOfWork {
  readonly audiences: AudienceStore
  readonly #log: EventLogWriter
  readonly #writeLock: OrganizationWriteLock
  readonly #shared: SharedTransactions
  readonly #running = new Set<Promise<unknown>>()

  constructor(
    private readonly database: Database,
    private readonly bus: EventBus,
    clock: Clock,
    private readonly logger: Logger,
    private readonly listeners: WriteListeners = {},
  ) {
    this.audiences = new AudienceStore(clock)
    this.#log = new EventLogWriter(this.audiences, clock, database.tablePrefix)
    this.#writeLock = new OrganizationWriteLock(database, listeners.catchUp)
    this.#shared = new SharedTransactions({
      database,
      log: this.#log,
      writeLock: this.#writeLock,
      clock,
      publish: (records, txs) => this.#publish(records, txs),
      changesMemory: listeners.changesMemory ?? (() => false),
    })
  }

  /**
   * Runs `work` in a transaction of one organization. `work` may run more than once, each time
   * after a rollback, so it must do nothing but query and emit. What it has read stays true until
   * it is committed, because no other process writes in the organization meanwhile.
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
    const { skipWriteLock = false, long = false } = options
    return this.#untilDone(
      this.#shared.run(organizationId, work, { skipsWriteLock: skipWriteLock, isLong: long }),
    )
  }

  /**
   * The same for a caller whose rights were checked before: they are checked again in the order in
   * which writes are committed, so nothing of theirs comes after their deactivation.
   *
   * @throws {ChatError} if the caller's account was deactivated or may do less meanwhile.
   */
  async runFor<Result>(
    caller: Actor,
    work: (tx: Transaction) => Promise<Result>,
    options: RunOptions = {},
  ): Promise<Result> {
    const checked = async (tx: Transaction): Promise<Result> => {
      await this.listeners.requireCaller?.(tx, caller)
      return work(tx)
    }
    return this.run(caller.organizationId, checked, options)
  }

  /** Resolves when no write is under way. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
  }

  #untilDone<Result>(running: Promise<Result>): Promise<Result> {
    this.#running.add(running)
    const forget = (): void => {
      this.#running.delete(running)
    }
    running.then(forget, forget)
    return running
  }

  async #join<Result>(
    organizationId: number,
    work: (tx: Transaction) => Promise<Result>,
    host: KnexTransaction,
  ): Promise<Result> {
    const { dialect, tablePrefix } = this.database
    if (!isTransaction(host)) {
      throw new TypeError('transaction: must be a transaction of Knex that has begun')
    }
    if (renamesColumns(configurationOf(host))) {
      throw new TypeError(
        'transaction: must be of a Knex instance without postProcessResponse and wrapIdentifier',
      )
    }
    const tx = new Transaction(organizationId, host, dialect, tablePrefix)
    await this.#writeLock.acquire(tx)
    const result = await work(tx)
    const token = randomToken(12)
    tx.emit({ kind: joined, data: { token }, audience: {} })
    const records = await this.#log.append([tx], host, dialect)
    this.#untilDone(this.#publishOnCommit(tx, host, records, token)).catch((error: unknown) => {
      // The events are in the log all the same; whoever polls it finds them.
      this.logger.warn("Following the application's transaction failed", { err: error })
    })
    return result
  }

  async #publishOnCommit(
    tx: Transaction,
    host: Knex.Transaction,
    records: ReadonlyMap<number, readonly LogRecord[]>,
    token: string,
  ): Promise<void> {
    try {
      await outermost(host).executionPromise
    } catch {
      // A rollback is the application's own news; the events are gone with their rows.
      return
    }
    // Knex resolves for some rollbacks too, so the log itself is asked.
    const lastSeq = records.get(tx.organizationId)?.at(-1)?.seq ?? 0
    const row = await this.database
      .read(tx.organizationId)
      .query('events')
      .where({ seq: lastSeq, kind: joined })
      .first<{ data: string } | undefined>('data')
    if (row === undefined || (JSON.parse(row.data) as { token: string }).token !== token) return
    this.#publish(records, [tx])
  }

  #publish(
    records: ReadonlyMap<number, readonly LogRecord[]>,
    committed: readonly Transaction[],
  ): void {
    for (const callback of committed.flatMap((tx) => tx.afterCommitCallbacks)) this.#tell(callback)
    for (const [organizationId, list] of records) {
      // What is committed has succeeded, whoever fails to hear of it.
      this.#tell(() => this.bus.publishRecords(organizationId, list))
      this.#tell(() => this.listeners.onCommit?.(organizationId, list))
    }
  }

  #tell(listener: () => void): void {
    try {
      listener()
    } catch (cause) {
      this.logger.error('Announcing a commit failed', { err: cause })
    }
  }
}

/** The transaction whose commit decides, where the application has nested them. */
function outermost(transaction: Knex.Transaction): Knex.Transaction {
  let current = transaction
  while (current.parentTransaction !== undefined) current = current.parentTransaction
  return current
}
