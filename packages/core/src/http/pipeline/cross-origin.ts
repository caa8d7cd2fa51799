import type { Logger } from '../../kernel/logger.js'
import type { ChatRequest, ChatResponse } from '../chat-request.js'
import type { HostHooks } from './host-identity.js'
import { originOf } from './origin.js'
import type { ChatUrlOf } from './request-facts.js'

/** The longest time for which browsers remember it, in seconds. */
const preflightSeconds = 7200

const readable = {
  'Access-Control-Allow-Credentials': 'true',
  'Access-Control-Expose-Headers':
    'Content-Disposition, Content-Range, ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
}
/** The methods and the request headers of the API. */
const preflight = {
  'Access-Control-Allow-Credentials': 'true',
  'Access-Control-Allow-Methods': 'DELETE, GET, HEAD, PATCH, POST, PUT',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-None-Match, Range, User-Agent',
  'Access-Control-Max-Age': String(preflightSeconds),
}

/** Lets pages of trusted origins read the answers of the chat (CORS, in the Fetch standard). */
export class CrossOrigin {
  constructor(
    private readonly trustedOriginsOf: HostHooks['trustedOriginsOf'],
    private readonly chatUrlOf: ChatUrlOf,
    private readonly logger: Logger,
  ) {}

  /**
   * Answers a request by `respond`; the question of a browser whether it may send one is answered
   * without it, and so without authentication.
   */
  async answer(
    request: ChatRequest,
    respond: () => ChatResponse | Promise<ChatResponse>,
  ): Promise<ChatResponse> {
    const origin = await this.#trustedOrigin(request)
    const asked = request.headers['access-control-request-method']
    if (origin !== undefined && asked !== undefined && request.method === 'OPTIONS') {
      const headers = { 'Access-Control-Allow-Origin': origin, ...preflight, Vary: 'Origin' }
      return { status: 204, headers, body: '' }
    }
    const response = await respond()
    const { Vary: vary } = response.headers
    return {
      ...response,
      headers: {
        ...response.headers,
        // Also without an origin: a cached picture of a page of the server itself has no permission.
        Vary: vary === undefined ? 'Origin' : `${vary}, Origin`,
        ...(origin !== undefined && { 'Access-Control-Allow-Origin': origin, ...readable }),
      },
    }
  }

  /** The origin of the request's page, if it is another one than the server's, and trusted. */
  async #trustedOrigin(request: ChatRequest): Promise<string | undefined> {
    const { origin } = request.headers
    if (origin === undefined || origin === originOf(this.chatUrlOf(request))) return undefined
    try {
      return (await this.trustedOriginsOf(request.raw)).includes(origin) ? origin : undefined
    } catch (error) {
      this.logger.error('trustedOrigins failed', { err: error })
      return undefined
    }
  }
}
