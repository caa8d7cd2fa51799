import type { Knex } from 'knex'

import { isReplicaProblem } from './postgres-errors.js'

interface Server {
  readonly version: number
  readonly encoding: string
  readonly schema: string | null
  readonly is_replica: boolean
  readonly client_encoding: string
  readonly is_read_only: boolean
}

/** By what a server lacks: the problem, with the remedy. */
const problems: readonly (readonly [(server: Server) => boolean, string])[] = [
  [({ version }) => version < 130_000, 'is PostgreSQL before version 13. Use 13 or later'],
  [
    ({ encoding }) => encoding !== 'UTF8',
    "has another encoding than UTF8. Create one with ENCODING 'UTF8'",
  ],
  [
    ({ client_encoding }) => client_encoding !== 'UTF8',
    'has sessions with another client_encoding than UTF8. Leave it as the driver sets it',
  ],
  [
    ({ schema }) => schema === null,
    'has no schema that is in search_path. Create it, or set search_path of the database user',
  ],
  [({ is_replica }) => is_replica, isReplicaProblem],
  [
    ({ is_read_only }) => is_read_only,
    'has transactions that are read-only. Turn default_transaction_read_only off for the database user',
  ],
]

/** @throws {Error} if the server or its sessions lack something that the chat requires. */
export async function requireFeatures(executor: Knex): Promise<void> {
  const { rows } = await executor.raw<{ readonly rows: readonly [Server] }>(
    `SELECT current_setting('server_version_num')::int AS version,
       current_setting('server_encoding') AS encoding, current_schema() AS schema,
       current_setting('client_encoding') AS client_encoding, pg_is_in_recovery() AS is_replica,
       current_setting('default_transaction_read_only') = 'on' AS is_read_only`,
  )
  for (const [isLacking, problem] of problems) {
    if (isLacking(rows[0])) throw new Error(`The database ${problem}`)
  }
}
