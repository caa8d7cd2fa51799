import type { IncomingMessage } from 'node:http'
import type { Duplex, Readable } from 'node:stream'

/** A request as an adapter hands it to `ChatServer.handle`. */
export interface ChatRequest {
  /** Upper-case HTTP method. */
  readonly method: string
  /** Path without the query, relative to nothing: as the client sent it, still percent-encoded. */
  readonly path: string
  /** The query without its question mark; empty when there is none. */
  readonly query: string
  /** Lower-case names, as `node:http` gives them. */
  readonly headers: IncomingMessage['headers']
  /** `http` or `https`, as the client sees it. */
  readonly protocol: string
  /** Host and port, as the client sees them; empty when the request names none. */
  readonly host: string
  /** Address of the peer, for rate limits of callers without credentials. */
  readonly remoteAddress: string
  /** The unread body; undefined where `parsedBody` has it. */
  readonly body: Readable | undefined
  /** What a body parser of the host already read: an object of form fields, or text. */
  readonly parsedBody: unknown
  /** Aborted when the client goes away before it has its answer. */
  readonly signal: AbortSignal
  /** The host framework's own request, for `identify` and `resolveOrganization`. */
  readonly raw: IncomingMessage
  /** Whether a path under the API's prefix that is no endpoint goes back to the host. */
  readonly passUnknownPaths: boolean
}

/** An answer as `ChatServer.handle` gives it to an adapter. */
export interface ChatResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | Readable
}

/** What an adapter needs of a chat server. */
export interface ChatHandler {
  /** Answers a request; undefined means that it is not the chat's, and nothing of it was read. */
  handle(request: ChatRequest): Promise<ChatResponse | undefined>
  /** Takes over a connection; false means that it is not the chat's, and nothing was done to it. */
  handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    framework?: FrameworkFacts,
  ): boolean
}

/** What a framework knows of a request through the proxies that it trusts. */
export interface FrameworkFacts {
  /** `http` or `https`. */
  readonly protocol: string
  /** Host and port. @default those that the request itself names */
  readonly host?: string | undefined
  /** Address of the client. @default the peer's */
  readonly ip?: string | undefined
}
