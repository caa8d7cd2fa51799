import knexPackage, { type Knex } from 'knex'

import { withBooleans } from './boolean-columns.js'
import type { Dialect, OpenTransaction } from './dialect.js'
import { configurationOf, isKnex, renamesColumns, type DatabaseOption } from './host-knex.js'
import { mysqlDialect } from './mysql-dialect.js'
import { OrganizationScope, SnapshotScope } from './scope.js'
import { acquireTimeoutMilliseconds, afterApplication, driverName, silent } from './pools.js'
import { JoinedTransactions } from './joined-transactions.js'
import { sqliteDialect, synchronousSqliteDialect } from './sqlite-dialect.js'
import { loadLibrary, severalLibrariesProblem } from './sqlite-libraries.js'
import { SqlitePools, sqliteDriver } from './sqlite-pools.js'
import { hideValues } from './statement-errors.js'
import type { TableName, Tables } from './tables.js'
import { TracedStatements } from './traced-statements.js'
import { Telemetry } from '../kernel/telemetry/telemetry.js'

const mysqlConnections = 10

/** A transaction that the application's code takes part in. */
export type ApplicationTransaction = Knex.Transaction

export interface DatabaseRules {
  /** Whether the process may load SQLite libraries other than the chat's. @default false */
  readonly allowOtherSqliteLibraries?: boolean
}

interface DatabaseParts extends DatabaseRules {
  /** Reports the statements. @default without a tracer */
  readonly telemetry?: Telemetry
}

/**
 * The connection pools of one server.
 *
 * SQLite has one writing connection, and others for reads, so that reads never wait for a write. An
 * application's own SQLite instance only determines the file: with its single connection, every
 * read would wait. An application's own MySQL instance is used for the writes, unless it renames
 * columns; reads have their own connections to the same database.
 */
export class Database {
  readonly dialect: Dialect
  /** Whether a statement blocks the event loop. */
  readonly isSynchronous: boolean
  /** Runs the write transactions. */
  readonly writer: Knex
  /** Runs everything else. */
  readonly reader: Knex
  /** Runs snapshots. Caches are read during them: from the same pool, they could deadlock. */
  readonly #snapshots: Knex
  /** The application's transactions that calls of its own code join. */
  readonly joined = new JoinedTransactions()
  readonly #owned: Knex[] = []
  readonly #traced: TracedStatements
  readonly #openDedicated: () => Knex
  /** The pool of transactions that the application's code takes part in. */
  readonly #transactions: () => Knex
  /** The problem with the SQLite libraries of the process, if any. */
  readonly #librariesProblem: () => string | undefined = () => undefined
  #isUsable = false

  constructor(
    option: DatabaseOption,
    readonly tablePrefix: string,
    { allowOtherSqliteLibraries = false, telemetry = new Telemetry() }: DatabaseParts = {},
  ) {
    const config = configurationOf(option)
    const client = driverName(config)
    const driver = sqliteDriver(config)
    this.#traced = new TracedStatements(telemetry, driver === undefined ? 'mysql' : 'sqlite')
    if (driver !== undefined) {
      const pools = new SqlitePools(config, driver)
      this.isSynchronous = pools.isSynchronous
      this.dialect = this.isSynchronous ? synchronousSqliteDialect : sqliteDialect
      this.#openDedicated = () => knexPackage(pools.writing())
      let transactions: Knex | undefined
      this.#transactions = () => (transactions ??= this.#own(pools.transactions()))
      this.writer = this.#own(pools.writing())
      this.reader = this.#own(pools.reading())
      this.#snapshots = this.#own(pools.reading())
      if (!allowOtherSqliteLibraries) {
        this.#librariesProblem = () => {
          loadLibrary(driver, this.writer)
          return severalLibrariesProblem(driver, pools.filename)
        }
      }
    } else if (client === 'mysql2') {
      requireConnection(config)
      this.dialect = mysqlDialect
      this.isSynchronous = false
      this.#openDedicated = () =>
        knexPackage(mysqlConfig({ ...config, pool: { ...config.pool, max: 1 } }))
      const isUsable = isKnex(option) && !renamesColumns(config)
      this.writer = isUsable ? option : this.#own(mysqlConfig(config))
      this.#transactions = () => this.writer
      // Not the writers' pool: a transaction may read outside itself, and if every connection were
      // in a transaction that waits for one more, there would be a deadlock.
      this.reader = this.#own(mysqlConfig(config))
      this.#snapshots = this.#own(mysqlConfig(config))
    } else {
      throw new TypeError(
        `database.client is '${client}'; use 'sqlite3', 'better-sqlite3', 'node:sqlite' or 'mysql2'`,
      )
    }
  }

  /** Whether the pool was created here, so that its sessions are configured as required. */
  get ownsWriter(): boolean {
    return this.#owned.includes(this.writer)
  }

  table(name: string): string {
    return this.tablePrefix + name
  }

  /**
   * Queries on one organization's rows, outside any transaction but the one of the application that
   * the call has joined.
   */
  read(organizationId: number): OrganizationScope {
    const executor = this.joined.transaction ?? this.reader
    return new OrganizationScope(organizationId, executor, this.dialect, this.tablePrefix)
  }

  /** Queries on the committed rows of one organization, outside any transaction. */
  readCommitted(organizationId: number): OrganizationScope {
    return new OrganizationScope(organizationId, this.reader, this.dialect, this.tablePrefix)
  }

  /** A query on the rows of all organizations in one table, as {@link read}. */
  queryAll<Name extends TableName>(name: Name): Knex.QueryBuilder<Tables[Name], Tables[Name][]> {
    const query = (this.joined.transaction ?? this.reader)(this.table(name))
    return withBooleans(query) as unknown as Knex.QueryBuilder<Tables[Name], Tables[Name][]>
  }

  /** Begins a write transaction. */
  async begin(): Promise<OpenTransaction> {
    const open = await this.dialect.begin(this.writer, !this.ownsWriter)
    if (!this.ownsWriter && this.#traced.isOn) this.#traced.trace(open.executor)
    return open
  }

  /**
   * Runs `work` in a transaction of its own, in which the application's code may take part: writes
   * of the chat do not share it. Write in it before reading, because of SQLite.
   */
  async transaction<Result>(
    work: (trx: ApplicationTransaction) => Promise<Result>,
  ): Promise<Result> {
    const isolation = this.dialect.hasSingleWriter
      ? {}
      : ({ isolationLevel: 'read committed' } as const)
    const pool = this.#transactions()
    const traced = async (trx: ApplicationTransaction): Promise<Result> => {
      if (this.#traced.isOn && !this.#owned.includes(pool)) this.#traced.trace(trx)
      return work(trx)
    }
    return pool.transaction(traced, isolation)
  }

  /** Runs `work` on a consistent snapshot of the database. */
  async snapshot<Result>(
    organizationId: number,
    work: (scope: OrganizationScope) => Promise<Result>,
  ): Promise<Result> {
    const within = (executor: Knex): Promise<Result> =>
      work(new SnapshotScope(organizationId, executor, this.dialect, this.tablePrefix))
    const { transaction } = this.joined
    if (transaction !== undefined) return within(transaction)
    return this.dialect.snapshot(this.#snapshots, within)
  }

  /** The same for work that takes minutes: on a connection of its own, which others do not need. */
  async longSnapshot<Result>(
    organizationId: number,
    work: (scope: OrganizationScope) => Promise<Result>,
  ): Promise<Result> {
    return this.withDedicatedConnection((connection) =>
      this.dialect.snapshot(connection, (executor) =>
        work(new OrganizationScope(organizationId, executor, this.dialect, this.tablePrefix)),
      ),
    )
  }

  /**
   * The problem if the process has loaded several SQLite libraries, some of them perhaps after the
   * start; undefined without a problem, or if they are allowed.
   */
  findLibrariesProblem(): string | undefined {
    return this.#librariesProblem()
  }

  /**
   * Call it before anything opens the file: closing it again would release other libraries' locks.
   *
   * @throws {Error} if the process has loaded several SQLite libraries, and they are not allowed.
   */
  requireOneLibrary(): void {
    if (this.#isUsable) return
    const problem = this.#librariesProblem()
    if (problem !== undefined) throw new Error(problem)
    this.#isUsable = true
  }

  /** Runs `work` on a dedicated connection, which is opened and closed for it. */
  async withDedicatedConnection<Result>(
    work: (executor: Knex) => Promise<Result>,
  ): Promise<Result> {
    this.requireOneLibrary()
    const dedicated = this.#openDedicated()
    try {
      return await work(dedicated)
    } finally {
      await dedicated.destroy()
    }
  }

  /** @throws the driver's error if the database does not respond. */
  async ping(): Promise<void> {
    this.requireOneLibrary()
    await this.reader.raw('SELECT 1')
  }

  async close(): Promise<void> {
    await Promise.all(this.#owned.map((pool) => pool.destroy()))
  }

  #own(config: Knex.Config): Knex {
    const pool = withDriver(config)
    pool.on('query-error', hideValues)
    this.#traced.trace(pool)
    this.#owned.push(pool)
    return pool
  }
}

/** @throws {Error} with installation instructions if the driver is missing. */
function withDriver(config: Knex.Config): Knex {
  try {
    return knexPackage(config)
  } catch (cause) {
    const name = driverName(config)
    const remedy = name === 'node:sqlite' ? '' : `; npm install ${name}`
    throw new Error(
      `The driver of the database, '${name}', cannot be loaded${remedy}: ${String(cause)}`,
      { cause },
    )
  }
}

function requireConnection({ connection }: Knex.Config): void {
  // Knex itself only reports that it cannot acquire a connection, at the first query.
  if (connection === undefined || connection === null) {
    throw new TypeError('database.connection is missing: an address or an object with host, …')
  }
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
