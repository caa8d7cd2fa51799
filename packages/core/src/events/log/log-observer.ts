/**
 * Called for committed records: for this process's at once, for others' as soon as they are read.
 *
 * @param userIds the recipients that the record names, besides those of an interned list.
 */
export type LogObserver = (
  organizationId: number,
  kind: string,
  data: unknown,
  userIds: Iterable<number>,
) => void

/**
 * The changes of a transaction of the application that are visible to calls which have joined it,
 * and to others only when it commits.
 */
export interface UncommittedChanges {
  /** The kinds of the organization's events that the transaction has written so far. */
  kinds(organizationId: number): ReadonlySet<string>
  /** Runs work outside the transaction: it reads committed rows only. */
  outside<Result>(work: () => Result): Result
  /** Reads a value once in the transaction, until the next write in it. */
  memoize<Value>(cache: object, organizationId: number, load: () => Promise<Value>): Promise<Value>
}

/** How often values were in a cache, and how often they had to be loaded. */
export interface CacheReads {
  hits: number
  misses: number
}

/** Lets caches follow the event log. */
export interface LogObservation {
  readonly uncommitted: UncommittedChanges
  /** Counts the reads of a kind of cache, for the metrics. */
  readsOf(cache: string): CacheReads
  /**
   * @param isRemembered whether the observer caches something that records of a kind invalidate. A
   *   transaction with such a record is not batched with later writes.
   * @returns a function that ends the observation. A record is reported once, unless the bus delivers
   *   it again after the log was read.
   */
  observe(observer: LogObserver, isRemembered?: (kind: string) => boolean): () => void
  /** Ensures that other processes' commits in this organization are reported from now on. */
  watch(organizationId: number): Promise<void>
}

/** Reported in place of a record when the process stops following an organization's log. */
export const observationEnded = '@observation-ended'

/**
 * Caches one value per organization until a log record invalidates it. A call that has joined a
 * transaction in which the value was changed reads its own.
 */
export class ObservedCache<Value> {
  readonly #values = new Map<number, Promise<Value>>()
  /** Those that are complete. */
  readonly #loaded = new Map<number, Value>()
  readonly #reads: CacheReads
  #version = 0

  constructor(
    private readonly observation: LogObservation,
    /** The name of the cache in the metrics. */
    name: string,
    private readonly load: (organizationId: number) => Promise<Value>,
    /** Whether a record of this kind invalidates the value. */
    private readonly isAffectedBy: (kind: string) => boolean,
    /** Corrects the value after such a record. Without it, the value is loaded again. */
    private readonly correct?: (
      value: Value,
      kind: string,
      data: unknown,
      userIds: Iterable<number>,
    ) => void,
  ) {
    this.#reads = observation.readsOf(name)
    observation.observe((organizationId, kind, data, userIds) => {
      if (kind !== observationEnded && !this.isAffectedBy(kind)) return
      const loaded = this.#loaded.get(organizationId)
      if (this.correct !== undefined && loaded !== undefined && kind !== observationEnded) {
        this.correct(loaded, kind, data, userIds)
      } else {
        this.forget(organizationId)
      }
    }, isAffectedBy)
  }

  get(organizationId: number): Promise<Value> {
    const { uncommitted } = this.observation
    const kinds = uncommitted.kinds(organizationId)
    if (kinds.size > 0 && [...kinds].some(this.isAffectedBy)) {
      return uncommitted.memoize(this, organizationId, () => this.load(organizationId))
    }
    const known = this.#values.get(organizationId)
    if (known !== undefined) {
      this.#reads.hits += 1
      return known
    }
    this.#reads.misses += 1
    const loading = uncommitted.outside(() => this.#load(organizationId))
    this.#values.set(organizationId, loading)
    loading.catch(() => this.#values.delete(organizationId))
    return loading
  }

  forget(organizationId: number): void {
    this.#version += 1
    this.#values.delete(organizationId)
    this.#loaded.delete(organizationId)
  }

  async #load(organizationId: number): Promise<Value> {
    // Watched first, so that commits during the read invalidate the value.
    await this.observation.watch(organizationId)
    const version = this.#version
    const value = await this.load(organizationId)
    if (version === this.#version) this.#loaded.set(organizationId, value)
    else this.#values.delete(organizationId)
    return value
  }
}
