import type { IncomingMessage } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'
import type { Readable } from 'node:stream'

import type { ChatRequest, FrameworkFacts } from '../http/chat-request.js'

/** Facts that an adapter has in addition to those of `node:http`. */
export interface ToChatRequestOptions {
  /** The result of the application's body parser; only used if the body was read already. */
  readonly parsedBody?: unknown
  /**
   * Whether a path under the API's prefix that is not an endpoint is passed on to the application.
   * @default false
   */
  readonly passUnknownPaths?: boolean
  /**
   * Path and query as the client sent them.
   * @default the request's `originalUrl` if a framework sets it, otherwise its `url`
   */
  readonly url?: string
  /**
   * The framework's facts from the proxies that it trusts. Without them, headers such as
   * `X-Forwarded-Proto` are ignored.
   */
  readonly framework?: FrameworkFacts | undefined
  /**
   * The framework's own object for the request, which `identify` gets.
   * @default the request of `node:http`
   */
  readonly context?: unknown
}

/** Emits the end of a client's connection: a response, or the socket of an upgrade. */
export interface Connection {
  readonly destroyed: boolean
  readonly closed: boolean
  readonly writableFinished: boolean
  once(event: 'close', listener: () => void): unknown
}

/**
 * Converts a request of `node:http` or `node:http2` for the chat, without reading any of its body.
 *
 * @param connection the response, or the socket of a connection that is being upgraded.
 */
export function toChatRequest(
  request: IncomingMessage | Http2ServerRequest,
  connection: Connection,
  options: ToChatRequestOptions = {},
): ChatRequest {
  // The compatibility API of node:http2 equals that of node:http as far as the chat uses it.
  return new NodeChatRequest(request as IncomingMessage, connection, options)
}

class NodeChatRequest implements ChatRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: IncomingMessage['headers']
  readonly body: Readable | undefined
  readonly parsedBody: unknown
  readonly passUnknownPaths: boolean
  readonly context: unknown
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
    // Not `parsedBody !== undefined`: on Express 4, parsers that skipped a type leave `{}`.
    this.body = raw.readableDidRead ? undefined : raw
    this.parsedBody = raw.readableDidRead ? options.parsedBody : undefined
    this.passUnknownPaths = options.passUnknownPaths ?? false
    this.context = options.context ?? raw
    this.#connection = connection
    this.#framework = options.framework
  }

  get protocol(): string {
    if (this.#framework) return this.#framework.protocol
    return 'encrypted' in this.raw.socket ? 'https' : 'http'
  }

  get host(): string {
    // HTTP/2 has a pseudo-header in place of Host.
    const { ':authority': authority, host = '' } = this.headers
    return this.#framework?.host || (typeof authority === 'string' ? authority : host)
  }

  get remoteAddress(): string {
    return this.#framework?.ip ?? this.raw.socket.remoteAddress ?? ''
  }

  /** Created on first use. */
  get signal(): AbortSignal {
    if (this.#abortController === undefined) {
      const controller = new AbortController()
      this.onDisconnect(() => controller.abort())
      this.#abortController = controller
    }
    return this.#abortController.signal
  }

  onDisconnect(listener: () => void): void {
    const connection = this.#connection
    if (connection.destroyed || connection.closed) listener()
    else {
      connection.once('close', () => {
        if (!connection.writableFinished) listener()
      })
    }
  }
}

function originalUrl(request: IncomingMessage & { originalUrl?: string }): string {
  return request.originalUrl ?? request.url ?? '/'
}

/**
 * Strips scheme and host from the absolute form that proxies may send (RFC 9112, 3.2.2). The host
 * ends as in URL parsers, so that the application and the chat use the same path.
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
