import { LRUCache } from 'lru-cache'
import { inject } from 'tsyringe'

import { FollowedLogs } from '../../../events/log/followed-logs.js'
import type { CacheReads } from '../../../events/log/kept-values.js'
import { Changes, type ChangingKind, type RecordKind } from '../../../events/record-kind.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database, type OrganizationScope } from '../../../storage/index.js'
import { OrganizationRepository } from './organization-repository.js'
import { SharedRows, type SharedRowsRules } from './shared-rows.js'
import { SharedUserParts, type UserPartsRules } from './shared-user-parts.js'

/** How a value is read, and which records of the log change it. */
export interface SharedValueRules<Value> {
  load(scope: OrganizationScope): Promise<Value>
  /** Each commit that changes the value has a record of one of these kinds. */
  readonly changedBy: readonly (RecordKind | ChangingKind)[]
  /**
   * Whether a write that changes the value emits such a record before it reads the value again. Then
   * writes need not read it either, until they have changed it.
   *
   * @default false
   */
  readonly isAnnouncedAtOnce?: boolean
  /** Corrects the value after a change of what has these ids. @default it is read again */
  correct?(value: Value, ids: readonly number[]): void
  /** Whether the value is small enough to be kept. @default always */
  isSmall?(value: Value): boolean
  /** Limits what is kept of all organizations together. @default no limit */
  readonly total?: { readonly maxSize: number; sizeOf(value: Value): number }
}

interface KeptValue<Value> {
  readonly value: Value
  /** The entry of the log up to which the value was read; undefined if that is not known. */
  readonly seq: number | undefined
}

/** By organization. */
interface KeptValues<Value> {
  get(organizationId: number): KeptValue<Value> | undefined
  set(organizationId: number, kept: KeptValue<Value>): unknown
  delete(organizationId: number): boolean
}

/** Makes values that all users of an organization share, and that are kept between calls. */
@perServer()
export class SharedValues {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(FollowedLogs) private readonly logs: FollowedLogs,
  ) {}

  /** @param name names it in the metrics. */
  define<Value>(name: string, rules: SharedValueRules<Value>): SharedValue<Value> {
    return new SharedValue(this.database, this.organizations, this.logs, name, rules)
  }

  /** The same for rows with ids, which are read as they are needed. */
  defineRows<Row>(name: string, rules: SharedRowsRules<Row>): SharedRows<Row> {
    return new SharedRows(this.database, this, name, rules)
  }

  /** The same for a value that is assembled from a part of each user. */
  defineUserParts<Whole, Part>(
    name: string,
    rules: UserPartsRules<Whole, Part>,
  ): SharedUserParts<Whole, Part> {
    return new SharedUserParts(this.database, this.logs.uncommitted, this, name, rules)
  }
}

/**
 * A value of each organization that is kept until a record of the log changes it. Calls get the
 * newest one, snapshots that of their state of the database.
 */
export class SharedValue<Value> {
  readonly #kept: KeptValues<Value>
  /** Values that are being read, for all calls that need them meanwhile. */
  readonly #loading = new Map<number, Promise<Value>>()
  readonly #reads: CacheReads
  readonly #changes: Changes
  /** The newest entry of the log that has changed the value. */
  readonly #changedAt = new Map<number, number>()
  /** Increases with every change: a value that was being read meanwhile is not kept. */
  #version = 0

  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationRepository,
    private readonly logs: FollowedLogs,
    name: string,
    private readonly rules: SharedValueRules<Value>,
  ) {
    const { total } = rules
    this.#kept = total
      ? new LRUCache<number, KeptValue<Value>>({
          maxSize: total.maxSize,
          // One for the value itself: the library refuses zero.
          sizeCalculation: ({ value }) => total.sizeOf(value) + 1,
        })
      : new Map()
    this.#reads = logs.readsOf(name)
    this.#changes = new Changes(rules.changedBy)
    logs.onChanges(this.#changes, (organizationId, ids, seq) => {
      if (ids.length === 0) return
      if (seq === undefined) this.#changedAt.delete(organizationId)
      else if (seq > this.#lastChangeOf(organizationId)) this.#changedAt.set(organizationId, seq)
      const kept = this.#kept.get(organizationId)
      if (rules.correct !== undefined && kept !== undefined && ids !== 'all') {
        rules.correct(kept.value, ids)
        return
      }
      this.#version += 1
      this.#kept.delete(organizationId)
      this.#loading.delete(organizationId)
    })
  }

  /**
   * The newest committed value; for calls in a transaction of the application that has changed the
   * value, that of the transaction. Not to be changed.
   */
  async of(organizationId: number): Promise<Value> {
    const { uncommitted } = this.logs
    return this.#changes.includesAny(uncommitted.kinds(organizationId))
      ? uncommitted.memoize(this, organizationId, () =>
          this.rules.load(this.database.read(organizationId)),
        )
      : this.#newest(organizationId)
  }

  /** The value in the state that `scope` reads. Not to be changed. */
  async in(scope: OrganizationScope): Promise<Value> {
    if (scope.isCommittedState) return this.#inSnapshot(scope)
    return this.database.readsPublished(scope) || this.#isUnchangedBy(scope)
      ? this.#newest(scope.organizationId)
      : this.rules.load(scope)
  }

  #isUnchangedBy({ organizationId, kindsOfLockedWrite: kinds }: OrganizationScope): boolean {
    if (this.rules.isAnnouncedAtOnce !== true || kinds === undefined) return false
    return !this.#changes.includesAny(kinds) && !this.database.joined.isPublishing(organizationId)
  }

  async #newest(organizationId: number): Promise<Value> {
    const kept = this.#kept.get(organizationId)
    if (kept !== undefined) return this.#count(kept)
    const known = this.#loading.get(organizationId)
    if (known !== undefined) return known
    const loading = this.logs.uncommitted.outside(async () => {
      await this.logs.watch(organizationId)
      return this.#load(this.database.read(organizationId), undefined)
    })
    this.#loading.set(organizationId, loading)
    try {
      return await loading
    } finally {
      if (this.#loading.get(organizationId) === loading) this.#loading.delete(organizationId)
    }
  }

  async #inSnapshot(scope: OrganizationScope): Promise<Value> {
    const { organizationId } = scope
    const seq = (await this.organizations.findCurrent(scope))?.event_seq
    if (seq === undefined) return this.rules.load(scope)
    await this.logs.watch(organizationId)
    // The entries that have changed the value until then drop it.
    await this.logs.catchUp(organizationId, seq)
    const { headSeq = -1, openedSeq = Infinity } = this.logs.find(organizationId) ?? {}
    const kept = this.#kept.get(organizationId)
    if (headSeq >= seq && kept?.seq !== undefined && kept.seq <= seq) return this.#count(kept)
    // An entry that the snapshot does not contain has changed the value, or may have.
    const isNewest = seq >= openedSeq && seq >= this.#lastChangeOf(organizationId)
    return isNewest ? this.#load(scope, seq) : this.rules.load(scope)
  }

  #lastChangeOf(organizationId: number): number {
    return this.#changedAt.get(organizationId) ?? -1
  }

  #count({ value }: KeptValue<Value>): Value {
    this.#reads.hits += 1
    return value
  }

  async #load(scope: OrganizationScope, seq: number | undefined): Promise<Value> {
    this.#reads.misses += 1
    const version = this.#version
    const value = await this.rules.load(scope)
    const isKept = version === this.#version && this.rules.isSmall?.(value) !== false
    if (isKept) this.#kept.set(scope.organizationId, { value, seq })
    return value
  }
}
