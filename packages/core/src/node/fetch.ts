import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

import type { ChatHandler, ChatRequest, ChatResponse } from '../http/chat-request.js'

/** Facts that a `Request` does not contain. */
export interface FetchOptions {
  /** Address of the client, for rate limits of callers without credentials. @default '' */
  readonly remoteAddress?: string
}

/**
 * Answers a request of the Fetch standard, for frameworks that work with it. Long polls are
 * answered when something happens; they end when `request.signal` is aborted. WebSockets need
 * `handleUpgrade`.
 *
 * @returns a response with status 404 if the path is not the chat's.
 */
export async function answerFetch(
  chat: Pick<ChatHandler, 'handle'>,
  request: Request,
  { remoteAddress = '' }: FetchOptions = {},
): Promise<Response> {
  const answer = await chat.handle(chatRequestOf(request, remoteAddress))
  if (answer === undefined) return new Response(null, { status: 404 })
  return responseOf(answer, request.method)
}

function chatRequestOf(request: Request, remoteAddress: string): ChatRequest {
  const { protocol, host, pathname, search } = new URL(request.url)
  const raw = new IncomingMessage(new Socket())
  raw.method = request.method
  raw.url = pathname + search
  raw.headers = {
    host,
    // A `Request` with a body need not have its length, and so announces it like this.
    ...(request.body !== null && { 'transfer-encoding': 'chunked' }),
    ...Object.fromEntries(request.headers),
  }
  return {
    method: request.method,
    path: pathname,
    query: search.slice(1),
    headers: raw.headers,
    protocol: protocol.slice(0, -1),
    host,
    remoteAddress,
    body: bodyOf(request),
    parsedBody: undefined,
    signal: request.signal,
    raw,
    context: request,
    passUnknownPaths: false,
  }
}

function bodyOf({ body }: Request): Readable {
  if (body === null) return Readable.from([])
  // The types of Node and of the DOM library describe the same class.
  return Readable.fromWeb(body as ReadableStream)
}

function responseOf({ status, headers, body }: ChatResponse, method: string): Response {
  // The connection belongs to the framework.
  const { Connection: _, ...others } = headers
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
  if (body instanceof Readable) {
    if (!hasBody) body.destroy()
    const stream = hasBody ? Readable.toWeb(body) : null
    // As in `bodyOf`.
    return new Response(stream as BodyInit | null, { status, headers: others })
  }
  const bytes = typeof body === 'string' ? body : new Uint8Array(body)
  return new Response(hasBody ? bytes : null, { status, headers: others })
}
