/** At most `maxRequests` in any `windowSeconds`. */
export interface RateLimitRule {
  readonly windowSeconds: number
  readonly maxRequests: number
}

/** The state of one key after a request was counted, or refused. */
export interface Standing {
  /** The smallest maximum of the rules. */
  readonly limit: number
  /** The smallest number of requests left. */
  readonly remaining: number
  /** How long until every rule allows its maximum again. */
  readonly fullAfterMilliseconds: number
  /** Undefined if the request was counted. */
  readonly retryAfterMilliseconds: number | undefined
}

/** The requests of many keys, counted under the same rules. */
export interface RequestCounts {
  count(key: string, now: number): Standing
  /** Subtracts the newest request of a key. */
  uncount(key: string): void
  forget(key: string): void
}

/** Maximum number of keys; beyond it, the least recently used are dropped. */
const maxKeys = 100_000

const sweepIntervalMilliseconds = 10_000

/** Stores the time of each request: exact, at 8 bytes a request. */
export class SlidingCounts implements RequestCounts {
  readonly #rules: readonly RateLimitRule[]
  readonly #longestMilliseconds: number
  readonly #largestMaximum: number
  /** Oldest first within a key; the least recently used key first. */
  readonly #times = new Map<string, number[]>()
  #nextSweepAt = 0

  constructor(rules: readonly RateLimitRule[]) {
    this.#rules = rules
    this.#longestMilliseconds = 1000 * Math.max(...rules.map((rule) => rule.windowSeconds))
    this.#largestMaximum = Math.max(...rules.map((rule) => rule.maxRequests))
  }

  count(key: string, now: number): Standing {
    this.#evict(now)
    const times = this.#times.get(key) ?? []
    let retryAfterMilliseconds: number | undefined
    for (const { windowSeconds, maxRequests } of this.#rules) {
      const decisive = times.at(-maxRequests)
      if (times.length < maxRequests || decisive === undefined) continue
      const wait = decisive + windowSeconds * 1000 - now
      if (wait > 0) retryAfterMilliseconds = Math.max(wait, retryAfterMilliseconds ?? 0)
    }
    if (retryAfterMilliseconds === undefined) {
      times.push(now)
      if (times.length >= 2 * this.#largestMaximum) times.splice(0, this.#largestMaximum)
      this.#times.delete(key)
      this.#times.set(key, times)
    }
    return { ...this.#allowance(times, now), retryAfterMilliseconds }
  }

  uncount(key: string): void {
    const times = this.#times.get(key)
    times?.pop()
    if (times?.length === 0) this.#times.delete(key)
  }

  forget(key: string): void {
    this.#times.delete(key)
  }

  #allowance(times: readonly number[], now: number): Omit<Standing, 'retryAfterMilliseconds'> {
    let limit = Infinity
    let remaining = Infinity
    let fullAfterMilliseconds = 0
    const newest = times.at(-1) ?? now
    for (const { windowSeconds, maxRequests } of this.#rules) {
      const used = times.length - firstAfter(times, now - windowSeconds * 1000)
      limit = Math.min(limit, maxRequests)
      remaining = Math.min(remaining, Math.max(0, maxRequests - used))
      const fullAfter = newest + windowSeconds * 1000 - now
      fullAfterMilliseconds = Math.max(fullAfterMilliseconds, fullAfter)
    }
    return { limit, remaining, fullAfterMilliseconds }
  }

  #evict(now: number): void {
    if (now < this.#nextSweepAt && this.#times.size <= maxKeys) return
    this.#nextSweepAt = now + sweepIntervalMilliseconds
    for (const [key, times] of this.#times) {
      const isOver = (times.at(-1) ?? 0) + this.#longestMilliseconds <= now
      if (!isOver && this.#times.size <= maxKeys) return
      this.#times.delete(key)
    }
  }
}

/**
 * Allows requests at a steady rate with bursts up to the maximum (the generic cell rate algorithm
 * of ATM Forum TM 4.1): a client over the limit waits for one slot, not for a whole window.
 */
export class PacedCounts implements RequestCounts {
  readonly #rules: readonly RateLimitRule[]
  readonly #longestMilliseconds: number
  /** For each rule, the time at which the key has its full allowance again. */
  readonly #fullAt = new Map<string, readonly number[]>()
  #nextSweepAt = 0

  constructor(rules: readonly RateLimitRule[]) {
    this.#rules = rules
    this.#longestMilliseconds = 1000 * Math.max(...rules.map((rule) => rule.windowSeconds))
  }

  count(key: string, now: number): Standing {
    this.#evict(now)
    const before = this.#fullAt.get(key)
    let retryAfterMilliseconds: number | undefined
    const after = this.#rules.map(({ windowSeconds, maxRequests }, index) => {
      const interval = (windowSeconds * 1000) / maxRequests
      const fullAt = Math.max(now, before?.[index] ?? now) + interval
      const wait = fullAt - windowSeconds * 1000 - now
      if (wait > 0) retryAfterMilliseconds = Math.max(wait, retryAfterMilliseconds ?? 0)
      return fullAt
    })
    if (retryAfterMilliseconds === undefined) {
      this.#fullAt.delete(key)
      this.#fullAt.set(key, after)
    }
    const current = retryAfterMilliseconds === undefined ? after : (before ?? after)
    return { ...this.#allowance(current, now), retryAfterMilliseconds }
  }

  uncount(key: string): void {
    const fullAt = this.#fullAt.get(key)
    if (fullAt === undefined) return
    const earlier = fullAt.map((moment, index) => {
      const { windowSeconds, maxRequests } = this.#rules[index] as RateLimitRule
      return moment - (windowSeconds * 1000) / maxRequests
    })
    this.#fullAt.set(key, earlier)
  }

  forget(key: string): void {
    this.#fullAt.delete(key)
  }

  #allowance(fullAt: readonly number[], now: number): Omit<Standing, 'retryAfterMilliseconds'> {
    let limit = Infinity
    let remaining = Infinity
    for (const [index, { windowSeconds, maxRequests }] of this.#rules.entries()) {
      const used = (((fullAt[index] ?? now) - now) * maxRequests) / (windowSeconds * 1000)
      limit = Math.min(limit, maxRequests)
      remaining = Math.min(remaining, Math.max(0, Math.floor(maxRequests - used)))
    }
    return { limit, remaining, fullAfterMilliseconds: Math.max(...fullAt) - now }
  }

  #evict(now: number): void {
    if (now < this.#nextSweepAt && this.#fullAt.size <= maxKeys) return
    this.#nextSweepAt = now + sweepIntervalMilliseconds
    for (const [key, fullAt] of this.#fullAt) {
      const isOver = Math.max(...fullAt) <= now - this.#longestMilliseconds
      if (!isOver && this.#fullAt.size <= maxKeys) return
      this.#fullAt.delete(key)
    }
  }
}

/** The index of the first of the ascending `times` that is later than `moment`. */
function firstAfter(times: readonly number[], moment: number): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? Infinity) > moment) high = middle
    else low = middle + 1
  }
  return low
}
