import type { ChatRequest, ChatResponse } from '../chat-request.js'

/**
 * Browsers send Fetch Metadata; those that are too old for it send at least a cookie. Node's `fetch`
 * sends `Sec-Fetch-Mode` too, but not where the request comes from.
 */
export function isFromBrowser({ headers }: Pick<ChatRequest, 'headers'>): boolean {
  return headers['sec-fetch-site'] !== undefined || headers.cookie !== undefined
}

/** Replaces a challenge that makes browsers ask for a password themselves. */
export function withoutPrompt(request: ChatRequest, response: ChatResponse): ChatResponse {
  const name = 'WWW-Authenticate'
  if (response.headers[name] === undefined || !isFromBrowser(request)) return response
  return { ...response, headers: { ...response.headers, [name]: 'Session realm="zulip"' } }
}
