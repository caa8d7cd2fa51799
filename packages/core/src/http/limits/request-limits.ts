import { isSpectator, type Actor } from '../../domain/users/actor.js'
import { addressKey, keyWithin, textKey, type MadeKey } from '../../kernel/limit-keys.js'
import type { MaybePromise } from '../../kernel/maybe-promise.js'
import type { ChatRequest } from '../chat-request.js'
import type { Operation } from '../operation.js'
import type { PathTexts } from '../parameters/parameter-decoder.js'
import type { Organization } from '../ports.js'
import { countAll, limitsOfUser, type CountedLimit } from './counted-limits.js'
import type { RateLimitRule } from './rate-limit-store.js'
import type { RateLimiter, RateLimitHeaders, UserRateLimitDomain } from './rate-limiter.js'

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
  const domain = domainOf(counted)
  if (domain === undefined) return
  const { all = rateLimiter.rulesFor(domain), operation: ofOperation = [] } = rateLimiter.limitsOf({
    operation: operation.id,
    role: domain === 'apiByAddress' ? undefined : actor?.role,
    isBot: actor?.isBot === true,
    organization: organization?.subdomain ?? '',
  })
  const limits =
    actor === undefined || domain === 'apiByAddress'
      ? limitsOfAddress(addressKey(counted.request.remoteAddress), all, operation.id, ofOperation)
      : [
          ...limitsOfUser('operation', actor, ofOperation, operation.id),
          ...limitsOfUser(domain, actor, all),
        ]
  return countAll(rateLimiter, organizationId, limits, limitHeaders)
}

function limitsOfAddress(
  address: MadeKey,
  all: readonly RateLimitRule[],
  operation: string,
  ofOperation: readonly RateLimitRule[],
): CountedLimit[] {
  return [
    { name: 'operation', key: keyWithin(operation, address), rules: ofOperation },
    { name: 'apiByAddress', key: address, rules: all },
  ]
}

/** The limit of a request; undefined if it is not counted. */
function domainOf({
  operation,
  actor,
}: CountedRequest): UserRateLimitDomain | 'apiByAddress' | undefined {
  if (actor !== undefined && !isSpectator(actor)) {
    return operation.longPoll === true ? 'longPollByUser' : 'apiByUser'
  }
  if (operation.countedByAddress !== true && actor === undefined) return undefined
  return 'apiByAddress'
}

/** Key of a path in canonical form: `/files/%61`, `//files/a` and `/files/a` are equal. */
function pathKey({ id }: Operation, pathTexts: PathTexts): MadeKey {
  const names = Object.values(pathTexts).map((text = '') =>
    /^\d+$/.test(text) ? String(Number(text)) : text,
  )
  return textKey(id, ...names)
}
