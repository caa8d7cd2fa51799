import type { Knex } from 'knex'

import type { Clock } from '../../kernel/clock.js'
import { mysqlConfig, type MysqlConnection } from '../connections/mysql-pools.js'
import { driverCode } from '../dialects/dialect.js'

/** How long a node may take to answer whether it is ready. */
const checkTimeoutMilliseconds = 5000
const connectTimeoutMilliseconds = 2000

/**
 * Each read, and the beginning of each transaction, waits until the node has applied the earlier
 * commits of other nodes. So a client that asks another node does not miss what it has sent,
 * and a transaction that was run again after a conflict does not conflict with the same one again.
 */
const waitsForOtherNodes = 'SET SESSION wsrep_sync_wait = 1'

const statusStatement = `SHOW STATUS WHERE Variable_name IN
  ('wsrep_ready', 'wsrep_cluster_state_uuid')`

const lockWaitTimeout = 1205

export interface StatementText {
  readonly sql: string
}

/** The members of a Knex pool's client that are used here. */
export interface PoolClient {
  acquireConnection(): Promise<MysqlConnection>
  releaseConnection(connection: MysqlConnection): Promise<void>
  _query(connection: MysqlConnection, statement: StatementText): Promise<unknown>
}

export interface ClusterNodeParts {
  /** The application's configuration, without its nodes. */
  readonly config: Knex.Config
  /** The address of the node, or the driver's configuration. */
  readonly connection: string | object
  /** Creates a pool that is closed with the database. */
  readonly own: (config: Knex.Config) => Knex
  readonly clock: Clock
  readonly isNodeLost: (error: unknown) => boolean
  /** Called when the node is not used any more, and when it is used again. */
  readonly onChange: (node: ClusterNode) => void
}

/** One node of a Galera cluster, and its connection pools. */
export class ClusterNode {
  /** Host and port, or the path of the socket: the same in all processes. */
  readonly name: string
  readonly writer: Knex
  readonly reader: Knex
  readonly snapshots: Knex
  /** The cluster that it belongs to; undefined before the node has answered. */
  clusterId: string | undefined
  readonly #checks: Knex
  readonly #config: Knex.Config
  readonly #connections = new Set<MysqlConnection>()
  #isAway = false

  constructor(private readonly parts: ClusterNodeParts) {
    const { config, connection, own } = parts
    this.name = nodeName(connection)
    const usable = { ...config, connection: withTimeout(connection) as Knex.StaticConnectionConfig }
    const onConnection = (opened: MysqlConnection): void => this.#track(opened)
    this.#config = mysqlConfig(usable, { statements: [waitsForOtherNodes], onConnection })
    this.writer = this.#noting(own(this.#config))
    this.reader = this.#noting(own(this.#config))
    this.snapshots = this.#noting(own(this.#config))
    this.#checks = own(mysqlConfig({ ...usable, pool: { min: 0, max: 1 } }, { onConnection }))
  }

  /** Whether other nodes are used instead. */
  get isAway(): boolean {
    return this.#isAway
  }

  /** A pool of one connection, which the caller closes. */
  openDedicated(open: (config: Knex.Config) => Knex): Knex {
    return this.#noting(open({ ...this.#config, pool: { ...this.#config.pool, max: 1 } }))
  }

  /**
   * Uses other nodes from now on if an error means that this one does not serve.
   *
   * @param sql the statement that failed; empty if it was connecting.
   */
  note(error: unknown, sql: string): void {
    if (this.parts.isNodeLost(error) || isWaitFailure(error, sql)) this.#setAway(true)
  }

  /** Asks the node whether it is ready, so that it is used or not. */
  async check(): Promise<void> {
    const timer = this.parts.clock.setTimeout(() => {
      // Statements would wait for a frozen node until its connections break, many minutes later.
      for (const { stream } of this.#connections) stream.destroy(silent(this.name))
      this.#setAway(true)
    }, checkTimeoutMilliseconds)
    try {
      this.#setAway(!(await this.#ask()))
    } catch {
      this.#setAway(true)
    } finally {
      timer.cancel()
    }
  }

  async #ask(): Promise<boolean> {
    const [rows] = (await this.#checks.raw(statusStatement)) as [
      { Variable_name: string; Value: string }[],
    ]
    const status = new Map(rows.map((row) => [row.Variable_name, row.Value]))
    const clusterId = status.get('wsrep_cluster_state_uuid')
    const isReady = status.get('wsrep_ready') === 'ON'
    // It is empty, or missing, on servers without a cluster.
    if (isReady || !clusterId) this.clusterId = clusterId ?? ''
    return isReady
  }

  #setAway(isAway: boolean): void {
    if (isAway === this.#isAway) return
    this.#isAway = isAway
    this.parts.onChange(this)
  }

  #track(connection: MysqlConnection): void {
    this.#connections.add(connection)
    connection.stream.once('close', () => this.#connections.delete(connection))
  }

  /** Notes the errors of connecting and of statements. */
  #noting(pool: Knex): Knex {
    const client = pool.client as PoolClient
    const acquire = client.acquireConnection.bind(client)
    client.acquireConnection = async () => {
      try {
        return await acquire()
      } catch (error) {
        this.note(error, '')
        throw error
      }
    }
    pool.on('query-error', (error: unknown, { sql }: StatementText) => this.note(error, sql))
    return pool
  }
}

/** Whether a node has not received the commits of other nodes, because it is cut off. */
function isWaitFailure(error: unknown, sql: string): boolean {
  // Other timeouts are those of locks, which these statements do not wait for.
  const takesNoLock = /^(begin|select)\b/i.test(sql) && !/ (for update|in share mode)/i.test(sql)
  return takesNoLock && driverCode(error).errno === lockWaitTimeout
}

/** As for a connection that the other side has reset. */
function silent(name: string): Error {
  return Object.assign(new Error(`The database node ${name} does not answer`), {
    code: 'ECONNRESET',
  })
}

/** @throws {TypeError} if the address cannot be read. */
function nodeName(connection: string | object): string {
  if (typeof connection === 'string') {
    if (!URL.canParse(connection)) {
      throw new TypeError('database.nodes: an address must be a URL such as mysql://user@host/name')
    }
    const { hostname, port } = new URL(connection)
    return `${hostname}:${port || 3306}`
  }
  const { host, port, socketPath } = connection as {
    host?: string
    port?: number | string
    socketPath?: string
  }
  return socketPath ?? `${host ?? 'localhost'}:${port ?? 3306}`
}

function withTimeout(connection: string | object): object {
  const known = typeof connection === 'string' ? { uri: connection } : connection
  return { connectTimeout: connectTimeoutMilliseconds, ...known }
}
