import { ChatClient, type ClientOptions, type SocketConstructor } from '@parley/client'
import { WebSocket } from 'ws'

import type { Client } from '../support/client.js'

/** The client of a user of one of several organizations. */
export function chatClientOf(
  { endpoint, email, credentials }: Client,
  options: Partial<ClientOptions> = {},
): ChatClient {
  const headers = { 'x-organization': endpoint.subdomain }
  const { fetch = globalThis.fetch } = options
  class Socket extends WebSocket {
    constructor(url: string) {
      super(url, { headers })
    }
  }
  return new ChatClient({
    url: endpoint.origin,
    credentials: { type: 'apiKey', email, apiKey: credentials?.apiKey ?? '' },
    // It has more kinds of events than the client needs.
    WebSocket: Socket as unknown as SocketConstructor,
    ...options,
    fetch: (address, init) =>
      fetch(address, { ...init, headers: { ...init?.headers, ...headers } }),
  })
}
