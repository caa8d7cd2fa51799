import type { Clock } from '../../kernel/clock.js'
import type { Logger } from '../../kernel/logger.js'
import { propertiesOf } from '../../kernel/objects.js'
import { withinTime } from '../../kernel/within-time.js'
import { PacedCounts, SlidingCounts, type RequestCounts } from './request-counts.js'

/** At most `maxRequests` in any `windowSeconds`. */
export interface RateLimitRule {
  readonly windowSeconds: number
  readonly maxRequests: number
}

/** A count of requests, and the rules that apply to it. */
export interface RateLimitKey {
  /** Identifies the count; at most 200 ASCII characters, without secrets. */
  readonly key: string
  /** All of them apply together; at least one. */
  readonly rules: readonly RateLimitRule[]
  /**
   * Whether requests beyond a rule should wait until one more is allowed at a steady rate, instead
   * of until the window is over: for clients that poll in a loop. A store may ignore it.
   */
  readonly isPaced: boolean
}

/** The state of a key after a request was counted, or refused. */
export interface RateLimitOutcome {
  /** How long until a request is allowed; 0 or undefined if this one was counted. */
  readonly retryAfterMilliseconds?: number | undefined
  /** The smallest number of requests left, by any of the rules. */
  readonly remaining: number
  /** How long until every rule allows its maximum again, if there are no more requests. */
  readonly fullAfterMilliseconds: number
}

/**
 * Counts requests for several processes. If a call fails, or takes longer than a second, each
 * process counts for itself for five seconds, then tries again.
 */
export interface RateLimitStore {
  /**
   * Called by `chat.start()`. A failure makes the start fail, so a store whose server is away
   * connects later.
   *
   * @param databaseId identifies the database of the chat, so that products which share a server do
   *   not count together.
   */
  connect?(databaseId: string): Promise<void>
  /**
   * Counts one request, unless a rule refuses it: a refused request must not prolong the wait. The
   * check and the count must be atomic.
   */
  consume(limit: RateLimitKey): Promise<RateLimitOutcome>
  /** Subtracts the newest counted request, as of an attempt to sign in that succeeded. */
  refund(limit: RateLimitKey): Promise<void>
  /** Forgets all requests of a key. */
  forget(limit: RateLimitKey): Promise<void>
  /** Called by `chat.close()`, after the last request. */
  close?(): Promise<void>
}

/** Counts requests in the memory of this process; each limit with a bounded number of keys. */
export class ProcessCounts {
  readonly #clock: Pick<Clock, 'now'>
  readonly #counts = new Map<string, RequestCounts>()

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  consume(limit: RateLimitKey): RateLimitOutcome {
    return this.#of(limit).count(limit.key, this.#clock.now(), limit.rules)
  }

  refund(limit: RateLimitKey): void {
    this.#of(limit).uncount(limit.key, limit.rules)
  }

  forget(limit: RateLimitKey): void {
    this.#of(limit).forget(limit.key)
  }

  /** Separate for each limit, so that many keys of one cannot displace those of another. */
  #of({ key, isPaced }: RateLimitKey): RequestCounts {
    const name = key.slice(0, key.indexOf('/'))
    let counts = this.#counts.get(name)
    if (counts === undefined) {
      counts = isPaced ? new PacedCounts() : new SlidingCounts()
      this.#counts.set(name, counts)
    }
    return counts
  }
}

const timeoutMilliseconds = 1000
const pauseMilliseconds = 5000

/** A store of the application, with the memory of this process for the time when it is away. */
export class GuardedStore implements RateLimitStore {
  readonly #own: ProcessCounts
  #isAway = false
  #triesAgainAt = 0
  #failures = 0

  constructor(
    private readonly store: RateLimitStore,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.#own = new ProcessCounts(clock)
  }

  async connect(databaseId: string): Promise<void> {
    await this.store.connect?.(databaseId)
  }

  async close(): Promise<void> {
    await this.store.close?.()
  }

  async consume(limit: RateLimitKey): Promise<RateLimitOutcome> {
    return this.#run(
      async () => checkedOutcome(await this.store.consume(limit)),
      () => this.#own.consume(limit),
    )
  }

  async refund(limit: RateLimitKey): Promise<void> {
    await this.#run(
      () => this.store.refund(limit),
      () => this.#own.refund(limit),
    )
  }

  async forget(limit: RateLimitKey): Promise<void> {
    await this.#run(
      () => this.store.forget(limit),
      () => this.#own.forget(limit),
    )
  }

  async #run<Result>(shared: () => Promise<Result>, own: () => Result): Promise<Result> {
    const now = this.clock.now()
    if (this.#isAway) {
      if (now < this.#triesAgainAt) return own()
      // This call alone tries; the others do not wait for it.
      this.#triesAgainAt = now + pauseMilliseconds
    }
    const failures = this.#failures
    try {
      const late = (): Error => new Error('The store has not answered for a second')
      const result = await withinTime(this.clock, timeoutMilliseconds, shared(), late)
      // The end of a call from before an outage says nothing about it.
      if (this.#isAway && failures === this.#failures) {
        this.logger.info('The store of rate limits is back')
        this.#isAway = false
      }
      return result
    } catch (error) {
      this.#failures += 1
      this.#triesAgainAt = this.clock.now() + pauseMilliseconds
      if (!this.#isAway) {
        this.logger.error(
          'The store of rate limits is away; each process counts for itself until it is back',
          { err: error },
        )
      }
      this.#isAway = true
      return own()
    }
  }
}

/** @throws {TypeError} because the store is the application's. */
function checkedOutcome(outcome: RateLimitOutcome): RateLimitOutcome {
  const { remaining, fullAfterMilliseconds, retryAfterMilliseconds = 0 } = propertiesOf(outcome)
  if ([remaining, fullAfterMilliseconds, retryAfterMilliseconds].every(Number.isFinite)) {
    return outcome
  }
  throw new TypeError(
    'consume() must resolve to { remaining, fullAfterMilliseconds, retryAfterMilliseconds }',
  )
}
