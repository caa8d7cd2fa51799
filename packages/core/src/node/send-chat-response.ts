import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'

import type { ChatResponse } from '../http/chat-request.js'

/**
 * Writes a response of the chat; its status and headers replace those that the application set
 * before, except for `Vary`, which is extended.
 *
 * Does nothing if the client has disconnected or the application has responded already. If a
 * streamed body fails, the connection is closed, so that the client does not take a part for the
 * whole.
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
      // `pipeline` destroys both streams on failure; nothing else has to be done.
      pipeline(body, response, () => {})
    }
    return
  }
  const length = { 'Content-Length': Buffer.byteLength(body) }
  response.writeHead(status, hasBody ? { ...headers, ...length } : headers)
  // `node:http` drops a body that is not allowed, such as that of HEAD.
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
