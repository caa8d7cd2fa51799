import type { Knex } from 'knex'
import BetterSqliteClient from 'knex/lib/dialects/better-sqlite3/index.js'

import {
  keepStatements,
  keepSynchronousStatements,
  limitStatements,
  type Sqlite3Connection,
  type SynchronousConnection,
} from '../dialects/sqlite-statements.js'
import { NodeSqliteClient } from './node-sqlite-client.js'
import { acquireTimeoutMilliseconds, afterApplication, driverName, silent } from './pools.js'
import { SynchronousPools, withoutBlocking } from './synchronous-client.js'

const readerConnections = 4

/** The drivers of SQLite, by the names that Knex or Parley gives them. */
const drivers = ['sqlite3', 'better-sqlite3', 'node:sqlite'] as const
export type SqliteDriver = (typeof drivers)[number]

/** The driver of SQLite that a configuration names; undefined if it names none. */
export function sqliteDriver(config: Knex.Config): SqliteDriver | undefined {
  const name = driverName(config)
  // Knex's other name for it.
  if (name === 'sqlite') return 'sqlite3'
  return drivers.find((driver) => driver === name)
}

function requireFile({ connection }: Knex.Config): string {
  const filename =
    typeof connection === 'string' ? connection : (connection as { filename?: string })?.filename
  if (filename === undefined || filename === '' || filename.includes(':memory:')) {
    throw new TypeError(
      'database.connection.filename must name a file: a database in memory has one connection only',
    )
  }
  return filename
}

/**
 * The configurations of the pools of one server, for the same file and driver as a given
 * configuration.
 */
export class SqlitePools {
  readonly filename: string
  readonly #synchronous = new SynchronousPools()

  /** @throws {TypeError} if it has no file name. */
  constructor(
    private readonly config: Knex.Config,
    readonly driver: SqliteDriver,
  ) {
    this.filename = requireFile(config)
  }

  /** Whether a statement blocks the event loop. */
  get isSynchronous(): boolean {
    return this.driver !== 'sqlite3'
  }

  /** One connection, which stays open. */
  writing(): Knex.Config {
    return this.#pool(1, false)
  }

  /** One connection for transactions that other code takes part in, and that may wait in between. */
  transactions(): Knex.Config {
    return this.#pool(1, false, false)
  }

  /** Read-only connections. */
  reading(): Knex.Config {
    return this.#pool(readerConnections, true)
  }

  #pool(connections: number, isReadOnly: boolean, isWriter = !isReadOnly): Knex.Config {
    const { config, isSynchronous } = this
    const pragmas = [
      // A synchronous driver would block the whole process while it waits; see `withoutBlocking`.
      `PRAGMA busy_timeout = ${isSynchronous ? 0 : 5000}`,
      'PRAGMA journal_mode = WAL',
      'PRAGMA synchronous = NORMAL',
      'PRAGMA foreign_keys = ON',
      ...(isReadOnly ? ['PRAGMA query_only = ON'] : []),
    ].join(';')
    return {
      client: isSynchronous
        ? withoutBlocking(this.#synchronousClient(), this.#synchronous, isWriter)
        : (config.client as Knex.Config['client'] & {}),
      connection: config.connection as Knex.Sqlite3ConnectionConfig,
      useNullAsDefault: true,
      log: silent,
      acquireConnectionTimeout: acquireTimeoutMilliseconds,
      pool: {
        // A transaction uses the writer's connection itself, which the pool considers idle between
        // two statements: a process that was suspended would lose it, and continue outside the
        // transaction.
        min: isWriter ? connections : 0,
        max: connections,
        afterCreate: isSynchronous
          ? afterApplication(config, (connection: SynchronousConnection, done) => {
              prepareAtOnce(connection, pragmas, done)
            })
          : afterApplication(config, (connection: AsynchronousConnection, done) => {
              keepStatements(connection)
              if (isReadOnly) limitStatements(connection)
              connection.exec(pragmas, (error) => done(error))
            }),
      },
    }
  }

  /** The application's own class, if there is one, or that of the driver. */
  #synchronousClient(): typeof BetterSqliteClient {
    const { client } = this.config
    if (typeof client === 'function') return client as typeof BetterSqliteClient
    return this.driver === 'node:sqlite'
      ? (NodeSqliteClient as typeof BetterSqliteClient)
      : BetterSqliteClient
  }
}

function prepareAtOnce(
  connection: SynchronousConnection,
  pragmas: string,
  done: (error?: Error) => void,
): void {
  try {
    connection.exec(pragmas)
    keepSynchronousStatements(connection)
    done()
  } catch (error) {
    done(error as Error)
  }
}

interface AsynchronousConnection extends Sqlite3Connection {
  exec(sql: string, callback: (error: Error | null) => void): void
}
