import { ChatError } from '../../errors/index.js'
import type { ChatRequest } from '../../http/chat-request.js'
import type { HostHooks } from '../../http/host-identity.js'

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses a writing request for which nothing but a cookie vouches, unless the browser says that a
 * page of the server itself, or of a trusted origin, sent it. The same for a WebSocket, which
 * browsers open across origins without asking.
 *
 * @throws {ChatError} `CSRF_FAILED` if there is no such proof.
 */
export async function requireSameOrigin(request: ChatRequest, hooks: OriginHooks): Promise<void> {
  const isUpgrade = request.headers.upgrade !== undefined
  if (readingMethods.has(request.method) && !isUpgrade) return
  const { origin } = request.headers
  if (origin !== undefined) {
    if (await isTrusted(origin, request, hooks)) return
    throw new ChatError('CSRF_FAILED', { fields: { reason: 'the origin is not trusted' } })
  }
  if (request.headers['sec-fetch-site'] === 'same-origin') return
  throw new ChatError('CSRF_FAILED', { fields: { reason: 'the request does not tell its origin' } })
}

type OriginHooks = Pick<HostHooks, 'baseUrlOf' | 'trustedOriginsOf'>

async function isTrusted(
  origin: string,
  { protocol, host, raw }: ChatRequest,
  { baseUrlOf, trustedOriginsOf }: OriginHooks,
): Promise<boolean> {
  // Any page can have it, in a sandbox.
  if (origin === 'null') return false
  if (origin === originOf(`${protocol}://${host}`)) return true
  // Behind a proxy that the application does not trust, only this names the server's own pages.
  const baseUrl = baseUrlOf(raw)
  if (baseUrl !== undefined && origin === originOf(baseUrl)) return true
  return (await trustedOriginsOf(raw)).includes(origin)
}

/** As browsers write it: in lower case, without the port that is the scheme's own. */
function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined
}
