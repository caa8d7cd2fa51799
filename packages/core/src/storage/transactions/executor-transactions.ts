import type { Knex } from 'knex'

import { notOpen } from '../connections/host-knex.js'
import { statementsOf } from '../connections/executor-statements.js'
import type { TransactionExecutor } from '../connections/transaction-executor.js'
import type { Database } from '../database.js'
import type { ExecutorDialect } from '../dialects/executor-dialect.js'

/** More than 32 bits, and less than what a JavaScript number cannot hold. */
const wholeNumber = 9_007_199_254_740_991

/** Makes transactions of Knex from executors, which run the statements. */
export class ExecutorTransactions {
  readonly #known = new WeakMap<object, Promise<Knex.Transaction>>()
  /** Whether an object's connection was found to be one to the chat's database. */
  readonly #checked = new WeakSet<object>()

  constructor(private readonly database: Database) {}

  get #executors(): ExecutorDialect {
    return this.database.dialect.executors
  }

  /** The transaction of an executor: the same for all that run in it. */
  async of(executor: TransactionExecutor): Promise<Knex.Transaction> {
    const key = executor.transaction ?? executor
    let known = this.#known.get(key)
    if (known === undefined) {
      const executors = this.#executors
      const connection = executors.connect(statementsOf(executor, executors.lastNumbers))
      known = this.database.statements(executors.client).transaction({ connection })
      this.#known.set(key, known)
    }
    return known
  }

  /**
   * Locks the organization if the call may write.
   *
   * @throws {TypeError} if no transaction is open, or it is not one of the chat's database.
   */
  async require(trx: Knex.Transaction, organizationId: number, isWriting: boolean): Promise<void> {
    const { dialect } = this.database
    await this.#requireOpen(trx)
    if (this.#checked.has(trx)) return
    this.#requireOneLibrary()
    const table = this.database.table('organizations')
    try {
      if (isWriting) await dialect.beginWriting(trx, table)
      const lock = isWriting ? dialect.forUpdate : ''
      const [theirs, ours] = await Promise.all([
        this.#inSavepoint(trx, (executor) => this.#identity(executor, organizationId, lock)),
        this.#identity(this.database.reader, organizationId, ''),
      ])
      if (theirs !== undefined) requireShape(theirs)
      if (theirs === undefined || JSON.stringify(theirs) !== JSON.stringify(ours))
        throw otherDatabase()
    } catch (error) {
      const isMissing = dialect.unusableReasonOf(error) !== undefined
      if (!isMissing || this.#executors.isReadOnly(error)) throw error
      throw otherDatabase(error)
    }
    this.#checked.add(trx)
  }

  async #requireOpen(trx: Knex.Transaction): Promise<void> {
    const { dialect } = this.database
    const { executors } = dialect
    let cause: unknown
    try {
      if (await executors.isOpen(trx)) return
    } catch (error) {
      const isFailed = executors.isFailed?.(error) === true
      if (error instanceof TypeError || isFailed || dialect.isUnavailable(error)) throw error
      cause = error
    }
    throw new TypeError(notOpen, { cause })
  }

  /** Runs a statement after whose error the transaction can be used, on every database. */
  async #inSavepoint<Result>(
    trx: Knex.Transaction,
    work: (executor: Knex) => Promise<Result>,
  ): Promise<Result> {
    return this.database.dialect.adapt === undefined ? work(trx) : trx.transaction(work)
  }

  #requireOneLibrary(): void {
    const problem = this.database.findLibrariesProblem()
    if (problem !== undefined) throw new TypeError(`within: ${problem}`)
  }

  async #identity(
    executor: Knex,
    organizationId: number,
    lock: string,
  ): Promise<Identity | undefined> {
    const { dialect } = this.database
    const { identity } = this.#executors
    const columns = Object.entries(identity).map(([name, sql]) => `${sql} AS ${name}`)
    const response = await executor.raw(
      `SELECT ${columns.join(', ')}, ${wholeNumber} AS chat_number, epoch AS chat_epoch
       FROM ?? WHERE id = ?${lock}`,
      [this.database.table('organizations'), organizationId],
    )
    const [row] = dialect.rowsOf(response) as readonly Identity[]
    if (row === undefined) return undefined
    const names = ['chat_number', 'chat_epoch', ...Object.keys(identity)]
    // Knex's rows have a prototype, and others may have columns in another order.
    return Object.fromEntries(names.map((name) => [name, row[name]]))
  }
}

type Identity = Readonly<Record<string, unknown>>

function requireShape({ chat_number: number }: Identity): void {
  if (number === wholeNumber) return
  throw new TypeError(
    number === undefined
      ? 'within: query() must resolve to rows with the names of the columns in the statement'
      : 'within: query() must resolve to rows whose whole numbers are numbers or bigints',
  )
}

function otherDatabase(cause?: unknown): TypeError {
  return new TypeError(
    "within: the transaction is not one of the chat's database. Begin it on a connection to the " +
      'database, and with the driver, that createChatServer was given',
    { cause },
  )
}
