import type { Knex } from 'knex'

import type { Dialect } from '../dialects/dialect.js'
import { readInSlices, type StreamingConnection } from './sliced-answers.js'

/** The members of a Knex client that are used here. */
interface Client {
  acquireConnection(): Promise<StreamingConnection>
}

/** Prepares the connection of a transaction to a server, which may be one of the application's pool. */
export async function prepareConnection(
  { hasSingleWriter }: Dialect,
  transaction: Knex,
): Promise<void> {
  if (hasSingleWriter) return
  const client: Client = transaction.client
  readInSlices(await client.acquireConnection())
}
