import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'

import type { ChatResponse } from '../http/chat-request.js'

/**
 * Writes an answer of the chat; its status and headers win over what the host set before, except
 * for `Vary`, which is added to.
 *
 * Does nothing when the client has gone or the host answered already. A streamed body that fails
 * ends the connection, so that the client does not take a part for the whole.
 */
export function sendChatResponse(response: ServerResponse, answer: ChatResponse): void {
  const { status, body } = answer
  const isStream = typeof body !== 'string' && !Buffer.isBuffer(body)
  if (response.destroyed || response.headersSent) {
    if (isStream) body.destroy()
    return
  }
  const { Connection: connection, ...others } = withHostVary(response, answer.headers)
  // HTTP/2 has no such header.
  const isClosing = connection !== undefined && response.req.httpVersionMajor < 2
  const headers = isClosing ? { ...others, Connection: connection } : others
  const hasBody = status !== 204 && status !== 304
  if (isStream) {
    response.writeHead(status, headers)
    if (response.req.method === 'HEAD') {
      body.destroy()
      response.end()
    } else {
      // Both ends are destroyed on failure, and nobody else is waiting to hear of it.
      pipeline(body, response, () => {})
    }
    return
  }
  const length = { 'Content-Length': Buffer.byteLength(body) }
  response.writeHead(status, hasBody ? { ...headers, ...length } : headers)
  // A body that must not be there, such as that of HEAD, is dropped by `node:http`.
  response.end(body)
}

function withHostVary(
  response: ServerResponse,
  headers: ChatResponse['headers'],
): ChatResponse['headers'] {
  const hostVary = response.getHeader('vary')
  const ownVary = headers['Vary']
  if (hostVary === undefined || ownVary === undefined) return headers
  return { ...headers, Vary: `${String(hostVary)}, ${ownVary}` }
}
