import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'

import type { ChatRequest, FrameworkFacts } from '../http/chat-request.js'

/** What an adapter knows better than `node:http`. */
export interface ToChatRequestOptions {
  /** What the host's body parser made of the body; only looked at where the body was read. */
  readonly parsedBody?: unknown
  /**
   * Whether a path under the API's prefix that is no endpoint goes back to the host.
   * @default false
   */
  readonly passUnknownPaths?: boolean
  /**
   * Path and query as the client sent them.
   * @default `originalUrl` of the request where a framework sets it, otherwise its `url`
   */
  readonly url?: string
  /**
   * What the framework knows through the proxies that it trusts. Without it, headers such as
   * `X-Forwarded-Proto` are not looked at.
   */
  readonly framework?: FrameworkFacts | undefined
}

/** What tells that a client has gone: a response, or the socket of an upgrade. */
export type Connection = Pick<ServerResponse, 'once' | 'destroyed' | 'closed' | 'writableFinished'>

/**
 * Shows a request of `node:http` to the chat, without reading any of it.
 *
 * @param connection the response, or the socket of a connection that is being upgraded.
 */
export function toChatRequest(
  request: IncomingMessage,
  connection: Connection,
  options: ToChatRequestOptions = {},
): ChatRequest {
  return new NodeChatRequest(request, connection, options)
}

class NodeChatRequest implements ChatRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: IncomingMessage['headers']
  readonly body: Readable | undefined
  readonly parsedBody: unknown
  readonly passUnknownPaths: boolean
  readonly #connection: Connection
  readonly #framework: ToChatRequestOptions['framework']
  #abortController: AbortController | undefined

  constructor(
    readonly raw: IncomingMessage,
    connection: Connection,
    options: ToChatRequestOptions,
  ) {
    const url = originForm(options.url ?? originalUrl(raw))
    const queryStart = url.indexOf('?')
    this.method = raw.method ?? 'GET'
    this.path = queryStart === -1 ? url : url.slice(0, queryStart)
    this.query = queryStart === -1 ? '' : url.slice(queryStart + 1)
    this.headers = raw.headers
    // Not `parsedBody !== undefined`: parsers that skipped a type leave `{}` on Express 4.
    this.body = raw.readableDidRead ? undefined : raw
    this.parsedBody = raw.readableDidRead ? options.parsedBody : undefined
    this.passUnknownPaths = options.passUnknownPaths ?? false
    this.#connection = connection
    this.#framework = options.framework
  }

  get protocol(): string {
    if (this.#framework) return this.#framework.protocol
    return 'encrypted' in this.raw.socket ? 'https' : 'http'
  }

  get host(): string {
    // HTTP/2 has a pseudo-header in the place of Host.
    const { ':authority': authority, host = '' } = this.headers
    return this.#framework?.host || (typeof authority === 'string' ? authority : host)
  }

  get remoteAddress(): string {
    return this.#framework?.ip ?? this.raw.socket.remoteAddress ?? ''
  }

  /** Made when first asked for: only long polls do, and a listener per request is not free. */
  get signal(): AbortSignal {
    if (this.#abortController === undefined) {
      const controller = new AbortController()
      const connection = this.#connection
      if (connection.destroyed || connection.closed) controller.abort()
      else {
        connection.once('close', () => {
          if (!connection.writableFinished) controller.abort()
        })
      }
      this.#abortController = controller
    }
    return this.#abortController.signal
  }
}

function originalUrl(request: IncomingMessage & { originalUrl?: string }): string {
  return request.originalUrl ?? request.url ?? '/'
}

/**
 * Strips scheme and host from the absolute form that proxies may send (RFC 9112, 3.2.2). The host
 * ends where URL parsers end it, so that the application and the chat see the same path.
 */
function originForm(url: string): string {
  if (url.startsWith('/')) return url
  const authority = url.indexOf('://')
  if (authority === -1) return url
  const end = url.slice(authority + 3).search(/[/?#]/)
  if (end === -1) return '/'
  const rest = url.slice(authority + 3 + end)
  return rest.startsWith('/') ? rest : `/${rest}`
}
