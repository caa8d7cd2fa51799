import type { Knex } from 'knex'

// The application's objects may come from another copy of Knex than the one used here, and the
// types of two releases of Knex are incompatible. These types describe the common parts of all
// releases since 3.1, and need no types of Knex.

/** A Knex instance of the application, from any copy of Knex 3.1 or later. */
export interface KnexInstance {
  (tableName: string): object
  readonly client: object
  readonly raw: (sql: string) => object
  destroy(): Promise<void>
}

/** A Knex transaction that the application has begun, from any copy of Knex 3.1 or later. */
export interface KnexTransaction extends KnexInstance {
  readonly executionPromise: Promise<unknown>
  readonly isCompleted: () => boolean
  commit(value?: unknown): object
  rollback(error?: unknown): object
}

/** The drivers that Parley can use. */
export type DatabaseDriver = 'sqlite3' | 'better-sqlite3' | 'node:sqlite' | 'mysql2' | 'pg'

/** What a configuration of Knex may have as `client`. */
export type KnexClient = string | object | undefined

/**
 * The type that a literal of type `Client` must have. Configurations of Knex have clients of the
 * type `string`, which the types of Parley must accept: only the server can check them.
 */
type CheckedClient<Client> = Client extends string
  ? string extends Client
    ? Client
    : DatabaseDriver
  : Client

/** A Knex configuration; Knex documents its fields. */
export interface KnexConfiguration<Client = KnexClient> {
  /** The name of a driver, or the class of a Knex client. */
  readonly client?: CheckedClient<Client>
  /** A connection string, the driver's configuration, or a function that returns it. */
  readonly connection?: unknown
  readonly pool?: object
  readonly acquireConnectionTimeout?: number
  readonly asyncStackTraces?: boolean
  readonly compileSqlOnError?: boolean
  readonly connectionPool?: unknown
  readonly debug?: boolean
  readonly defaultDateTimePrecision?: number
  readonly dialect?: string
  readonly fetchAsString?: readonly string[]
  readonly jsonbSupport?: boolean
  readonly log?: object
  readonly migrations?: object
  readonly postProcessResponse?: unknown
  readonly searchPath?: string | readonly string[]
  readonly seeds?: object
  readonly useNullAsDefault?: boolean
  readonly version?: string
  readonly wrapIdentifier?: unknown
}

/**
 * A Knex configuration for a Galera cluster: `nodes` in the place of `connection`.
 *
 * @example { client: 'mysql2', nodes: ['mysql://chat@db1/chat', 'mysql://chat@db2/chat'] }
 */
export interface ClusterConfiguration extends Omit<KnexConfiguration, 'connection'> {
  readonly client: 'mysql2'
  /**
   * The servers, at most 16: for each an address or the driver's configuration. Give all processes
   * the same list, with the same hosts and ports: each organization has a preferred node, and
   * another one is used only while that is away.
   */
  readonly nodes: readonly (string | object)[]
}

/**
 * A Knex configuration for PostgreSQL behind a pooler that gives each transaction another session,
 * such as PgBouncer with `pool_mode = transaction`; `connection` is that of the pooler.
 *
 * @example { client: 'pg', connection: 'postgres://chat@pooler:6432/chat', direct: 'postgres://chat@db/chat' }
 */
export interface PooledConfiguration extends KnexConfiguration {
  readonly client: 'pg'
  /** The server itself, in the same form: for notifications, migrations and long reads. */
  readonly direct: string | object
}

/** The application's Knex instance, or a configuration to create one. */
export type DatabaseOption<Client = KnexClient> =
  | KnexInstance
  | KnexConfiguration<Client>
  | ClusterConfiguration
  | PooledConfiguration

export function isKnex(option: DatabaseOption): option is KnexInstance & Knex {
  return typeof option === 'function'
}

export function isTransaction(
  value: KnexTransaction | null,
): value is KnexTransaction & Knex.Transaction {
  return (value as { isTransaction?: boolean } | null)?.isTransaction === true
}

/** What configurations for Parley have besides those of Knex. */
interface Additions {
  readonly nodes?: unknown
  readonly direct?: unknown
}

/** The configuration in an application's option, typed for Knex. */
export function configurationOf(option: DatabaseOption): Knex.Config {
  if (isKnex(option)) return (option.client as { config: Knex.Config }).config
  const { nodes: _nodes, direct: _direct, ...config }: KnexConfiguration & Additions = option
  return config as Knex.Config
}

/**
 * The connections of the nodes of a cluster; undefined if the option is about one server.
 *
 * @throws {TypeError} if there is a `connection`, too.
 */
export function nodesOf(option: DatabaseOption): ClusterConfiguration['nodes'] | undefined {
  if (isKnex(option) || !('nodes' in option)) return undefined
  if ((option as KnexConfiguration).connection !== undefined) {
    throw new TypeError('database has nodes and a connection; a cluster has only nodes')
  }
  return option.nodes
}

/**
 * The connection to a server that is otherwise reached through a pooler; undefined without one.
 *
 * @throws {TypeError} if `direct` is neither an address nor an object.
 */
export function directOf(option: DatabaseOption): string | object | undefined {
  if (isKnex(option)) return undefined
  const { direct }: KnexConfiguration & Additions = option
  if (direct === undefined || typeof direct === 'string') return direct
  if (typeof direct === 'object' && direct !== null) return direct
  throw new TypeError('database.direct must be an address or an object with host, …')
}

/** Whether rows of the instance may have other keys than the statement: `userId`, not `user_id`. */
export function renamesColumns({ postProcessResponse, wrapIdentifier }: Knex.Config): boolean {
  return postProcessResponse !== undefined || wrapIdentifier !== undefined
}

export const notOpen =
  'within: no transaction is open. Begin one before the call, and commit it after the call has ' +
  'returned; an error such as a deadlock may have ended it'

/** @throws {TypeError} unless it is an open transaction of Knex whose rows have the usual columns. */
export function requireJoinable(
  transaction: KnexTransaction,
): asserts transaction is KnexTransaction & Knex.Transaction {
  if (!isTransaction(transaction)) {
    throw new TypeError(
      'within: must be a transaction of Knex that has begun, or an executor of one',
    )
  }
  if (renamesColumns(configurationOf(transaction))) {
    throw new TypeError(
      'within: must be of a Knex instance without postProcessResponse and wrapIdentifier',
    )
  }
  if (transaction.isCompleted()) throw new TypeError(notOpen)
}

/**
 * Refuses a Knex instance that was laid over a connection of another library. Its BEGIN has ended a
 * transaction that was open on the connection: on MySQL without an error.
 *
 * @throws {TypeError} if the connection is not of the pool of the Knex instance.
 */
export async function requireOwnConnection(transaction: Knex.Transaction): Promise<void> {
  const client = transaction.client as { acquireConnection(): Promise<object> }
  // Pools of Knex mark their connections, in all releases since 0.95.
  if ('__knexUid' in (await client.acquireConnection())) return
  throw new TypeError(
    'within: is a transaction of Knex on a connection of another library, whose own transaction ' +
      'it would end. Pass an executor of @parley/core/transactions, such as ' +
      'mysql2Transaction(connection) or pgTransaction(client), without Knex',
  )
}
