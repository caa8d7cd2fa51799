import { nowSeconds, type Timer } from '../../../kernel/clock.js'
import { ConsumerBatch, type BatchOutcome, type ConsumerHandler } from './consumer-batch.js'
import type { ResolvedConsumerOptions } from './consumer-options.js'
import { newLease, type ConsumerParts } from './consumer-position.js'
import { SeparateBatch } from './separate-batch.js'

/**
 * Organizations whose events are handled at the same time, without a transaction: so one whose
 * handler waits does not hold up the others.
 */
const maxSeparateOrganizations = 8
/** Interval at which the lease is extended while a handler runs without a transaction. */
const renewalMilliseconds = 10_000

/** A consumer in this process: handles due events, in turns of one organization each. */
export class RunningConsumer {
  /** The organizations that wait for their turn, in order. */
  readonly #waiting = new Set<number>()
  /** The organizations whose turn it is. */
  readonly #turns = new Map<
    number,
    { readonly ending: AbortController; readonly end: Promise<void> }
  >()
  #creation: Promise<void> | undefined
  readonly #isReady: Promise<void>
  #resolveReady: () => void = () => {}
  #mayHoldLease = false
  #isStopped = false
  #renewal: Timer | undefined
  #renewing: Promise<void> | undefined

  constructor(
    readonly name: string,
    /** Identifies this server. */
    readonly owner: string,
    private readonly options: ResolvedConsumerOptions,
    private readonly handler: ConsumerHandler,
    private readonly parts: ConsumerParts,
  ) {
    this.#isReady = new Promise((resolve) => {
      this.#resolveReady = resolve
    })
  }

  /** Stores the position of a new consumer, at the first call. */
  async create(): Promise<void> {
    const now = nowSeconds(this.parts.clock)
    this.#creation ??= this.parts.consumers.create(this.name, this.options.from, now)
    try {
      await this.#creation
      this.#resolveReady()
    } catch (error) {
      this.#creation = undefined
      throw error
    }
  }

  /** Another process has removed its position. */
  forgetPosition(): void {
    this.#creation = undefined
  }

  ready(): Promise<void> {
    return this.#isReady
  }

  /** Whether events of this kind concern it. */
  takes(kind: string): boolean {
    return this.options.kinds?.includes(kind) !== false
  }

  /** Handles due events of these organizations, after those that it handles already. */
  offer(organizationIds: readonly number[]): void {
    if (this.#isStopped) return
    for (const organizationId of organizationIds) this.#waiting.add(organizationId)
    this.#fill()
  }

  /** Resolves when no handler is running. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#waiting.clear()
    this.#endTurns()
    await Promise.all([...this.#turns.values()].map(({ end }) => end))
    await this.#renewing
    if (!this.#mayHoldLease) return
    this.#mayHoldLease = false
    try {
      await this.parts.consumers.release(this.name, this.owner)
    } catch (error) {
      // Another server continues when the lease ends.
      this.parts.logger.warn('Ending a consumer failed', { consumer: this.name, err: error })
    }
  }

  #fill(): void {
    const maxTurns = this.options.transaction ? 1 : maxSeparateOrganizations
    for (const organizationId of this.#waiting) {
      if (this.#turns.size >= maxTurns) return
      if (this.#turns.has(organizationId)) continue
      this.#waiting.delete(organizationId)
      const ending = new AbortController()
      this.#turns.set(organizationId, { ending, end: this.#turn(organizationId, ending.signal) })
      if (!this.options.transaction && this.#renewal === undefined) this.#scheduleRenewal()
    }
  }

  async #turn(organizationId: number, ending: AbortSignal): Promise<void> {
    const outcome = await this.#handle(organizationId, ending)
    this.#turns.delete(organizationId)
    if (this.#turns.size === 0) {
      this.#renewal?.cancel()
      this.#renewal = undefined
    }
    if (this.#isStopped) return
    // The others first.
    if (outcome === 'more') this.#waiting.add(organizationId)
    this.#fill()
  }

  async #handle(organizationId: number, ending: AbortSignal): Promise<BatchOutcome> {
    try {
      return await this.#run(organizationId, ending, this.options)
    } catch (error) {
      this.#failed(error)
    }
    if (!this.options.transaction) return 'done'
    try {
      // Nothing was stored. Alone, an event that causes it holds up no other one.
      return await this.#run(organizationId, ending, { ...this.options, batch: 1 })
    } catch (error) {
      this.#failed(error)
      return 'done'
    }
  }

  async #run(
    organizationId: number,
    ending: AbortSignal,
    options: ResolvedConsumerOptions,
  ): Promise<BatchOutcome> {
    const { name, owner, parts, handler } = this
    const place = { name, owner, organizationId, options }
    const batch = options.transaction
      ? new ConsumerBatch(parts, place, handler, ending)
      : new SeparateBatch(parts, place, handler, ending)
    // Also if it fails, because the lease may be stored.
    this.#mayHoldLease = true
    return batch.run()
  }

  #scheduleRenewal(): void {
    this.#renewal = this.parts.clock.setTimeout(() => {
      this.#scheduleRenewal()
      this.#renewing = this.#renew()
    }, renewalMilliseconds)
  }

  async #renew(): Promise<void> {
    const { database, consumers } = this.parts
    const lease = newLease(this, nowSeconds(this.parts.clock))
    try {
      const isHeld = await database.transaction((trx) => consumers.extendLease(trx, lease))
      if (!isHeld) this.#endTurns()
    } catch (error) {
      this.#failed(error)
    }
  }

  /** Asks the handlers that are running to end. */
  #endTurns(): void {
    for (const { ending } of this.#turns.values()) ending.abort()
  }

  #failed(error: unknown): void {
    this.parts.logger.warn(`The consumer ${this.name} failed`, { err: error })
  }
}
