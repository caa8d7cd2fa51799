import { inject } from 'tsyringe'

import { ChatError, csrfError, namedText } from '../../../errors/index.js'
import type { ChatRequest } from '../../../http/chat-request.js'
import { bearerOf } from '../../../http/pipeline/bearer.js'
import {
  type HostHooks,
  HostHooksToken,
  type HostIdentity,
} from '../../../http/pipeline/host-identity.js'
import { originOf } from '../../../http/pipeline/origin.js'
import type { Organization } from '../../../http/ports.js'
import type { Logger } from '../../../kernel/logger.js'
import { perServer } from '../../../kernel/per-server.js'
import { SetupProblems } from '../../../kernel/setup-problems.js'
import { LoggerToken } from '../../../kernel/tokens.js'
import { type ExternalIdentity, requireIdentity } from '../../people/users/index.js'

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses a state-changing request that only a cookie identifies, unless its headers show that a
 * page of the server itself, or of a trusted origin, sent it. The same applies to WebSockets, which
 * browsers open across origins without a preflight request.
 *
 * @param changesState whether the request changes state although its method is a reading one.
 * @throws {ChatError} `CSRF_FAILED` if there is no such proof.
 */
async function requireSameOrigin(
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

/** The purpose of the identification of a request. */
export interface LoginUse {
  /** Whether it was identified before, and is still open. */
  readonly isRepeated: boolean
  /** Whether it changes state although its method is a reading one. @default false */
  readonly changesState?: boolean
}

/** Identifies the users of requests by the application's own login: the option `identify`. */
@perServer()
export class ApplicationLogins {
  constructor(
    @inject(HostHooksToken) private readonly hooks: HostHooks,
    @inject(LoggerToken) private readonly logger: Logger,
    @inject(SetupProblems) private readonly problems: SetupProblems,
  ) {}

  /**
   * @returns undefined if nobody is logged in.
   * @throws {ChatError} `CSRF_FAILED` without a proof of origin that the request needs;
   *   `UNAUTHORIZED` if the user is of another organization; `INTERNAL_SERVER_ERROR` if `identify`
   *   returns no valid user, which is logged.
   */
  async identify(
    request: ChatRequest,
    { subdomain }: Organization,
    { isRepeated, changesState = false }: LoginUse,
  ): Promise<ExternalIdentity | undefined> {
    const { raw, context } = request
    const refused = (reason: string): void => this.problems.note('TOKEN_REFUSED', reason)
    const hostIdentity = await this.hooks.identify?.(raw, { isRepeated, context, refused })
    if (hostIdentity === null || hostIdentity === undefined) return undefined
    if (!isRepeated && !isByToken(hostIdentity, request)) {
      await requireSameOrigin(request, this.hooks, changesState, this.problems)
    }
    const identity = this.#checked(hostIdentity)
    const { organization } = hostIdentity
    if (organization !== undefined && organization !== subdomain) throw wrongOrganization()
    return identity
  }

  #checked(hostIdentity: unknown): ExternalIdentity {
    try {
      const identity = requireIdentity(hostIdentity, 'identify')
      if (this.hooks.resolveOrganization === undefined || hasOrganization(hostIdentity))
        return identity
      throw new TypeError(
        'identify: organization is missing: with resolveOrganization, it says in which organization the user is',
      )
    } catch (error) {
      if (error instanceof TypeError) this.logger.error(error.message)
      throw new ChatError('INTERNAL_SERVER_ERROR', { cause: error })
    }
  }
}

/**
 * Whether the user is known by something that browsers do not send by themselves, so that pages of
 * other sites cannot make them send the request.
 */
function isByToken({ via }: HostIdentity, { headers }: ChatRequest): boolean {
  if (via !== undefined) return via === 'token'
  return headers.cookie === undefined && bearerOf(headers.authorization) !== undefined
}

function hasOrganization(identity: unknown): boolean {
  return (
    typeof identity === 'object' &&
    identity !== null &&
    'organization' in identity &&
    identity.organization !== undefined
  )
}

/** The error for a user of another organization than the one that the request is addressed to. */
export function wrongOrganization(): ChatError {
  return new ChatError('UNAUTHORIZED', { text: namedText('ACCOUNT_IN_OTHER_ORGANIZATION') })
}
