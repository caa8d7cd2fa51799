import { inject } from 'tsyringe'

import { FollowedLogs } from '../../../events/log/followed-logs.js'
import { observationEnded, type CacheReads } from '../../../events/log/log-observer.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database, type OrganizationScope } from '../../../storage/index.js'
import { OrganizationRepository } from './organization-repository.js'
import { SharedRows, type SharedRowsRules } from './shared-rows.js'

/** How a value is read, and which events change it. */
export interface SharedValueRules<Value> {
  load(scope: OrganizationScope): Promise<Value>
  /**
   * Each commit that changes the value has one of these events, or a record of one of these kinds;
   * `user_group/` are all events of that type.
   */
  readonly changedBy: readonly (string | { readonly definition: { readonly kind: string } })[]
  /** Whether the value is small enough to be kept. @default always */
  isSmall?(value: Value): boolean
}

interface KeptValue<Value> {
  readonly value: Value
  /** The entry of the log up to which the value was read; undefined if that is not known. */
  readonly seq: number | undefined
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
    return new SharedRows(this.database, this.logs, name, rules)
  }
}

/**
 * A value of each organization that is kept until a record of the log changes it. Calls get the
 * newest one, snapshots that of their state of the database.
 */
export class SharedValue<Value> {
  readonly #kept = new Map<number, KeptValue<Value>>()
  readonly #reads: CacheReads
  /** Increases with every change: a value that was being read meanwhile is not kept. */
  #version = 0

  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationRepository,
    private readonly logs: FollowedLogs,
    name: string,
    private readonly rules: SharedValueRules<Value>,
  ) {
    this.#reads = logs.readsOf(name)
    const kinds = rules.changedBy.map((by) => (typeof by === 'string' ? by : by.definition.kind))
    const isAffectedBy = (kind: string): boolean =>
      kinds.some((one) => (one.endsWith('/') ? kind.startsWith(one) : kind === one))
    logs.observe((organizationId, kind) => {
      if (kind !== observationEnded && !isAffectedBy(kind)) return
      this.#version += 1
      this.#kept.delete(organizationId)
    }, isAffectedBy)
  }

  /** The value in the state that `scope` reads. Not to be changed. */
  async in(scope: OrganizationScope): Promise<Value> {
    if (scope.isCommittedState) return this.#inSnapshot(scope)
    if (!this.database.readsPublished(scope)) return this.rules.load(scope)
    const { organizationId } = scope
    const kept = this.#kept.get(organizationId)
    if (kept !== undefined) return this.#count(kept)
    await this.logs.watch(organizationId)
    return this.#load(scope, undefined)
  }

  async #inSnapshot(scope: OrganizationScope): Promise<Value> {
    const { organizationId } = scope
    const seq = (await this.organizations.findCurrent(scope))?.event_seq
    if (seq === undefined) return this.rules.load(scope)
    await this.logs.watch(organizationId)
    // The entries that have changed the value until then drop it.
    await this.logs.catchUp(organizationId, seq)
    const { headSeq = -1, knownSeq } = this.logs.find(organizationId) ?? {}
    const kept = this.#kept.get(organizationId)
    if (headSeq >= seq && kept?.seq !== undefined && kept.seq <= seq) return this.#count(kept)
    // An entry that the snapshot does not contain may have changed the value.
    return knownSeq === seq ? this.#load(scope, seq) : this.rules.load(scope)
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
