import type { IncomingMessage } from 'node:http'
import type { Duplex, Readable } from 'node:stream'

/** A request as an adapter passes it to `ChatServer.handle`. */
export interface ChatRequest {
  /** Upper-case HTTP method. */
  readonly method: string
  /** The path without the query, as the client sent it, still percent-encoded. */
  readonly path: string
  /** The query without its question mark; empty if the request has no query. */
  readonly query: string
  /** Lower-case names, as `node:http` gives them. */
  readonly headers: IncomingMessage['headers']
  /** `http` or `https`, as the client sees it. */
  readonly protocol: string
  /** Host and port, as the client sees them; empty if the request has none. */
  readonly host: string
  /** Address of the peer, for rate limits of callers without credentials. */
  readonly remoteAddress: string
  /** The unread body; undefined if it is in `parsedBody`. */
  readonly body: Readable | undefined
  /** The result of a body parser of the application: an object of form fields, or text. */
  readonly parsedBody: unknown
  /** Aborted when the client disconnects before it has its response. */
  readonly signal: AbortSignal
  /**
   * Calls `listener` when `signal` is aborted, or at once if it already is, without creating the
   * signal, which takes longer than most other parts of a long poll.
   *
   * @default listens to `signal`
   */
  onDisconnect?(listener: () => void): void
  /** The request of `node:http`, for `identify` and `resolveOrganization`. */
  readonly raw: IncomingMessage
  /** The framework's own object for the request, for `identify`. */
  readonly context: unknown
  /**
   * Whether a path under the API's prefix that is not an endpoint is passed on to the application.
   */
  readonly passUnknownPaths: boolean
}

/** A response as `ChatServer.handle` returns it to an adapter. */
export interface ChatResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | Readable
}

/** The methods of a chat server that an adapter calls. */
export interface ChatHandler {
  /**
   * Answers a request; undefined means that it is not addressed to the chat, and nothing of it was
   * read.
   */
  handle(request: ChatRequest): Promise<ChatResponse | undefined>
  /**
   * Takes over a connection; false means that it is not addressed to the chat, and it was not
   * touched.
   */
  handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    framework?: FrameworkFacts,
  ): boolean
}

/** The facts that a framework has about a request, from the proxies that it trusts. */
export interface FrameworkFacts {
  /** `http` or `https`. */
  readonly protocol: string
  /** Host and port. @default those of the request itself */
  readonly host?: string | undefined
  /** Address of the client. @default the peer's */
  readonly ip?: string | undefined
}
