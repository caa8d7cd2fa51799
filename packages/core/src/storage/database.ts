import knexPackage, { type Knex } from 'knex'

import type { Dialect, OpenTransaction } from './dialect.js'
import { configurationOf, isKnex, type DatabaseOption } from './host-knex.js'
import { mysqlDialect } from './mysql-dialect.js'
import { OrganizationScope, SnapshotScope } from './scope.js'
import { sqliteDialect } from './sqlite-dialect.js'
import { keepStatements, type Sqlite3Connection } from './sqlite-statements.js'
import { hideValues } from './statement-errors.js'

const acquireTimeoutMilliseconds = 5000
const readerConnections = 4
const mysqlConnections = 10

/** Knex prints what it also throws; what is thrown is enough. */
const silent = { warn() {}, error() {}, debug() {}, deprecate() {} }

/**
 * The pools of connections of one server.
 *
 * SQLite has one writing connection, and others for reads, so that reads never wait for a write.
 * An application's own SQLite instance only tells which file it is: its single connection would
 * make every read wait. An application's own MySQL instance is used for the writes, unless it gives
 * columns other names; reads have connections of their own, to the same database.
 */
export class Database {
  readonly dialect: Dialect
  /** Runs the write transactions. */
  readonly writer: Knex
  /** Runs everything else. */
  readonly reader: Knex
  /** Runs snapshots. Caches are read beside them: from the same pool, all would wait for all. */
  readonly #snapshots: Knex
  readonly #owned: Knex[] = []
  readonly #single: () => Knex

  constructor(
    option: DatabaseOption,
    readonly tablePrefix: string,
  ) {
    const config = configurationOf(option)
    const client = clientName(config)
    if (client.includes('sqlite')) {
      this.dialect = sqliteDialect
      requireFile(config)
      this.#single = () => knexPackage(sqliteConfig(config, 1, false))
      this.writer = this.#own(sqliteConfig(config, 1, false))
      this.reader = this.#own(sqliteConfig(config, readerConnections, true))
      this.#snapshots = this.#own(sqliteConfig(config, readerConnections, true))
    } else if (client === 'mysql2') {
      requireConnection(config)
      this.dialect = mysqlDialect
      this.#single = () => knexPackage(mysqlConfig({ ...config, pool: { ...config.pool, max: 1 } }))
      const isUsable = isKnex(option) && !renamesColumns(config)
      this.writer = isUsable ? option : this.#own(mysqlConfig(config))
      // Not the writers' pool: a transaction may read beside itself, and when every connection
      // is in a transaction that waits for one more, none of them goes on.
      this.reader = this.#own(mysqlConfig(config))
      this.#snapshots = this.#own(mysqlConfig(config))
    } else {
      throw new TypeError(`database.client is '${client}'; use 'sqlite3' or 'mysql2'`)
    }
  }

  /** Whether the pool was made here, so that sessions are set up as we need them. */
  get ownsWriter(): boolean {
    return this.#owned.includes(this.writer)
  }

  table(name: string): string {
    return this.tablePrefix + name
  }

  /** Queries over one organization's rows, outside any transaction. */
  read(organizationId: number): OrganizationScope {
    return new OrganizationScope(organizationId, this.reader, this.dialect, this.tablePrefix)
  }

  /** Begins a transaction that writes. */
  async begin(): Promise<OpenTransaction> {
    return this.dialect.begin(this.writer, !this.ownsWriter)
  }

  /** Runs `work` against one unchanging state of the database. */
  async snapshot<Result>(
    organizationId: number,
    work: (scope: OrganizationScope) => Promise<Result>,
  ): Promise<Result> {
    return this.dialect.snapshot(this.#snapshots, (executor) =>
      work(new SnapshotScope(organizationId, executor, this.dialect, this.tablePrefix)),
    )
  }

  /** Runs `work` on a connection that nobody else uses, opened and closed for it. */
  async alone<Result>(work: (executor: Knex) => Promise<Result>): Promise<Result> {
    const single = this.#single()
    try {
      return await work(single)
    } finally {
      await single.destroy()
    }
  }

  /** @throws the driver's error if the database does not answer. */
  async ping(): Promise<void> {
    await this.reader.raw('SELECT 1')
  }

  async close(): Promise<void> {
    await Promise.all(this.#owned.map((pool) => pool.destroy()))
  }

  #own(config: Knex.Config): Knex {
    const pool = knexPackage(config)
    pool.on('query-error', hideValues)
    this.#owned.push(pool)
    return pool
  }
}

/** Knex takes the name of a client, or its class. */
function clientName({ client }: Knex.Config): string {
  if (typeof client !== 'function') return String(client)
  return String((client as { prototype?: { driverName?: string } }).prototype?.driverName)
}

function requireFile(config: Knex.Config): void {
  const { connection } = config
  const filename =
    typeof connection === 'string' ? connection : (connection as { filename?: string })?.filename
  if (filename === undefined || filename === '' || filename.includes(':memory:')) {
    throw new TypeError(
      'database.connection.filename must name a file: a database in memory has one connection only',
    )
  }
}

function requireConnection({ connection }: Knex.Config): void {
  // Knex itself says only that it cannot acquire one, at the first query.
  if (connection === undefined || connection === null) {
    throw new TypeError('database.connection is missing: an address or an object with host, …')
  }
}

function sqliteConfig(config: Knex.Config, connections: number, readOnly: boolean): Knex.Config {
  const isBetter = clientName(config) === 'better-sqlite3'
  const pragmas = [
    'PRAGMA busy_timeout = 5000',
    'PRAGMA journal_mode = WAL',
    'PRAGMA synchronous = NORMAL',
    'PRAGMA foreign_keys = ON',
    ...(readOnly ? ['PRAGMA query_only = ON'] : []),
  ]
  return {
    client: config.client as Knex.Config['client'] & {},
    connection: config.connection as Knex.Sqlite3ConnectionConfig,
    useNullAsDefault: true,
    log: silent,
    acquireConnectionTimeout: acquireTimeoutMilliseconds,
    pool: {
      // A transaction is the writer's connection itself, which the pool takes for idle between two
      // statements: a process that was suspended would lose it, and go on outside the transaction.
      min: readOnly ? 0 : connections,
      max: connections,
      afterCreate: afterApplication(config, (connection: SqliteConnection, done) => {
        if (isBetter) {
          for (const pragma of pragmas) connection.exec(pragma)
          done()
        } else {
          keepStatements(connection)
          connection.exec(pragmas.join(';'), (error) => done(error))
        }
      }),
    },
  }
}

type AfterCreate<Connection> = (
  connection: Connection,
  done: (error?: Error | null) => void,
) => void

/** What the application does with each new connection, and `then` what is done here. */
function afterApplication<Connection>(
  { pool }: Knex.Config,
  then: AfterCreate<Connection>,
): AfterCreate<Connection> {
  const first = pool?.afterCreate as AfterCreate<Connection> | undefined
  if (first === undefined) return then
  return (connection, done) => {
    first(connection, (error) => {
      if (error === undefined || error === null) then(connection, done)
      else done(error)
    })
  }
}

interface SqliteConnection extends Sqlite3Connection {
  exec(sql: string, callback?: (error: Error | null) => void): void
}

/** Whether rows of the instance may have other keys than the statement says: `userId`, not `user_id`. */
export function renamesColumns({ postProcessResponse, wrapIdentifier }: Knex.Config): boolean {
  return postProcessResponse !== undefined || wrapIdentifier !== undefined
}

function mysqlConfig(config: Knex.Config): Knex.Config {
  const { postProcessResponse: _rows, wrapIdentifier: _names, ...usable } = config
  return {
    acquireConnectionTimeout: acquireTimeoutMilliseconds,
    log: silent,
    ...usable,
    pool: {
      min: 0,
      max: mysqlConnections,
      ...config.pool,
      afterCreate: afterApplication(config, (connection: MysqlConnection, done) => {
        // Under REPEATABLE READ, gap locks make concurrent inserts wait for each other.
        connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED', (error) =>
          done(error),
        )
      }),
    },
  }
}

interface MysqlConnection {
  query(sql: string, callback: (error: Error | null) => void): void
}
