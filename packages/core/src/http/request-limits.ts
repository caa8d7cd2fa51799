import { createHash } from 'node:crypto'

import { isSpectator, type Actor } from '../domain/actor.js'
import { addressGroup } from './client-address.js'
import type { ChatRequest } from './chat-request.js'
import type { Operation } from './operation.js'
import type { PathTexts } from './parameter-decoder.js'
import type { Organization } from './ports.js'
import type { RateLimiter, RateLimitState } from './rate-limiter.js'

/** The properties of a request that determine its rate limit. */
export interface CountedRequest {
  readonly operation: Operation
  readonly request: ChatRequest
  readonly pathTexts: PathTexts
  readonly organization: Organization | undefined
  readonly actor: Actor | undefined
}

/**
 * Counts a request against the limit of its operation and caller.
 *
 * @returns undefined if there is no limit.
 */
export function countRequest(
  rateLimiter: RateLimiter,
  { operation, request, pathTexts, organization, actor }: CountedRequest,
): RateLimitState | undefined {
  const { visitorLimit } = operation
  if (visitorLimit !== undefined) {
    if (actor !== undefined) return undefined
    return rateLimiter.count(visitorLimit, organization?.id ?? 0, pathKey(operation, pathTexts))
  }
  if (actor !== undefined && !isSpectator(actor)) {
    const domain = operation.longPoll === true ? 'longPollByUser' : 'apiByUser'
    return rateLimiter.count(domain, actor.organizationId, actor.userId)
  }
  if (operation.countedByAddress !== true && actor === undefined) return undefined
  return rateLimiter.count(
    'apiByAddress',
    organization?.id ?? 0,
    addressGroup(request.remoteAddress),
  )
}

/**
 * Key of a path in canonical form: `/files/%61`, `//files/a` and `/files/a` are equal. A hash,
 * because keys are kept in memory, and clients choose the length of paths.
 */
function pathKey({ id }: Operation, pathTexts: PathTexts): string {
  const names = Object.values(pathTexts).map((text = '') =>
    /^\d+$/.test(text) ? Number(text) : text,
  )
  return createHash('sha256')
    .update(JSON.stringify([id, names]))
    .digest('base64url')
}
