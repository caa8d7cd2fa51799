import { ChatError } from '../../errors/index.js'
import type { ChatRequest } from '../../http/chat-request.js'
import type { HostHooks } from '../../http/host-identity.js'
import { originOf } from '../../http/origin.js'

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses a request that changes something and that only a cookie identifies, unless the browser
 * says that a page of the server itself, or of a trusted origin, sent it. The same for a WebSocket,
 * which browsers open across origins without asking.
 *
 * @param changesState whether a request does so although its method only reads.
 * @throws {ChatError} `CSRF_FAILED` if there is no such proof.
 */
export async function requireSameOrigin(
  request: ChatRequest,
  hooks: OriginHooks,
  changesState: boolean,
): Promise<void> {
  const reads = readingMethods.has(request.method) && request.headers.upgrade === undefined
  if (reads && !changesState) return
  const { origin, referer } = request.headers
  const site = request.headers['sec-fetch-site']
  if (origin === undefined && site === 'same-origin') return
  // Browsers send no origin with the reads of a page's own origin, and those without TLS no
  // Fetch Metadata either.
  const named = origin ?? (reads && site === undefined ? originOf(referer) : undefined)
  if (named === undefined) {
    throw new ChatError('CSRF_FAILED', {
      fields: { reason: 'the request does not tell its origin' },
    })
  }
  if (await isTrusted(named, request, hooks)) return
  throw new ChatError('CSRF_FAILED', { fields: { reason: 'the origin is not trusted' } })
}

type OriginHooks = Pick<HostHooks, 'baseUrlOf' | 'trustedOriginsOf'>

async function isTrusted(
  origin: string,
  { protocol, host, raw }: ChatRequest,
  { baseUrlOf, trustedOriginsOf }: OriginHooks,
): Promise<boolean> {
  // Any page can have it, in a sandbox.
  if (origin === 'null') return false
  // Whatever host name leads here must not decide which pages are the server's own.
  if (origin === originOf(baseUrlOf(raw) ?? `${protocol}://${host}`)) return true
  return (await trustedOriginsOf(raw)).includes(origin)
}
