import type { Knex } from 'knex'

import type { Actor } from '../../domain/users/actor.js'
import type { EventBus } from '../../events/bus/bus.js'
import type { LogRecord } from '../../events/log/log-entry.js'
import type { OrganizationState } from '../../events/log/organization-changes.js'
import type { Clock } from '../../kernel/clock.js'
import type { Logger } from '../../kernel/logger.js'
import { present } from '../../kernel/present.js'
import { Telemetry } from '../../kernel/telemetry/telemetry.js'
import type { KnexTransaction } from '../connections/host-knex.js'
import type { TransactionExecutor } from '../connections/transaction-executor.js'
import type { Database } from '../database.js'
import { AudienceStore } from '../log/audience-store.js'
import { EventLogWriter } from '../log/event-log-writer.js'
import type { OrganizationScope } from '../rows/scope.js'
import { CommitOutcomes } from './commit-outcomes.js'
import { JoinableTransactions } from './joinable-transactions.js'
import { JoinedWrites } from './joined-writes.js'
import { OrganizationWriteLock, type CatchUp } from './organization-write-lock.js'
import { PendingWrites, type Writer } from './pending-writes.js'
import type { PreparedWrite } from './prepared-write.js'
import { SharedTransactions } from './shared-transactions.js'
import { TracedCommits } from './traced-commits.js'
import { Transaction } from './transaction.js'

interface RunOptions {
  /**
   * Whether other processes may write at the same time: for frequent writes that depend only on
   * rows that they lock, or that no other code writes.
   *
   * @default false
   */
  readonly skipWriteLock?: boolean
  /**
   * Whether the event loop keeps running meanwhile, even with a synchronous driver. Other writes to
   * the same file, through the process's own connections, cannot succeed before the commit.
   *
   * @default false
   */
  readonly yieldsToEventLoop?: boolean
}

/** Callbacks of the other modules that take part in writes. */
export interface WriteListeners {
  /** Called with the records that this process commits, besides the bus. */
  readonly onCommit?: (organizationId: number, records: readonly LogRecord[]) => void
  /** Present if other processes may write in the same database. */
  readonly catchUp?: CatchUp | undefined
  /** Whether an event of this kind invalidates something that this process caches. */
  readonly changesMemory?: (kind: string) => boolean
  /**
   * Checks that a caller still has the credentials and permissions that they had before; throws if
   * not. With `isBehind`, commits of other processes may not have reached this one.
   */
  readonly requireCaller?: (
    scope: OrganizationScope,
    caller: Actor,
    options?: { readonly isBehind?: boolean },
  ) => Promise<void>
  /** The data of an event as the log stores them. */
  readonly sealData?: (kind: string, data: unknown) => unknown
  /** For tests: whether everything that was prepared before a transaction is prepared in it again. */
  readonly preparesAgain?: boolean
  /** Reports the transactions. @default without a tracer */
  readonly telemetry?: Telemetry
}

/** Runs writes: all statements and events of one commit together or not at all. */
export class UnitOfWork {
  readonly audiences: AudienceStore
  readonly pending: PendingWrites
  readonly #log: EventLogWriter
  readonly #writeLock: OrganizationWriteLock
  readonly #shared: SharedTransactions
  readonly #joinable: JoinableTransactions
  readonly #joinedWrites: JoinedWrites
  readonly #running = new Set<Promise<unknown>>()
  readonly #telemetry: Telemetry

  constructor(
    private readonly database: Database,
    private readonly bus: EventBus,
    clock: Clock,
    private readonly logger: Logger,
    private readonly listeners: WriteListeners = {},
  ) {
    this.#telemetry = listeners.telemetry ?? new Telemetry()
    this.audiences = new AudienceStore(clock)
    this.pending = new PendingWrites(clock)
    this.#log = new EventLogWriter(this.audiences, clock, database.tablePrefix, listeners.sealData)
    this.#writeLock = new OrganizationWriteLock(database, listeners.catchUp)
    this.#joinable = new JoinableTransactions(database)
    this.#joinedWrites = new JoinedWrites({
      database,
      log: this.#log,
      writeLock: this.#writeLock,
      logger,
      publish: (records, txs) => this.#publish(records, txs),
      untilDone: (publishing) => void this.#untilDone(publishing),
    })
    this.#shared = new SharedTransactions({
      database,
      log: this.#log,
      writeLock: this.#writeLock,
      clock,
      commits: new TracedCommits(this.#telemetry),
      outcomes: new CommitOutcomes(database, clock),
      publish: (records, txs) => this.#publish(records, txs),
      changesMemory: listeners.changesMemory ?? (() => false),
      preparesAgain: (organizationId) =>
        listeners.preparesAgain === true || this.database.joined.isPublishing(organizationId),
    })
  }

  /**
   * Runs `work` in a transaction of one organization. `work` may run more than once, each time
   * after a rollback, so it must do nothing but query and emit. Rows read in the transaction cannot
   * change before it commits, because no other process writes in the organization meanwhile.
   *
   * A call that has joined a transaction of the application runs `work` in it.
   *
   * @returns the result of `work`, after the commit; inside the application's own transaction, as
   *   soon as its statements are done.
   */
  async run<Result>(
    organizationId: number,
    work: (tx: Transaction) => Promise<Result>,
    options: RunOptions = {},
  ): Promise<Result> {
    return this.#run({ organizationId }, work, options)
  }

  async #run<Result>(
    writer: Writer,
    work: (tx: Transaction) => Promise<Result>,
    { skipWriteLock = false, yieldsToEventLoop = false }: RunOptions,
  ): Promise<Result> {
    const { organizationId } = writer
    const joinedTransaction = this.database.joined.transaction
    if (joinedTransaction !== undefined) {
      return this.#joinedWrites.run(organizationId, work, joinedTransaction)
    }
    return this.#countPending(writer, () =>
      this.#shared.run(organizationId, work, { skipsWriteLock: skipWriteLock, yieldsToEventLoop }),
    )
  }

  /**
   * The same for a caller whose permissions were checked before: they are checked again in commit
   * order, so no write of theirs commits after their deactivation.
   *
   * @throws {ChatError} if the caller's account was deactivated, has another API key or has lost
   *   permissions meanwhile.
   */
  async runFor<Result>(
    caller: Actor,
    work: (tx: Transaction) => Promise<Result>,
    options: RunOptions = {},
  ): Promise<Result> {
    const checked = async (tx: Transaction): Promise<Result> => {
      tx.caller = caller
      const isBehind = options.skipWriteLock === true
      await this.listeners.requireCaller?.(tx, caller, { isBehind })
      return work(tx)
    }
    return this.#run(caller, checked, options)
  }

  /**
   * Prepares an item outside the transaction, and writes it together with others of the same kind.
   * Nothing that it was checked against changes before its commit; see {@link PreparedWrite}.
   *
   * A call that has joined a transaction of the application prepares and writes in it.
   */
  async runPrepared<Item, Prepared, Result>(
    organizationId: number,
    write: PreparedWrite<Item, Prepared, Result>,
    item: Item,
  ): Promise<Result> {
    return this.#runPrepared({ organizationId }, write, (scope, state) =>
      write.prepare(scope, item, state),
    )
  }

  /**
   * The same for a caller, whose permissions are checked as by {@link runFor}.
   *
   * @throws {ChatError} if the caller's account was deactivated or has lost permissions meanwhile.
   */
  async runPreparedFor<Item, Prepared, Result>(
    caller: Actor,
    write: PreparedWrite<Item, Prepared, Result>,
    item: Item,
  ): Promise<Result> {
    return this.#runPrepared(caller, write, async (scope, state) => {
      await this.listeners.requireCaller?.(scope, caller)
      return write.prepare(scope, item, state)
    })
  }

  async #runPrepared<Prepared, Result>(
    writer: Writer,
    write: PreparedWrite<never, Prepared, Result>,
    prepare: (scope: OrganizationScope, state?: OrganizationState) => Promise<Prepared>,
  ): Promise<Result> {
    const { organizationId } = writer
    if (this.database.joined.transaction !== undefined) {
      return this.run(organizationId, async (tx) => {
        const [result] = await write.write(tx, [await prepare(tx)])
        return present(result, 'the result of the item')
      })
    }
    return this.#countPending(writer, async () => {
      const state = await write.changes.watch(organizationId)
      const prepared = await prepare(this.database.read(organizationId), state)
      const unit = { write, prepared, state, prepareAgain: prepare }
      return this.#shared.runPrepared(organizationId, unit)
    })
  }

  /**
   * Runs a call that joins a transaction of the application: all of its statements run in it. A call
   * that may write runs in a savepoint, so that nothing of it is left if it fails and the
   * application goes on; such calls take turns, because savepoints must be nested.
   *
   * @param isWriting whether the call may write. The organization is then locked before anything is
   *   read, so that the reads are current: SQLite cannot turn a transaction that has read into
   *   one that writes while others write.
   * @throws {TypeError} if the transaction cannot be joined.
   */
  async join<Result>(
    organizationId: number,
    within: KnexTransaction | TransactionExecutor,
    isWriting: boolean,
    call: () => Promise<Result>,
  ): Promise<Result> {
    const { joined, dialect, tablePrefix } = this.database
    const run = async (transaction: Knex.Transaction): Promise<Result> => {
      // On a database that needs it, the chat's statements are those of a savepoint.
      if (!isWriting && dialect.adapt === undefined) return joined.run(transaction, call)
      return transaction.transaction((savepoint) =>
        joined.run(savepoint, async () => {
          dialect.adapt?.(savepoint)
          if (!isWriting) return call()
          const tx = new Transaction(organizationId, savepoint, dialect, tablePrefix)
          await dialect.beginWriting(savepoint, tx.table('organizations'))
          await this.#writeLock.acquire(tx)
          return call()
        }),
      )
    }
    return this.#joinable.run(within, { organizationId, isWriting }, run)
  }

  /** Resolves when no write is in progress. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
  }

  #countPending<Result>(writer: Writer, write: () => Promise<Result>): Promise<Result> {
    return this.#untilDone(this.pending.run(writer, write))
  }

  #untilDone<Result>(running: Promise<Result>): Promise<Result> {
    this.#running.add(running)
    running.catch(() => {}).finally(() => this.#running.delete(running))
    return running
  }

  #publish(
    records: ReadonlyMap<number, readonly LogRecord[]>,
    committed: readonly Transaction[],
  ): void {
    for (const callback of committed.flatMap((tx) => tx.afterCommitCallbacks))
      this.#callSafely(callback)
    for (const [organizationId, list] of records) {
      this.#telemetry.rememberCommit(organizationId, list)
      // The commit has succeeded, even if a listener fails.
      this.#callSafely(() => this.bus.publishRecords(organizationId, list))
      this.#callSafely(() => this.listeners.onCommit?.(organizationId, list))
    }
  }

  #callSafely(listener: () => void): void {
    try {
      listener()
    } catch (cause) {
      this.logger.error('Announcing a commit failed', { err: cause })
    }
  }
}
