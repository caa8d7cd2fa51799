import knexPackage, { type Knex } from 'knex'

import type { Broker } from '../../events/bus/broker-bus.js'
import type { Clock } from '../../kernel/clock.js'
import type { Logger } from '../../kernel/logger.js'
import { ClusterNodes } from '../cluster/cluster-nodes.js'
import type { Dialect } from '../dialects/dialect.js'
import { isNodeLost, mysqlDialect } from '../dialects/mysql-dialect.js'
import { postgresDialect } from '../dialects/postgres-dialect.js'
import { requireSameDatabase, requireSessions } from '../dialects/postgres-sessions.js'
import { adaptStatements } from '../dialects/postgres-statements.js'
import { sqliteDialect, synchronousSqliteDialect } from '../dialects/sqlite-dialect.js'
import {
  configurationOf,
  directOf,
  isKnex,
  nodesOf,
  renamesColumns,
  type DatabaseOption,
} from './host-knex.js'
import { mysqlConfig } from './mysql-pools.js'
import { PostgresBroker } from './postgres-broker.js'
import { postgresConfig, requireNoSettings } from './postgres-pools.js'
import { driverName, requireConnection } from './pools.js'
import type { ReplicaKind } from './read-replica.js'
import { loadLibrary, severalLibrariesProblem } from './sqlite-libraries.js'
import { SqlitePools, sqliteDriver, type SqliteDriver } from './sqlite-pools.js'

/** The pools of one server. */
interface ServerPools {
  /** Runs the write transactions. */
  readonly writer: Knex
  /** Runs everything else. */
  readonly reader: Knex
  /** Runs snapshots. Caches are read during them: from the same pool, they could deadlock. */
  readonly snapshots: Knex
}

/** The pools that a database option opens. */
export interface DatabasePools {
  readonly dialect: Dialect
  /** Whether a statement blocks the event loop. */
  readonly isSynchronous: boolean
  /** The pools for an organization: of the only server, or of a node of the cluster. */
  of(organizationId: number): ServerPools
  /** The pool of transactions that the application's code takes part in. */
  transactions(organizationId: number): Knex
  /** A pool of one connection, which the caller closes. */
  openDedicated(): Knex
  /** Carries texts between the processes that use the database, if it can. */
  openBroker?(): Broker
  /** The replicas that may stand beside it; undefined if the database can have none. */
  readonly replicas?: ReplicaKind
  /** @throws {Error} if connections have no sessions of their own where they need them. */
  requireSessions?(): Promise<void>
  /** The problem with the SQLite libraries of the process, if any. */
  librariesProblem(): string | undefined
  /** The file of SQLite. */
  readonly filename?: string
  /** Undefined if there is one server. */
  readonly nodes?: ClusterNodes
}

export interface PoolsContext {
  readonly allowOtherSqliteLibraries: boolean
  readonly clock: Clock
  readonly logger: Logger
  /** Creates a pool that is closed with the database. */
  readonly own: (config: Knex.Config) => Knex
}

/** @throws {TypeError} if the option is unusable. */
export function openPools(option: DatabaseOption, context: PoolsContext): DatabasePools {
  const config = configurationOf(option)
  const driver = sqliteDriver(config)
  const client = driverName(config)
  if (directOf(option) !== undefined && client !== 'pg') {
    throw new TypeError("database.direct is for the client 'pg' only")
  }
  if (driver !== undefined) return sqlitePools(config, driver, context)
  if (client === 'mysql2') {
    const connections = nodesOf(option)
    return connections === undefined
      ? mysqlPools(option, config, context)
      : clusterPools(config, connections, context)
  }
  if (client === 'pg') return postgresPools(option, config, context)
  throw new TypeError(
    `database.client is '${client}'; use 'sqlite3', 'better-sqlite3', 'node:sqlite', 'mysql2' or 'pg'`,
  )
}

function sqlitePools(
  config: Knex.Config,
  driver: SqliteDriver,
  { own, allowOtherSqliteLibraries }: PoolsContext,
): DatabasePools {
  const pools = new SqlitePools(config, driver)
  const { isSynchronous } = pools
  const writer = own(pools.writing())
  const server = { writer, reader: own(pools.reading()), snapshots: own(pools.reading()) }
  let transactions: Knex | undefined
  return {
    dialect: isSynchronous ? synchronousSqliteDialect : sqliteDialect,
    isSynchronous,
    filename: pools.filename,
    of: () => server,
    transactions: () => (transactions ??= own(pools.transactions())),
    openDedicated: () => knexPackage(pools.writing()),
    librariesProblem() {
      if (allowOtherSqliteLibraries) return undefined
      loadLibrary(driver, writer)
      return severalLibrariesProblem(driver, pools.filename)
    },
  }
}

function mysqlPools(
  option: DatabaseOption,
  config: Knex.Config,
  { own }: PoolsContext,
): DatabasePools {
  requireConnection(config)
  const writer = isKnex(option) && !renamesColumns(config) ? option : own(mysqlConfig(config))
  // Not the writers' pool: a transaction may read outside itself, and if every connection were in a
  // transaction that waits for one more, there would be a deadlock.
  const server = { writer, reader: own(mysqlConfig(config)), snapshots: own(mysqlConfig(config)) }
  return {
    dialect: mysqlDialect,
    isSynchronous: false,
    of: () => server,
    transactions: () => writer,
    openDedicated: () => knexPackage(mysqlConfig({ ...config, pool: { ...config.pool, max: 1 } })),
    replicas: mysqlReplicas(own),
    librariesProblem: () => undefined,
  }
}

function mysqlReplicas(own: PoolsContext['own']): ReplicaKind {
  return { client: 'mysql2', open: (config) => own(mysqlConfig(config)) }
}

function postgresPools(
  option: DatabaseOption,
  config: Knex.Config,
  { own }: PoolsContext,
): DatabasePools {
  requireConnection(config)
  const direct = directOf(option)
  const isPooled = direct !== undefined
  if (isPooled) requireNoSettings(config)
  const open = (of: Knex.Config, server: 'primary' | 'replica' = 'primary'): Knex => {
    const pool = own(postgresConfig(of, isPooled ? 'pooled' : server))
    adaptStatements(pool, !isPooled)
    return pool
  }
  const writer = isKnex(option) && !renamesColumns(config) ? option : open(config)
  // See `mysqlPools`.
  const server = { writer, reader: open(config), snapshots: open(config) }
  const long = (): Knex => {
    const connection = (direct ?? config.connection) as Knex.PgConnectionConfig
    return knexPackage(postgresConfig({ ...config, connection }, 'long'))
  }
  return {
    dialect: postgresDialect,
    isSynchronous: false,
    of: () => server,
    transactions: () => writer,
    openDedicated() {
      const pool = long()
      adaptStatements(pool)
      return pool
    },
    openBroker: () => new PostgresBroker(long),
    replicas: {
      client: 'pg',
      open: (of) => open(of, 'replica'),
      requireSessions: async (pool) => {
        if (!isPooled) await requireSessions(pool, 'readReplica')
      },
    },
    librariesProblem: () => undefined,
    async requireSessions() {
      const pool = long()
      try {
        await requireSessions(pool, isPooled ? 'database.direct' : 'The database')
        if (isPooled) await requireSameDatabase(server.reader, pool)
      } finally {
        await pool.destroy()
      }
    },
  }
}

function clusterPools(
  config: Knex.Config,
  connections: readonly (string | object)[],
  { own, clock, logger }: PoolsContext,
): DatabasePools {
  const nodes = new ClusterNodes({
    config,
    connections,
    own,
    clock,
    isNodeLost,
    onChange({ name, isAway }) {
      if (isAway) logger.warn('A node of the database is away', { node: name })
      else logger.info('A node of the database is back', { node: name })
    },
  })
  return {
    dialect: mysqlDialect,
    isSynchronous: false,
    of: (organizationId) => nodes.for(organizationId),
    transactions: (organizationId) => nodes.for(organizationId).writer,
    openDedicated: () => nodes.for(0).openDedicated(knexPackage),
    replicas: mysqlReplicas(own),
    librariesProblem: () => undefined,
    nodes,
  }
}
