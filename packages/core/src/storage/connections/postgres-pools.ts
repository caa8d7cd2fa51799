import type { Knex } from 'knex'

import { acquireTimeoutMilliseconds, silent, type AfterCreate } from './pools.js'

const maxConnections = 10

interface PostgresConnection {
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
 * @param mayTakeLong whether statements and transactions may take any time.
 */
export function postgresConfig(config: Knex.Config, mayTakeLong = false): Knex.Config {
  const { postProcessResponse: _rows, wrapIdentifier: _names, ...usable } = config
  return {
    acquireConnectionTimeout: acquireTimeoutMilliseconds,
    log: silent,
    ...usable,
    pool: {
      min: 0,
      max: maxConnections,
      ...config.pool,
      ...(mayTakeLong && { min: 0, max: 1 }),
      ...(!mayTakeLong && {
        afterCreate: withTimeouts(config.pool?.afterCreate as AfterCreate<PostgresConnection>),
      }),
    },
  }
}

/** Sets the time-outs before the application's function runs, so that it may set others. */
function withTimeouts(
  then: AfterCreate<PostgresConnection> = (_connection, done) => done(),
): AfterCreate<PostgresConnection> {
  return (connection, done) => {
    connection.query(timeouts, (error) => {
      if (error === null) then(connection, done)
      else done(error)
    })
  }
}
