import type { Knex } from 'knex'

import type { Actor } from '../domain/users/actor.js'
import type { Broker } from '../events/bus/broker-bus.js'
import { systemClock } from '../kernel/clock.js'
import { silentLogger } from '../kernel/logger.js'
import { Telemetry } from '../kernel/telemetry/telemetry.js'
import { openPools, type DatabasePools } from './connections/database-pools.js'
import type { DatabaseOption } from './connections/host-knex.js'
import { silent, withDriver } from './connections/pools.js'
import { ReadReplica } from './connections/read-replica.js'
import { prepareConnection } from './connections/transaction-connections.js'
import type { DatabaseParts } from './database-rules.js'
import { DueProbe } from './deferred-work/due-probe.js'
import type { Dialect, OpenTransaction } from './dialects/dialect.js'
import { hideValues } from './dialects/statement-errors.js'
import { TracedStatements } from './dialects/traced-statements.js'
import { withBooleans } from './rows/boolean-columns.js'
import { OrganizationScope, SnapshotScope } from './rows/scope.js'
import type { TableName, Tables } from './rows/tables.js'
import { FollowedCommits } from './transactions/followed-commits.js'
import { JoinedTransactions } from './transactions/joined-transactions.js'

/** A transaction that the application's code takes part in. */
export type ApplicationTransaction = Knex.Transaction

/**
 * The connection pools of one server. SQLite has one writing connection, and others for reads, so that
 * reads never wait for a write. An application's own SQLite instance only determines the file: with its
 * single connection, every read would wait. An application's own MySQL instance is used for the writes,
 * unless it renames columns; reads have their own connections to the same database.
 */
export class Database {
  readonly dialect: Dialect
  /** The file of SQLite; undefined with a server. */
  readonly filename: string | undefined
  /** Whether a statement blocks the event loop. */
  readonly isSynchronous: boolean
  /** The application's transactions that calls of its own code join. */
  readonly joined = new JoinedTransactions(new FollowedCommits(this))
  /** Which tables have work that is due. */
  readonly dueProbe = new DueProbe(this)
  readonly #pools: DatabasePools
  readonly #owned: Knex[] = []
  readonly #traced: TracedStatements
  readonly #replica: ReadReplica | undefined
  #statements: Knex | undefined
  #isUsable = false

  /** @throws {TypeError} if the option is unusable. */
  constructor(
    option: DatabaseOption,
    readonly tablePrefix: string,
    {
      allowOtherSqliteLibraries = false,
      readReplica,
      telemetry = new Telemetry(),
      clock = systemClock,
      logger = silentLogger,
    }: DatabaseParts = {},
  ) {
    this.#traced = new TracedStatements(telemetry, () => this.dialect.name)
    const own = (config: Knex.Config): Knex => this.#own(config)
    this.#pools = openPools(option, { allowOtherSqliteLibraries, clock, logger, own })
    const { dialect, filename, isSynchronous, replicas: kind } = this.#pools
    this.dialect = dialect
    this.filename = filename
    this.isSynchronous = isSynchronous
    const copy = readReplica && { config: readReplica, kind, dialect, clock, logger }
    this.#replica = copy && new ReadReplica(copy)
  }

  /** Runs write transactions; in a cluster that of a node that serves. */
  get writer(): Knex {
    return this.#pools.of(0).writer
  }

  /** The pool of everything else; in a cluster that of a node that serves. */
  get reader(): Knex {
    return this.#pools.of(0).reader
  }

  /** Makes statements for transactions of the application; has no connections of its own. */
  statements(client: string): Knex {
    return (this.#statements ??= this.#own({ client, log: silent }))
  }

  /** Whether several servers replicate each other, where locks of rows are those of one server. */
  get isCluster(): boolean {
    return this.#pools.nodes !== undefined
  }

  /**
   * Whether a node of a cluster does not serve. Before its commit, a transaction can be run again
   * on another one.
   */
  isNodeLost(error: unknown): boolean {
    return this.#pools.nodes?.isNodeLost(error) === true
  }

  /** The number of nodes of a cluster; 1 if there is one server. */
  get nodeCount(): number {
    return this.#pools.nodes?.size ?? 1
  }

  /**
   * Connects with the nodes of a cluster.
   *
   * @throws {Error} if they are not of one Galera cluster.
   */
  async connect(): Promise<void> {
    await this.#pools.nodes?.connect()
  }

  /** @throws {Error} if the database or the connections lack a feature that the chat requires. */
  async requireFeatures(executor = this.reader): Promise<void> {
    await this.dialect.requireFeatures(executor)
    await this.#pools.requireSessions?.()
  }

  /** Carries texts between the processes that use the database; undefined if it cannot. */
  openBroker(): Broker | undefined {
    return this.#pools.openBroker?.()
  }

  table(name: string): string {
    return this.tablePrefix + name
  }

  /**
   * Queries on one organization's rows, outside any transaction but the one of the application that
   * the call has joined.
   */
  read(organizationId: number): OrganizationScope {
    const executor = this.joined.transaction ?? this.#pools.of(organizationId).reader
    return new OrganizationScope(organizationId, executor, this.dialect, this.tablePrefix)
  }

  /**
   * Runs reads that no write relies on, at the read replica if it has everything of the organization
   * that is committed. `work` may run twice, and must not change anything.
   */
  async readReplicated<Result>(
    { organizationId }: Pick<Actor, 'organizationId'>,
    work: (scope: OrganizationScope) => Promise<Result>,
  ): Promise<Result> {
    const primary = this.read(organizationId)
    const replica = this.#replica
    if (replica === undefined || this.joined.transaction !== undefined) return work(primary)
    const { dialect, tablePrefix } = this
    const copy = new OrganizationScope(organizationId, replica.pool, dialect, tablePrefix)
    return replica.run({ replica: copy, primary }, work)
  }

  /** Whether the read replica answers; undefined without one. */
  get replicaState(): 'up' | 'down' | undefined {
    return this.#replica && (this.#replica.isAway ? 'down' : 'up')
  }

  /** Queries on the committed rows of one organization, outside any transaction. */
  readCommitted(organizationId: number): OrganizationScope {
    const { reader } = this.#pools.of(organizationId)
    return new OrganizationScope(organizationId, reader, this.dialect, this.tablePrefix)
  }

  /**
   * Whether a scope reads committed rows outside any transaction, and the part of the log that
   * this process has read contains all changes of its own.
   */
  readsPublished({ organizationId, executor }: OrganizationScope): boolean {
    if (this.joined.isPublishing(organizationId)) return false
    return executor === this.#pools.of(organizationId).reader
  }

  /** A query on the rows of all organizations in one table, as {@link read}. */
  queryAll<Name extends TableName>(name: Name): Knex.QueryBuilder<Tables[Name], Tables[Name][]> {
    const query = (this.joined.transaction ?? this.reader)(this.table(name))
    return withBooleans(query) as unknown as Knex.QueryBuilder<Tables[Name], Tables[Name][]>
  }

  /** Begins a write transaction of an organization. */
  async begin(organizationId = 0): Promise<OpenTransaction> {
    const { writer } = this.#pools.of(organizationId)
    // Otherwise its sessions are not configured as required.
    const ownsWriter = this.#owned.includes(writer)
    const open = await this.dialect.begin(writer, !ownsWriter)
    if (!ownsWriter && this.#traced.isOn) this.#traced.trace(open.executor)
    await prepareConnection(this.dialect, open.executor)
    return open
  }

  /**
   * Runs `work` in a transaction of its own, in which the application's code may take part: writes
   * of the chat do not share it. Write in it before reading, because of SQLite.
   *
   * @param organizationId the organization whose rows it changes; 0 if they are those of several.
   */
  async transaction<Result>(
    work: (trx: ApplicationTransaction) => Promise<Result>,
    organizationId = 0,
  ): Promise<Result> {
    const isolationLevel = this.dialect.hasSingleWriter ? undefined : 'read committed'
    const pool = this.#pools.transactions(organizationId)
    const traced = async (trx: ApplicationTransaction): Promise<Result> => {
      if (!this.#owned.includes(pool)) {
        this.dialect.adapt?.(trx)
        if (this.#traced.isOn) this.#traced.trace(trx)
      }
      await prepareConnection(this.dialect, trx)
      return work(trx)
    }
    return pool.transaction(traced, { ...(isolationLevel && { isolationLevel }) })
  }

  /** Runs `work` on a consistent snapshot of the database. */
  async snapshot<Result>(
    organizationId: number,
    work: (scope: OrganizationScope) => Promise<Result>,
  ): Promise<Result> {
    const { transaction } = this.joined
    if (transaction !== undefined) {
      return work(SnapshotScope.joined(organizationId, transaction, this.dialect, this.tablePrefix))
    }
    const within = (executor: Knex): Promise<Result> =>
      work(new SnapshotScope(organizationId, executor, this.dialect, this.tablePrefix))
    for (let lostNodes = 1; ; lostNodes += 1) {
      try {
        return await this.dialect.snapshot(this.#pools.of(organizationId).snapshots, within)
      } catch (error) {
        // Another node is used for the next attempt.
        if (!this.dialect.isUnavailable(error) || lostNodes >= this.nodeCount) throw error
      }
    }
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
    return this.#pools.librariesProblem()
  }

  /**
   * Call it before anything opens the file: closing it again would release other libraries' locks.
   *
   * @throws {Error} if the process has loaded several SQLite libraries, and they are not allowed.
   */
  requireOneLibrary(): void {
    if (this.#isUsable) return
    const problem = this.#pools.librariesProblem()
    if (problem !== undefined) throw new Error(problem)
    this.#isUsable = true
  }

  /** Runs `work` on a dedicated connection, which is opened and closed for it. */
  async withDedicatedConnection<Result>(
    work: (executor: Knex) => Promise<Result>,
  ): Promise<Result> {
    this.requireOneLibrary()
    const dedicated = this.#pools.openDedicated()
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
    this.#pools.nodes?.close()
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
