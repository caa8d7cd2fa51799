/**
 * Called for committed records: for this process's at once, for others' as soon as they are read.
 */
export type LogObserver = (organizationId: number, kind: string, data: unknown) => void

/** Lets caches follow the event log. */
export interface LogObservation {
  /**
   * @param isRemembered whether the observer caches something that records of a kind invalidate. A
   *   transaction with such a record is not batched with later writes.
   * @returns a function that ends the observation. The same record may be reported twice.
   */
  observe(observer: LogObserver, isRemembered?: (kind: string) => boolean): () => void
  /** Ensures that other processes' commits in this organization are reported from now on. */
  watch(organizationId: number): Promise<void>
}

/** Reported in place of a record when the process stops following an organization's log. */
export const observationEnded = '@observation-ended'

/** Caches one value per organization until a log record invalidates it. */
export class ObservedCache<Value> {
  readonly #values = new Map<number, Promise<Value>>()
  #version = 0

  constructor(
    private readonly observation: LogObservation,
    private readonly load: (organizationId: number) => Promise<Value>,
    /** Whether a record of this kind invalidates the value. */
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
    // Watched first, so that commits during the read invalidate the value.
    await this.observation.watch(organizationId)
    const version = this.#version
    const value = await this.load(organizationId)
    if (version !== this.#version) this.#values.delete(organizationId)
    return value
  }
}
