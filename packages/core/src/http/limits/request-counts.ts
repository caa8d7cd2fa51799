import type { RateLimitOutcome, RateLimitRule } from './rate-limit-store.js'

/** The requests of many keys. */
export interface RequestCounts {
  count(key: string, now: number, rules: readonly RateLimitRule[]): RateLimitOutcome
  /** Subtracts the newest request of a key. */
  uncount(key: string, rules: readonly RateLimitRule[]): void
  forget(key: string): void
}

/** Maximum number of keys; beyond it, the least recently used are dropped. */
const maxKeys = 100_000

const sweepIntervalMilliseconds = 10_000

/** Stores the time of each request: exact, at 8 bytes a request. */
export class SlidingCounts implements RequestCounts {
  /** The longest window of all rules so far. */
  #longestMilliseconds = 0
  /** The largest maximum of all rules so far. */
  #largestMaximum = 0
  /** Oldest first within a key; the least recently used key first. */
  readonly #times = new Map<string, number[]>()
  #nextSweepAt = 0

  count(key: string, now: number, rules: readonly RateLimitRule[]): RateLimitOutcome {
    this.#longestMilliseconds = Math.max(this.#longestMilliseconds, longestWindow(rules))
    this.#evict(now)
    const times = this.#times.get(key) ?? []
    let retryAfterMilliseconds: number | undefined
    for (const { windowSeconds, maxRequests } of rules) {
      const decisive = times.at(-maxRequests)
      if (times.length < maxRequests || decisive === undefined) continue
      const wait = decisive + windowSeconds * 1000 - now
      if (wait > 0) retryAfterMilliseconds = Math.max(wait, retryAfterMilliseconds ?? 0)
    }
    if (retryAfterMilliseconds === undefined) {
      times.push(now)
      for (const { maxRequests } of rules) {
        if (maxRequests > this.#largestMaximum) this.#largestMaximum = maxRequests
      }
      const largest = this.#largestMaximum
      if (times.length >= 2 * largest) times.splice(0, times.length - largest)
      this.#times.delete(key)
      this.#times.set(key, times)
    }
    return { ...allowance(times, now, rules), retryAfterMilliseconds }
  }

  uncount(key: string): void {
    const times = this.#times.get(key)
    times?.pop()
    if (times?.length === 0) this.#times.delete(key)
  }

  forget(key: string): void {
    this.#times.delete(key)
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
  /** The longest window of all rules so far. */
  #longestMilliseconds = 0
  /** For each rule, the time at which the key has its full allowance again. */
  readonly #fullAt = new Map<string, readonly number[]>()
  #nextSweepAt = 0

  count(key: string, now: number, rules: readonly RateLimitRule[]): RateLimitOutcome {
    this.#longestMilliseconds = Math.max(this.#longestMilliseconds, longestWindow(rules))
    this.#evict(now)
    const before = this.#fullAt.get(key)
    let retryAfterMilliseconds: number | undefined
    const after = rules.map(({ windowSeconds, maxRequests }, index) => {
      const interval = (windowSeconds * 1000) / maxRequests
      // The rules may have changed since: the time before was at most one window ahead.
      const earlier = Math.min(before?.[index] ?? now, now + windowSeconds * 1000)
      const fullAt = Math.max(now, earlier) + interval
      const wait = fullAt - windowSeconds * 1000 - now
      if (wait > 0) retryAfterMilliseconds = Math.max(wait, retryAfterMilliseconds ?? 0)
      return fullAt
    })
    if (retryAfterMilliseconds === undefined) {
      this.#fullAt.delete(key)
      this.#fullAt.set(key, after)
    }
    const current = retryAfterMilliseconds === undefined ? after : (before ?? after)
    return { ...pacedAllowance(current, now, rules), retryAfterMilliseconds }
  }

  uncount(key: string, rules: readonly RateLimitRule[]): void {
    const fullAt = this.#fullAt.get(key)
    if (fullAt === undefined) return
    const earlier = fullAt.map((moment, index) => {
      const rule = rules[index]
      return rule === undefined ? moment : moment - (rule.windowSeconds * 1000) / rule.maxRequests
    })
    this.#fullAt.set(key, earlier)
  }

  forget(key: string): void {
    this.#fullAt.delete(key)
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

function longestWindow(rules: readonly RateLimitRule[]): number {
  return 1000 * Math.max(...rules.map((rule) => rule.windowSeconds))
}

type Allowance = Pick<RateLimitOutcome, 'remaining' | 'fullAfterMilliseconds'>

function allowance(
  times: readonly number[],
  now: number,
  rules: readonly RateLimitRule[],
): Allowance {
  let remaining = Infinity
  let fullAfterMilliseconds = 0
  const newest = times.at(-1) ?? now
  for (const { windowSeconds, maxRequests } of rules) {
    const used = times.length - firstAfter(times, now - windowSeconds * 1000)
    remaining = Math.min(remaining, Math.max(0, maxRequests - used))
    const fullAfter = newest + windowSeconds * 1000 - now
    fullAfterMilliseconds = Math.max(fullAfterMilliseconds, fullAfter)
  }
  return { remaining, fullAfterMilliseconds }
}

function pacedAllowance(
  fullAt: readonly number[],
  now: number,
  rules: readonly RateLimitRule[],
): Allowance {
  let remaining = Infinity
  for (const [index, { windowSeconds, maxRequests }] of rules.entries()) {
    const used = (((fullAt[index] ?? now) - now) * maxRequests) / (windowSeconds * 1000)
    remaining = Math.min(remaining, Math.max(0, Math.floor(maxRequests - used)))
  }
  return { remaining, fullAfterMilliseconds: Math.max(...fullAt) - now }
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
