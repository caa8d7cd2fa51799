import type { Knex } from 'knex'

import { replicaError } from '../dialects/postgres-errors.js'
import { acquireTimeoutMilliseconds, silent, type AfterCreate } from './pools.js'
import { readInSlices, type StreamingConnection } from './sliced-answers.js'

const maxConnections = 10

interface Result {
  readonly rows: readonly { readonly is_replica?: boolean }[]
}

interface PostgresConnection extends StreamingConnection {
  query(
    sql: string,
    callback: (error: Error | null, results?: Result | readonly Result[]) => void,
  ): void
}

type Sessions = 'primary' | 'replica' | 'long' | 'pooled'

const isReplica = 'SELECT pg_is_in_recovery() AS is_replica'
/**
 * So that a session that hangs does not keep its locks and its connection; and so that the server does
 * not compile a search, which seems costly, for longer than it runs.
 */
const limited = [
  'SET jit = off',
  "SET lock_timeout = '50s'",
  "SET statement_timeout = '10min'",
  "SET idle_in_transaction_session_timeout = '10min'",
  isReplica,
].join('; ')
/** The user or the database may have time-outs. */
const unlimited = [
  'SET statement_timeout = 0',
  'SET idle_in_transaction_session_timeout = 0',
  isReplica,
].join('; ')

/** By the kind of sessions: what they begin with. A pooler gives its sessions to others, too. */
const beginnings: Readonly<Record<Sessions, string>> = {
  primary: limited,
  replica: limited,
  long: unlimited,
  pooled: isReplica,
}

/**
 * The configuration of a pool with the sessions that the chat requires.
 *
 * @param sessions `replica` if the server may be one; `long` if there is one session, whose statements
 *   and transactions may take any time; `pooled` if a pooler gives each transaction another one, which
 *   keeps the settings of the server.
 */
export function postgresConfig(config: Knex.Config, sessions: Sessions): Knex.Config {
  const { postProcessResponse: _rows, wrapIdentifier: _names, ...usable } = config
  return {
    acquireConnectionTimeout: acquireTimeoutMilliseconds,
    log: silent,
    ...usable,
    pool: {
      min: 0,
      max: maxConnections,
      ...config.pool,
      ...(sessions === 'long' && { min: 0, max: 1 }),
      afterCreate: begun(sessions, config.pool?.afterCreate as AfterCreate<PostgresConnection>),
    },
  }
}

/**
 * Refuses settings of sessions, which a pooler would give to transactions of others.
 *
 * @throws {TypeError} if there is one.
 */
export function requireNoSettings({ searchPath, pool }: Knex.Config): void {
  for (const [name, value] of Object.entries({
    searchPath,
    'pool.afterCreate': pool?.afterCreate,
  })) {
    if (value === undefined) continue
    throw new TypeError(
      `database.${name} cannot be used with database.direct: behind a pooler, sessions are shared. Use ALTER ROLE … SET for the database user`,
    )
  }
}

/**
 * Sets what sessions need before the application's function runs, so that it may set other values, and
 * refuses a replica in place of the primary: after a failover, the name of the server may lead there for
 * a while, and a session there would be read from long after that.
 */
function begun(
  sessions: Sessions,
  then: AfterCreate<PostgresConnection> = (_connection, done) => done(),
): AfterCreate<PostgresConnection> {
  return (connection, done) => {
    readInSlices(connection)
    connection.query(beginnings[sessions], (error, results) => {
      if (error !== null) done(error)
      else if (sessions !== 'replica' && isOfReplica(results)) done(replicaError())
      else then(connection, done)
    })
  }
}

/** @param results one, or one for each statement. */
function isOfReplica(results: Result | readonly Result[] | undefined): boolean {
  const all = results === undefined ? [] : 'rows' in results ? [results] : results
  return all.at(-1)?.rows[0]?.is_replica === true
}
