import { ChatError } from '../../errors/index.js'
import type { ChatRequest } from '../../http/chat-request.js'

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses a writing request for which nothing but a cookie vouches, unless the browser says that a
 * page of the server itself, or of a trusted origin, sent it. The same for a WebSocket, which
 * browsers open across origins without asking.
 *
 * @throws {ChatError} `CSRF_FAILED` if there is no such proof.
 */
export function requireSameOrigin(request: ChatRequest, trustedOrigins: readonly string[]): void {
  const isUpgrade = request.headers.upgrade !== undefined
  if (readingMethods.has(request.method) && !isUpgrade) return
  const { origin, host } = request.headers
  if (origin !== undefined) {
    if (origin === `${request.protocol}://${host}` || trustedOrigins.includes(origin)) return
    throw new ChatError('CSRF_FAILED', { fields: { reason: 'the origin is not trusted' } })
  }
  if (request.headers['sec-fetch-site'] === 'same-origin') return
  throw new ChatError('CSRF_FAILED', { fields: { reason: 'the request does not tell its origin' } })
}
