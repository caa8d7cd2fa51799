import { isSpectator, type Actor } from '../domain/actor.js'
import {
  addressKey,
  keyWithin,
  textKey,
  type LimitKey,
  type MadeKey,
} from '../kernel/limit-keys.js'
import { whenDone, type MaybePromise } from '../kernel/maybe-promise.js'
import type { ChatRequest } from './chat-request.js'
import type { Operation } from './operation.js'
import type { PathTexts } from './parameter-decoder.js'
import type { Organization } from './ports.js'
import {
  requireUnderLimit,
  type RateLimitDomain,
  type RateLimiter,
  type RateLimitHeaders,
} from './rate-limiter.js'

/** The properties of a request that determine its rate limit. */
export interface CountedRequest {
  readonly operation: Operation
  readonly request: ChatRequest
  readonly pathTexts: PathTexts
  readonly organization: Organization | undefined
  readonly actor: Actor | undefined
}

/**
 * Counts a request against the limits of its operation and caller.
 *
 * @param limitHeaders collects the limits, also if one of them refuses the request.
 * @throws {ChatError} `RATE_LIMIT_HIT` if there were too many.
 */
export function countRequest(
  rateLimiter: RateLimiter,
  counted: CountedRequest,
  limitHeaders: RateLimitHeaders,
): MaybePromise<void> {
  if (!rateLimiter.isOn) return
  const { operation, pathTexts, organization, actor } = counted
  const organizationId = organization?.id ?? 0
  const { visitorLimit } = operation
  if (visitorLimit !== undefined) {
    if (actor !== undefined) return
    const key = pathKey(operation, pathTexts)
    return rateLimiter.require(visitorLimit, organizationId, key, limitHeaders)
  }
  const caller = callerOf(counted)
  if (caller === undefined) return
  const { domain, key } = caller
  const { all, operation: ofOperation = [] } = rateLimiter.limitsOf({
    operation: operation.id,
    role: domain === 'apiByAddress' ? undefined : actor?.role,
    isBot: actor?.isBot === true,
    organization: organization?.subdomain ?? '',
  })
  const ownKey = keyWithin(operation.id, key)
  return whenDone(rateLimiter.count('operation', organizationId, ownKey, ofOperation), (own) => {
    limitHeaders.add(own)
    requireUnderLimit(own)
    return whenDone(rateLimiter.count(domain, organizationId, key, all), (state) => {
      limitHeaders.add(state)
      // A refused request counts nowhere.
      const isUncounted = own !== undefined && state?.retryAfterSeconds !== undefined
      return whenDone(
        isUncounted
          ? rateLimiter.uncount('operation', organizationId, ownKey, ofOperation)
          : undefined,
        () => requireUnderLimit(state),
      )
    })
  })
}

/** By whom a request is counted; undefined if it is not. */
function callerOf({
  operation,
  request,
  actor,
}: CountedRequest): { domain: RateLimitDomain; key: LimitKey } | undefined {
  if (actor !== undefined && !isSpectator(actor)) {
    const domain = operation.longPoll === true ? 'longPollByUser' : 'apiByUser'
    return { domain, key: actor.userId }
  }
  if (operation.countedByAddress !== true && actor === undefined) return undefined
  return { domain: 'apiByAddress', key: addressKey(request.remoteAddress) }
}

/** Key of a path in canonical form: `/files/%61`, `//files/a` and `/files/a` are equal. */
function pathKey({ id }: Operation, pathTexts: PathTexts): MadeKey {
  const names = Object.values(pathTexts).map((text = '') =>
    /^\d+$/.test(text) ? String(Number(text)) : text,
  )
  return textKey(id, ...names)
}
