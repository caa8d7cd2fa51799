import { postgresTypes } from '../connections/postgres-types.js'
import type { TransactionExecutor } from '../connections/transaction-executor.js'

/** The used part of a `Client` of `pg`, or of one that its pool gives out. */
export interface PgConnection {
  query(config: never): Promise<{
    readonly rows: readonly object[]
    readonly rowCount: number | null
  }>
}

/**
 * A transaction of `pg`, which has begun with `BEGIN`.
 *
 * @param client the one on which it has begun; not a pool, which runs each statement on any.
 */
export function pgTransaction(client: PgConnection): TransactionExecutor {
  return {
    transaction: client,
    async query(text, values) {
      const config = { text, values: [...values], types: postgresTypes }
      const { rows, rowCount } = await client.query(config as never)
      return { rows, affectedRows: rowCount }
    },
  }
}

/** Whether the connection of a library is one of `pg`. */
export function isPgConnection(connection: unknown): connection is PgConnection {
  const { getTypeParser } = (connection ?? {}) as { readonly getTypeParser?: unknown }
  return typeof getTypeParser === 'function'
}
