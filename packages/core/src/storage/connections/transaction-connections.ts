import type { Knex } from 'knex'

import type { Dialect } from '../dialects/dialect.js'
import { readInSlices, type StreamingConnection } from './sliced-answers.js'

/** The members of a Knex client that are used here. */
interface Client {
  acquireConnection(): Promise<Connection>
}

interface Connection extends StreamingConnection {
  /** A pool of Knex closes a connection with it, instead of using it again. */
  __knex__disposed?: unknown
}

/**
 * Prepares the connection of a transaction to a server, which may be one of the application's pool. If
 * it cannot write, the pool opens another one afterwards: the address of the database may lead to another
 * server by then, and a new session may have other settings.
 */
export async function prepareConnection(
  { executors, hasSingleWriter }: Dialect,
  transaction: Knex,
): Promise<void> {
  if (hasSingleWriter) return
  const client: Client = transaction.client
  const connection = await client.acquireConnection()
  readInSlices(connection)
  transaction.on('query-error', (error: Error) => {
    if (executors.isReadOnly(error)) connection.__knex__disposed = error
  })
}
