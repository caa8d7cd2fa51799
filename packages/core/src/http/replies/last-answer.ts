import type { ChatRequest, ChatResponse } from '../chat-request.js'

/**
 * Adds `Connection: close` to a response of a draining server, so that the client connects
 * elsewhere.
 */
export function asLastAnswer(
  { raw }: ChatRequest,
  response: ChatResponse | undefined,
): ChatResponse | undefined {
  // HTTP/2 has no such header.
  if (response === undefined || raw.httpVersionMajor !== 1) return response
  return { ...response, headers: { ...response.headers, Connection: 'close' } }
}
