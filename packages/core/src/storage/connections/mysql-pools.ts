import type { Readable } from 'node:stream'

import type { Knex } from 'knex'

import { acquireTimeoutMilliseconds, afterApplication, silent } from './pools.js'
import { readInSlices } from './sliced-answers.js'

const maxConnections = 10
// Under REPEATABLE READ, gap locks make concurrent inserts wait for each other.
const isolation = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED'

/** The members of a mysql2 connection that are used here. */
export interface MysqlConnection {
  readonly stream: Readable
  query(sql: string, callback: (error: Error | null) => void): void
  /** Closes it at once. */
  destroy(): void
}

/** Additions to the sessions of a pool. */
export interface MysqlSessions {
  /** Statements that each session begins with. */
  readonly statements?: readonly string[]
  /** Called with each new connection, before its first statement. */
  readonly onConnection?: (connection: MysqlConnection) => void
}

/** The configuration of a pool with the sessions that the chat requires. */
export function mysqlConfig(
  config: Knex.Config,
  { statements = [], onConnection }: MysqlSessions = {},
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
      afterCreate: afterApplication(config, (connection: MysqlConnection, done) => {
        readInSlices(connection)
        onConnection?.(connection)
        runInOrder(connection, [isolation, ...statements], done)
      }),
    },
  }
}

function runInOrder(
  connection: MysqlConnection,
  [statement, ...others]: readonly string[],
  done: (error: Error | null) => void,
): void {
  if (statement === undefined) {
    done(null)
    return
  }
  connection.query(statement, (error) => {
    if (error === null || error === undefined) runInOrder(connection, others, done)
    else done(error)
  })
}
