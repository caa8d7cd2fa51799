import type { IncomingMessage } from 'node:http'

import { limits } from '../../domain/limits.js'
import type { CallOrigin } from '../../domain/users/call-origin.js'
import type { SessionCheck } from '../../events/queues/session-check.js'
import { onAbort } from '../../kernel/aborted-work.js'
import { canonicalAddress } from '../../kernel/client-address.js'
import type { UploadedFile } from '../bodies/uploaded-file.js'
import type { ChatRequest } from '../chat-request.js'
import type { RateLimitHeaders } from '../limits/rate-limiter.js'
import type { ClientRequestFacts } from '../operation.js'
import type { FormFields } from '../parameters/form-fields.js'
import type { Organization } from '../ports.js'
import { originOf } from './origin.js'

/**
 * The name under which messages and event queues record the sending client, at most 30 characters.
 *
 * @param declared the request's `client` parameter, which takes precedence.
 * @param isBrowserSession whether the request is authenticated by the application's session; such a
 *   client is a `website` unless its name begins with Zulip.
 */
export function clientName(
  declared: string | undefined,
  userAgent: string,
  isBrowserSession: boolean,
): string {
  if (declared !== undefined && declared !== '') return shortened(declared)
  const name = productName(userAgent)
  return isBrowserSession && !name.startsWith('Zulip') ? 'website' : shortened(name)
}

/**
 * The product at the start of a `User-Agent`: its first word, and the words after it that have no
 * digit, slash or parenthesis.
 */
function productName(userAgent: string): string {
  if (userAgent === '') return 'Unspecified'
  const firstWordEnd = indexOf(/[ /]/, userAgent, 0)
  let end = indexOf(/[0-9/(]/, userAgent, firstWordEnd)
  if (end < userAgent.length && userAgent[end] !== '/') {
    end = Math.max(firstWordEnd, userAgent.lastIndexOf(' ', end))
  }
  return userAgent.slice(0, end).trim() || 'Unparsable'
}

function indexOf(pattern: RegExp, text: string, from: number): number {
  const index = text.slice(from).search(pattern)
  return index === -1 ? text.length : from + index
}

function shortened(name: string): string {
  return name.length <= limits.maxClientNameLength
    ? name
    : Array.from(name).slice(0, limits.maxClientNameLength).join('')
}

/** The listeners of a request are removed with it. */
const nothingToRemove = (): void => {}

/** Returns the URL at which a request reached the chat. */
export type ChatUrlOf = (request: ChatRequest) => string

/** The facts of one request; those that few operations need are computed on first use. */
export class LazyRequestFacts implements ClientRequestFacts {
  readonly #request: ChatRequest
  #clientName: string | undefined
  readonly #fields: FormFields
  readonly #chatUrlOf: ChatUrlOf

  constructor(
    request: ChatRequest,
    readonly organization: Organization,
    fields: FormFields,
    readonly files: readonly UploadedFile[],
    readonly rateLimitHeaders: RateLimitHeaders,
    private readonly findSession: () => SessionCheck | undefined,
    chatUrlOf: ChatUrlOf,
  ) {
    this.#chatUrlOf = chatUrlOf
    this.#request = request
    this.#fields = fields
  }

  get clientName(): string {
    return (this.#clientName ??= this.#findClientName())
  }

  #findClientName(): string {
    const declared = this.#fields.get('client')
    const { headers } = this.#request
    return clientName(
      typeof declared === 'string' ? declared : undefined,
      this.userAgent,
      headers.authorization === undefined && headers.cookie !== undefined,
    )
  }

  get chatUrl(): string {
    return this.#chatUrlOf(this.#request)
  }

  get remoteAddress(): string {
    return this.#request.remoteAddress
  }

  get raw(): IncomingMessage {
    return this.#request.raw
  }

  onDisconnect(listener: () => void): () => void {
    const request = this.#request
    if (request.onDisconnect !== undefined) {
      request.onDisconnect(listener)
      return nothingToRemove
    }
    return onAbort(request.signal, listener)
  }

  get session(): SessionCheck | undefined {
    return this.findSession()
  }

  get parameterNames(): ReadonlySet<string> {
    return new Set(this.#fields.keys())
  }

  get userAgent(): string {
    return this.#request.headers['user-agent'] ?? ''
  }

  get acceptLanguage(): string | undefined {
    return this.#request.headers['accept-language']
  }

  get authorization(): string | undefined {
    return this.#request.headers.authorization
  }

  get isCrossSiteNavigation(): boolean {
    const { headers } = this.#request
    const site = headers['sec-fetch-site']
    // Old browsers, and all browsers without TLS, send no Fetch Metadata.
    if (site === undefined) {
      const from = originOf(headers.referer)
      return from === undefined || from !== originOf(this.chatUrl)
    }
    // `none` means that the user entered the URL, or that another program opened it.
    if (site !== 'none' && site !== 'same-origin') return true
    return (headers['sec-fetch-dest'] ?? 'document') !== 'document'
  }

  get range(): string | undefined {
    return this.#request.headers.range
  }

  get ifNoneMatch(): string | undefined {
    return this.#request.headers['if-none-match']
  }
}

/** Where a request comes from; without a reference to the request, because it may be kept longer. */
class RequestOrigin implements CallOrigin {
  readonly via = 'http'

  constructor(
    private readonly remoteAddress: string,
    readonly clientName: string,
  ) {}

  /** Only the audit trail needs it. */
  get clientAddress(): string | undefined {
    return canonicalAddress(this.remoteAddress)
  }
}

export function callOriginOf({
  remoteAddress,
  clientName,
}: Pick<LazyRequestFacts, 'remoteAddress' | 'clientName'>): CallOrigin {
  return new RequestOrigin(remoteAddress, clientName)
}
