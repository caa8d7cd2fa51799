import type { ServerResponse } from 'node:http'
import type { Http2ServerResponse } from 'node:http2'
import { pipeline } from 'node:stream'

import type { ChatResponse } from '../http/chat-request.js'

/**
 * Writes a response of the chat; its status and headers replace those that the application set
 * before, except for `Vary`, which is extended, and for CORS: headers of the application stay.
 *
 * Does nothing if the client has disconnected or the application has responded already. If a
 * streamed body fails, the connection is closed, so that the client does not take a part for the
 * whole.
 */
export function sendChatResponse(
  given: ServerResponse | Http2ServerResponse,
  answer: ChatResponse,
): void {
  // The compatibility API of node:http2 equals that of node:http as far as the chat uses it.
  const response = given as ServerResponse
  const { status, body } = answer
  const isStream = typeof body !== 'string' && !Buffer.isBuffer(body)
  if (response.destroyed || response.headersSent) {
    if (isStream) body.destroy()
    return
  }
  const headers = withoutConnection(response, withHostHeaders(response, answer.headers))
  const hasBody = status !== 204 && status !== 304
  if (isStream) {
    response.writeHead(status, headers)
    if (response.req.method === 'HEAD') {
      body.destroy()
      response.end()
    } else {
      // `pipeline` destroys both streams on failure; nothing else has to be done.
      pipeline(body, response, () => {})
    }
    return
  }
  response.writeHead(
    status,
    hasBody ? { ...headers, 'Content-Length': Buffer.byteLength(body) } : headers,
  )
  // `node:http` drops a body that is not allowed, such as that of HEAD.
  response.end(body)
}

/** HTTP/2 has no such header. Most responses have none either, and their headers are not copied. */
function withoutConnection(
  { req }: ServerResponse,
  headers: ChatResponse['headers'],
): ChatResponse['headers'] {
  if (headers['Connection'] === undefined || req.httpVersionMajor < 2) return headers
  const { Connection: _, ...others } = headers
  return others
}

function withHostHeaders(
  response: ServerResponse,
  headers: ChatResponse['headers'],
): ChatResponse['headers'] {
  const hostVary = response.getHeader('vary')
  const ownVary = headers['Vary']
  const own = response.hasHeader('access-control-allow-origin') ? withoutCors(headers) : headers
  if (hostVary === undefined || ownVary === undefined) return own
  return { ...own, Vary: union(String(hostVary), ownVary) }
}

/** The headers without those of CORS, for an application that has set its own. */
function withoutCors(headers: ChatResponse['headers']): ChatResponse['headers'] {
  if (headers['Access-Control-Allow-Origin'] === undefined) return headers
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith('Access-Control-')),
  )
}

/** The names of two lists, each of them once. */
function union(one: string, other: string): string {
  const names = new Map<string, string>()
  for (const name of `${one},${other}`.split(',').map((text) => text.trim())) {
    if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name)
  }
  return [...names.values()].join(', ')
}
