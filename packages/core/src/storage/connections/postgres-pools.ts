import type { Knex } from 'knex'

import { acquireTimeoutMilliseconds, afterApplication, silent, type AfterCreate } from './pools.js'
import { readInSlices, type StreamingConnection } from './sliced-answers.js'

const maxConnections = 10

interface PostgresConnection extends StreamingConnection {
  query(sql: string, callback: (error: Error | null) => void): void
}

/** So that one that hangs does not keep its locks and its connection. */
const timeouts = [
  "SET lock_timeout = '50s'",
  "SET statement_timeout = '10min'",
  "SET idle_in_transaction_session_timeout = '10min'",
].join('; ')

/**
 * The configuration of a pool with the sessions that the chat requires.
 *
 * @param sessions `long` if there is one, whose statements and transactions may take any time;
 *   `pooled` if a pooler gives each transaction another one, which keeps the settings of the server.
 */
export function postgresConfig(
  config: Knex.Config,
  sessions: 'usual' | 'long' | 'pooled',
): Knex.Config {
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
      afterCreate:
        sessions === 'usual'
          ? withTimeouts(config.pool?.afterCreate as AfterCreate<PostgresConnection>)
          : afterApplication(config, (connection: PostgresConnection, done) => {
              readInSlices(connection)
              done()
            }),
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

/** Sets the time-outs before the application's function runs, so that it may set others. */
function withTimeouts(
  then: AfterCreate<PostgresConnection> = (_connection, done) => done(),
): AfterCreate<PostgresConnection> {
  return (connection, done) => {
    readInSlices(connection)
    connection.query(timeouts, (error) => {
      if (error === null) then(connection, done)
      else done(error)
    })
  }
}
