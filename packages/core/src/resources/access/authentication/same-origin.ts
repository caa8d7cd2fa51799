import { csrfError } from '../../../errors/index.js'
import type { ChatRequest } from '../../../http/chat-request.js'
import type { HostHooks } from '../../../http/pipeline/host-identity.js'
import { originOf } from '../../../http/pipeline/origin.js'
import type { SetupProblems } from '../../../kernel/setup-problems.js'

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses a state-changing request that only a cookie identifies, unless its headers show that a
 * page of the server itself, or of a trusted origin, sent it. The same applies to WebSockets, which
 * browsers open across origins without a preflight request.
 *
 * @param changesState whether the request changes state although its method is a reading one.
 * @throws {ChatError} `CSRF_FAILED` if there is no such proof.
 */
export async function requireSameOrigin(
  request: ChatRequest,
  hooks: OriginHooks,
  changesState: boolean,
  problems: SetupProblems,
): Promise<void> {
  const reads = readingMethods.has(request.method) && request.headers.upgrade === undefined
  if (reads && !changesState) return
  const { origin, referer } = request.headers
  const site = request.headers['sec-fetch-site']
  if (origin === undefined && site === 'same-origin') return
  // Browsers send no `Origin` with same-origin reads, and no Fetch Metadata without TLS: use
  // `Referer` then.
  const named = origin ?? (reads && site === undefined ? originOf(referer) : undefined)
  if (named === undefined) throw csrfError('CSRF_ORIGIN_MISSING')
  const own = originOf(hooks.baseUrlOf(request.raw) ?? `${request.protocol}://${request.host}`)
  if (await isTrusted(named, own, request, hooks)) return
  const asSent = originOf(named)
  if (asSent !== undefined && own !== undefined) problems.note('ORIGIN_REFUSED', asSent, own)
  throw csrfError('CSRF_ORIGIN_NOT_TRUSTED')
}

type OriginHooks = Pick<HostHooks, 'baseUrlOf' | 'trustedOriginsOf'>

async function isTrusted(
  origin: string,
  own: string | undefined,
  { raw }: ChatRequest,
  { trustedOriginsOf }: OriginHooks,
): Promise<boolean> {
  // Any page can have this origin, in a sandboxed frame.
  if (origin === 'null') return false
  // The configured base URL comes first: pages of any other host name that resolves to this server
  // are not the server's own.
  if (origin === own) return true
  return (await trustedOriginsOf(raw)).includes(origin)
}
