import type { Knex } from 'knex'

import {
  requireJoinable,
  requireOwnConnection,
  type KnexTransaction,
} from '../connections/host-knex.js'
import { isExecutor, type TransactionExecutor } from '../connections/transaction-executor.js'
import type { Database } from '../database.js'
import { ExecutorTransactions } from './executor-transactions.js'

interface JoiningCall {
  readonly organizationId: number
  /** Whether it may write. */
  readonly isWriting: boolean
}

/** Finds out whether calls can join what the application passes as its transaction. */
export class JoinableTransactions {
  readonly #executors: ExecutorTransactions

  constructor(private readonly database: Database) {
    this.#executors = new ExecutorTransactions(database)
  }

  /**
   * Runs a call in a transaction of the application, in turn with others.
   *
   * @throws {TypeError} if the transaction cannot be joined.
   */
  async run<Result>(
    within: KnexTransaction | TransactionExecutor,
    call: JoiningCall,
    work: (transaction: Knex.Transaction) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.#run(within, call, work)
    } catch (error) {
      const { executors } = this.database.dialect
      if (executors.isFailed?.(error) === true) {
        throw new TypeError(
          'within: a statement of the transaction has failed, so the transaction can only be ' +
            'rolled back. Run statements that may fail in a savepoint',
          { cause: error },
        )
      }
      if (!executors.isReadOnly(error)) throw error
      throw new TypeError(
        'within: the transaction is read-only. Begin one that may write, on the primary server',
        { cause: error },
      )
    }
  }

  async #run<Result>(
    within: KnexTransaction | TransactionExecutor,
    { organizationId, isWriting }: JoiningCall,
    work: (transaction: Knex.Transaction) => Promise<Result>,
  ): Promise<Result> {
    const { joined, dialect } = this.database
    if (!isExecutor(within)) {
      requireJoinable(within)
      await requireOwnConnection(within)
      const takesTurns = isWriting || dialect.adapt !== undefined
      return takesTurns ? joined.inTurn(within, () => work(within)) : work(within)
    }
    const transaction = await this.#executors.of(within)
    return joined.inTurn(transaction, async () => {
      joined.beginOfExecutor(transaction)
      await this.#executors.require(transaction, organizationId, isWriting)
      return work(transaction)
    })
  }
}
