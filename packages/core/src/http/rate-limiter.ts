import { ChatError } from '../errors/index.js'
import type { Clock } from '../kernel/clock.js'
import {
  PacedCounts,
  SlidingCounts,
  type RateLimitRule,
  type RequestCounts,
} from './request-counts.js'

export type { RateLimitRule } from './request-counts.js'

/**
 * The subject and the key of a limit. Every key belongs to one organization. An address is an IPv4
 * address, or the first 64 bits of an IPv6 address.
 */
export type RateLimitDomain =
  /** Requests with credentials, by user. */
  | 'apiByUser'
  /** Requests without credentials to operations that count them, by client address. */
  | 'apiByAddress'
  /** Calls that may be held (long polls), by user. */
  | 'longPollByUser'
  /**
   * Attempts to sign in with a password, by user name, from addresses from which that name has not
   * signed in recently.
   */
  | 'loginByUsername'
  /** The same, by client address. */
  | 'loginByAddress'
  /** Attempts to sign in with a password, by user name and client address. */
  | 'loginByUsernameAndAddress'
  /** Changes of one's own e-mail address, by user. */
  | 'emailChangeByUser'
  /** Reads of uploaded files without credentials, by file. */
  | 'fileReadByFile'
  /** Requests that fetch content of other hosts, by client address. */
  | 'externalContentByAddress'

/**
 * The rules of each domain; several rules of one domain apply together, and an empty list means no
 * limit.
 */
export type RateLimitRules = Readonly<Record<RateLimitDomain, readonly RateLimitRule[]>>

/** The default rules. */
export const defaultRateLimitRules: RateLimitRules = {
  apiByUser: [{ windowSeconds: 60, maxRequests: 200 }],
  apiByAddress: [{ windowSeconds: 60, maxRequests: 100 }],
  longPollByUser: [{ windowSeconds: 60, maxRequests: 200 }],
  loginByUsername: [
    { windowSeconds: 1800, maxRequests: 30 },
    { windowSeconds: 86_400, maxRequests: 100 },
  ],
  loginByAddress: [
    { windowSeconds: 1800, maxRequests: 30 },
    { windowSeconds: 86_400, maxRequests: 200 },
  ],
  loginByUsernameAndAddress: [{ windowSeconds: 1800, maxRequests: 5 }],
  emailChangeByUser: [
    { windowSeconds: 3600, maxRequests: 2 },
    { windowSeconds: 86_400, maxRequests: 5 },
  ],
  fileReadByFile: [{ windowSeconds: 86_400, maxRequests: 1000 }],
  externalContentByAddress: [{ windowSeconds: 60, maxRequests: 300 }],
}

/** The state of one key after a request was counted, or refused. */
export interface RateLimitState {
  /** Undefined if the request is allowed. */
  readonly retryAfterSeconds: number | undefined
  /** The smallest maximum of the rules. */
  readonly limit: number
  /** The smallest number of requests left. */
  readonly remaining: number
  /** When every rule allows its maximum again, in Unix seconds. */
  readonly fullAtSeconds: number
}

/** Collects the limits that one request was counted against. */
export class RateLimitHeaders {
  #limit: number | undefined
  #remaining = Infinity
  #fullAtSeconds = 0

  add(state: RateLimitState | undefined): void {
    if (state === undefined) return
    this.#limit = Math.min(this.#limit ?? Infinity, state.limit)
    this.#remaining = Math.min(this.#remaining, state.remaining)
    this.#fullAtSeconds = Math.max(this.#fullAtSeconds, state.fullAtSeconds)
  }

  /** `X-RateLimit-*` of the response; undefined if no limit applied. */
  get headers(): Readonly<Record<string, string>> | undefined {
    if (this.#limit === undefined) return undefined
    return {
      'X-RateLimit-Limit': String(this.#limit),
      'X-RateLimit-Remaining': String(this.#remaining),
      'X-RateLimit-Reset': String(this.#fullAtSeconds),
    }
  }
}

/**
 * Counts requests per organization and key, in the memory of this process: each process of a server
 * applies the limits separately.
 */
export class RateLimiter {
  readonly #clock: Clock
  readonly #counts: ReadonlyMap<RateLimitDomain, RequestCounts>

  /** @param rules replaces the rules of single domains; `off` disables all limits. */
  constructor(clock: Clock, rules: Partial<RateLimitRules> | 'off' = {}) {
    this.#clock = clock
    const counts = new Map<RateLimitDomain, RequestCounts>()
    if (rules !== 'off') {
      for (const [name, ruleList] of Object.entries({ ...defaultRateLimitRules, ...rules })) {
        if (ruleList.length === 0) continue
        // Clients poll in a tight loop; one that exceeds the limit is slowed down, not locked out.
        const Counts = name === 'longPollByUser' ? PacedCounts : SlidingCounts
        counts.set(name as RateLimitDomain, new Counts(ruleList))
      }
    }
    this.#counts = counts
  }

  /**
   * Counts one request, unless it is refused: refused requests do not prolong the wait.
   *
   * @returns undefined if the domain has no limit.
   */
  count(
    domain: RateLimitDomain,
    organizationId: number,
    key: string | number,
  ): RateLimitState | undefined {
    const counts = this.#counts.get(domain)
    if (counts === undefined) return undefined
    const now = this.#clock.now()
    const standing = counts.count(`${organizationId}/${key}`, now)
    return {
      retryAfterSeconds:
        standing.retryAfterMilliseconds === undefined
          ? undefined
          : standing.retryAfterMilliseconds / 1000,
      limit: standing.limit,
      remaining: standing.remaining,
      fullAtSeconds: Math.ceil((now + standing.fullAfterMilliseconds) / 1000),
    }
  }

  /**
   * Counts one request like {@link count}.
   *
   * @param limitHeaders collects the limits of the request for the headers of its response.
   * @throws {ChatError} `RATE_LIMIT_HIT` if there were too many.
   */
  require(
    domain: RateLimitDomain,
    organizationId: number,
    key: string | number,
    limitHeaders?: RateLimitHeaders,
  ): void {
    const state = this.count(domain, organizationId, key)
    limitHeaders?.add(state)
    requireUnderLimit(state)
  }

  /** Subtracts the request that was counted last, as after a successful login. */
  uncount(domain: RateLimitDomain, organizationId: number, key: string | number): void {
    this.#counts.get(domain)?.uncount(`${organizationId}/${key}`)
  }

  /** Resets the count of a key, as after a successful login. */
  forget(domain: RateLimitDomain, organizationId: number, key: string | number): void {
    this.#counts.get(domain)?.forget(`${organizationId}/${key}`)
  }
}

/** @throws {ChatError} `RATE_LIMIT_HIT` if `state` is that of a refused request. */
export function requireUnderLimit(state: RateLimitState | undefined): void {
  if (state?.retryAfterSeconds === undefined) return
  throw new ChatError('RATE_LIMIT_HIT', { fields: { 'retry-after': state.retryAfterSeconds } })
}
