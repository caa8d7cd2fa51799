import type { Knex } from 'knex'

import type { OpenTransaction } from './dialect.js'
import { hideValues } from './statement-errors.js'

const endsTransaction = /^(commit|rollback;?$)/i

/**
 * Begins a transaction of Knex.
 *
 * @param onFailedEnd called if COMMIT or ROLLBACK fails, with the connection.
 */
export async function beginTransaction<Connection>(
  pool: Knex,
  config: Knex.TransactionConfig,
  onFailedEnd: (connection: Connection, error: Error) => void,
): Promise<OpenTransaction & { readonly executor: Knex.Transaction }> {
  const transaction = await pool.transaction(config)
  // `commit` awaits it too; after a rollback nothing does, and it must not count as unhandled.
  transaction.executionPromise.catch(() => {})
  // Knex provides a transaction even if BEGIN has failed.
  if (transaction.isCompleted()) await transaction.executionPromise
  const client = transaction.client as { acquireConnection(): Promise<Connection> }
  const connection = await client.acquireConnection()
  transaction.on('query-error', (error: Error, query: { readonly sql: string }) => {
    // Here too, because the application's own pools have no such listener.
    hideValues(error, query)
    if (endsTransaction.test(query.sql)) onFailedEnd(connection, error)
  })
  return {
    executor: transaction,
    commit: async () => {
      // Knex reports a failed commit only through the second of these.
      await transaction.commit()
      await transaction.executionPromise
    },
    rollback: async () => {
      await transaction.rollback()
    },
  }
}
