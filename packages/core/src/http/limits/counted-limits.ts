import { keyWithin, type LimitKey } from '../../kernel/limit-keys.js'
import { whenDone, type MaybePromise } from '../../kernel/maybe-promise.js'
import type { RateLimitRule } from './rate-limit-store.js'
import {
  requireUnderLimit,
  type RateLimiter,
  type RateLimitHeaders,
  type RateLimitName,
  type UserRateLimitDomain,
} from './rate-limiter.js'

/** A limit that a request is counted against. */
export interface CountedLimit {
  readonly name: RateLimitName
  readonly key: LimitKey
  readonly rules: readonly RateLimitRule[]
}

/** A user or a bot whose requests are counted. */
export interface CountedUser {
  readonly userId: number
  readonly botOwnerId: number | null
}

/** How many times the limit of one user all bots of an owner have together. */
const botsFactor = 2

/**
 * The limits of one user. Those of bots are also counted for all bots of their owner, because bots
 * would otherwise multiply the limits of the owner.
 *
 * @param operation the operation whose calls are counted; all if undefined.
 */
export function limitsOfUser(
  name: RateLimitName,
  { userId, botOwnerId }: CountedUser,
  rules: readonly RateLimitRule[],
  operation?: string,
): CountedLimit[] {
  const keyOf = (key: LimitKey): LimitKey =>
    operation === undefined ? key : keyWithin(operation, key)
  const own = { name, key: keyOf(userId), rules }
  if (botOwnerId === null) return [own]
  const shared = rules.map((rule) => ({ ...rule, maxRequests: botsFactor * rule.maxRequests }))
  return [own, { name, key: keyOf(keyWithin('bots-of', botOwnerId)), rules: shared }]
}

/**
 * Counts a request against several limits. A request that one of them refuses counts nowhere.
 *
 * @param limitHeaders collects the limits for the headers of the response.
 * @throws {ChatError} `RATE_LIMIT_HIT` if there were too many.
 */
export function countAll(
  rateLimiter: RateLimiter,
  organizationId: number,
  limits: readonly CountedLimit[],
  limitHeaders?: RateLimitHeaders,
): MaybePromise<void> {
  const countFrom = (index: number): MaybePromise<void> => {
    const limit = limits[index]
    if (limit === undefined) return undefined
    const counting = rateLimiter.count(limit.name, organizationId, limit.key, limit.rules)
    return whenDone(counting, (state) => {
      limitHeaders?.add(state)
      if (state?.retryAfterSeconds === undefined) return countFrom(index + 1)
      return whenDone(uncountAll(rateLimiter, organizationId, limits.slice(0, index)), () =>
        requireUnderLimit(state),
      )
    })
  }
  return countFrom(0)
}

/** Takes back the counts of {@link countAll}. */
export function uncountAll(
  rateLimiter: RateLimiter,
  organizationId: number,
  limits: readonly CountedLimit[],
): MaybePromise<void> {
  const [limit, ...others] = limits
  if (limit === undefined) return undefined
  return whenDone(rateLimiter.uncount(limit.name, organizationId, limit.key, limit.rules), () =>
    uncountAll(rateLimiter, organizationId, others),
  )
}

/**
 * Counts an action of a user or bot that is not a request of its own.
 *
 * @throws {ChatError} `RATE_LIMIT_HIT` if there were too many.
 */
export async function requireUserLimit(
  rateLimiter: RateLimiter,
  domain: UserRateLimitDomain,
  organizationId: number,
  user: CountedUser,
  limitHeaders?: RateLimitHeaders,
): Promise<void> {
  const limits = limitsOfUser(domain, user, rateLimiter.rulesFor(domain))
  await countAll(rateLimiter, organizationId, limits, limitHeaders)
}
