import type { Knex } from 'knex'
import { LRUCache } from 'lru-cache'

import { ChatError } from '../../errors/index.js'
import type { Clock } from '../../kernel/clock.js'
import { entryLimit } from '../../kernel/entry-limit.js'
import type { Logger } from '../../kernel/logger.js'
import { withinTime } from '../../kernel/within-time.js'
import type { Dialect } from '../dialects/dialect.js'
import type { OrganizationScope } from '../rows/scope.js'
import type { KnexConfiguration } from './host-knex.js'
import { driverName, requireConnection } from './pools.js'

/** How long a replica may take to tell how far it is; reads do not wait longer for it. */
const checkMilliseconds = 1000
/** How long reads at a replica may take; then they are made at the primary. */
const readMilliseconds = 10_000
/** How long a replica that failed is not asked. */
const awayMilliseconds = 10_000
/** How long it is remembered how far a replica is: later, it may have been promoted. */
const rememberedMilliseconds = 10_000
/** Organizations of which it is remembered how far the replica is. */
const maxRemembered = 10_000

/** The replicas that a database can have. */
export interface ReplicaKind {
  readonly client: 'mysql2' | 'pg'
  /** Creates a pool that is closed with the database. */
  readonly open: (config: Knex.Config) => Knex
  /** @throws {Error} if connections have no sessions of their own, although they need them. */
  readonly requireSessions?: (pool: Knex) => Promise<void>
}

export interface ReadReplicaParts {
  readonly config: KnexConfiguration
  /** Undefined if the database can have none. */
  readonly kind: ReplicaKind | undefined
  readonly dialect: Dialect
  readonly clock: Clock
  readonly logger: Logger
}

/** A read at the replica or, instead, at the primary. */
interface ReplicatedRead {
  readonly replica: OrganizationScope
  readonly primary: OrganizationScope
}

/** A copy of the database that lags behind, for reads of rows that it has already. */
export class ReadReplica {
  readonly pool: Knex
  #isAway = false
  /** The check of its sessions, which is made once for all reads. */
  #sessions: Promise<void> | undefined
  #retriesAtMilliseconds = 0
  #forgetsAtMilliseconds = 0
  /** By organization: the sequence number of the log that the replica has reached. */
  readonly #reached = new LRUCache<number, number>(entryLimit(maxRemembered))

  /** @throws {TypeError} if the configuration is unusable. */
  constructor(private readonly parts: ReadReplicaParts) {
    const { kind } = parts
    if (kind === undefined) {
      throw new TypeError('readReplica needs a database of MySQL, MariaDB or PostgreSQL')
    }
    const config = parts.config as Knex.Config
    if (driverName(config) !== kind.client) {
      throw new TypeError(`readReplica needs the client '${kind.client}', as the database has`)
    }
    requireConnection(config, 'readReplica')
    this.pool = kind.open(config)
  }

  /** Whether it has failed, and was not used since. */
  get isAway(): boolean {
    return this.#isAway
  }

  /**
   * Runs reads at the replica, if it has everything of the organization that the primary has;
   * otherwise, or if it fails, at the primary. `work` may run twice.
   */
  async run<Result>(
    { replica, primary }: ReplicatedRead,
    work: (scope: OrganizationScope) => Promise<Result>,
  ): Promise<Result> {
    const { clock } = this.parts
    if (this.#isAway && clock.now() < this.#retriesAtMilliseconds) return work(primary)
    const head = await headOf(primary)
    try {
      if (await this.#within(checkMilliseconds, this.#hasReached(replica, head))) {
        const result = await this.#within(readMilliseconds, work(replica))
        this.#noteUse()
        return result
      }
    } catch (error) {
      if (this.#isFailure(error)) this.#leave(error)
    }
    return work(primary)
  }

  async #hasReached(replica: OrganizationScope, head: number): Promise<boolean> {
    const { organizationId } = replica
    await (this.#sessions ??= this.parts.kind
      ?.requireSessions?.(this.pool)
      .catch((error: unknown) => {
        this.#sessions = undefined
        throw error
      }))
    const now = this.parts.clock.now()
    if (now >= this.#forgetsAtMilliseconds) {
      this.#reached.clear()
      this.#forgetsAtMilliseconds = now + rememberedMilliseconds
    }
    if ((this.#reached.get(organizationId) ?? -1) >= head) return true
    const reached = await headOf(replica, this.parts.dialect.sql.isReplica)
    this.#reached.set(organizationId, reached)
    return reached >= head
  }

  #noteUse(): void {
    if (!this.#isAway) return
    this.#isAway = false
    this.parts.logger.info('The read replica is back')
  }

  /**
   * Not an error that the primary would report too, nor that of a read that PostgreSQL has ended
   * because it was in the way of the replication.
   */
  #isFailure(error: unknown): boolean {
    return !(error instanceof ChatError || this.parts.dialect.isRetryable(error))
  }

  #leave(error: unknown): void {
    const { clock, logger } = this.parts
    this.#retriesAtMilliseconds = clock.now() + awayMilliseconds
    // It may be another server when it is back.
    this.#reached.clear()
    this.#sessions = undefined
    if (this.#isAway) return
    this.#isAway = true
    logger.warn('The read replica is away; the primary answers', { err: error })
  }

  #within<Value>(milliseconds: number, work: Promise<Value>): Promise<Value> {
    return withinTime(this.parts.clock, milliseconds, work, () => new ReplicaTimeout())
  }
}

class ReplicaTimeout extends Error {
  constructor() {
    super('The read replica does not answer in time')
  }
}

/**
 * The newest sequence number of the organization's log; -1 without the organization.
 *
 * @param isReplica the SQL expression by which a server tells whether it is a replica.
 * @throws {Error} if the server can tell that it is no replica.
 */
async function headOf(scope: OrganizationScope, isReplica?: string): Promise<number> {
  const also = isReplica === undefined ? [] : [scope.executor.raw(`${isReplica} AS is_replica`)]
  const row: { event_seq: number | string; is_replica?: boolean } | undefined = await scope
    .organization()
    .first('event_seq', ...also)
  if (row?.is_replica === false) {
    throw new Error(
      'The server of readReplica is no replica: it was promoted, or is the primary. Name a replica',
    )
  }
  return Number(row?.event_seq ?? -1)
}
