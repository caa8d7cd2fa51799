import type { TransactionExecutor } from '../connections/transaction-executor.js'
import { driverTransaction } from './driver-connection.js'

/** The used part of the context of a transaction: MikroORM 6 uses Knex. */
interface KnexContext {
  readonly client: { acquireConnection(): Promise<unknown> }
}

/** The `EntityManager` that MikroORM 6 passes to the function of `transactional()`. */
export interface MikroOrmManager {
  getTransactionContext(): unknown
}

/** @throws {TypeError} outside a transaction, and with another major version of MikroORM. */
export function mikroOrmTransaction(manager: MikroOrmManager): TransactionExecutor {
  const context = manager.getTransactionContext()
  if (!isKnexContext(context)) {
    throw new TypeError(
      'mikroOrmTransaction: needs the EntityManager of a transaction, of version 6',
    )
  }
  return {
    transaction: context,
    // The same connection until the transaction ends.
    query: async (sql, values) =>
      driverTransaction(await context.client.acquireConnection()).query(sql, values),
  }
}

function isKnexContext(context: unknown): context is KnexContext {
  const client = (context as { client?: { acquireConnection?: unknown } } | undefined)?.client
  return typeof client?.acquireConnection === 'function'
}
