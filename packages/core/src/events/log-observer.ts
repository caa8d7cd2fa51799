/** Hears of committed records, this process's at once and others' as soon as it learns of them. */
export type LogObserver = (organizationId: number, kind: string, data: unknown) => void

/** Lets caches follow the log. */
export interface LogObservation {
  /**
   * @param isRemembered whether the observer remembers something that records of a kind change.
   *   A transaction with such a record is not shared with later writes.
   * @returns a function that ends it. The same record may be reported twice.
   */
  observe(observer: LogObserver, isRemembered?: (kind: string) => boolean): () => void
  /** Makes sure that other processes' commits in this organization are noticed from now on. */
  watch(organizationId: number): Promise<void>
}

/** Reported in place of a record when the process stops following an organization's log. */
export const observationEnded = '@observation-ended'

/**
 * What a process remembers of each organization until the log says that it has changed.
 */
export class ObservedCache<Value> {
  readonly #values = new Map<number, Promise<Value>>()
  #version = 0

  constructor(
    private readonly observation: LogObservation,
    private readonly load: (organizationId: number) => Promise<Value>,
    /** Whether a record of this kind makes the value wrong. */
    private readonly isAffectedBy: (kind: string) => boolean,
  ) {
    observation.observe((organizationId, kind) => {
      if (kind !== observationEnded && !this.isAffectedBy(kind)) return
      this.#version += 1
      this.#values.delete(organizationId)
    }, isAffectedBy)
  }

  get(organizationId: number): Promise<Value> {
    const known = this.#values.get(organizationId)
    if (known !== undefined) return known
    const loading = this.#load(organizationId)
    this.#values.set(organizationId, loading)
    loading.catch(() => this.#values.delete(organizationId))
    return loading
  }

  forget(organizationId: number): void {
    this.#version += 1
    this.#values.delete(organizationId)
  }

  async #load(organizationId: number): Promise<Value> {
    // Watched first: what commits while the value is read must be heard of.
    await this.observation.watch(organizationId)
    const version = this.#version
    const value = await this.load(organizationId)
    if (version !== this.#version) this.#values.delete(organizationId)
    return value
  }
}
