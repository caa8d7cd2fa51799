import { ChatClient, type ClientOptions, type SocketConstructor } from '@parley/client'
import { WebSocket } from 'ws'

import type { Client } from '../support/client.js'

/** The client uses a part of what that of `ws` has. */
export const socketOfNode = WebSocket as unknown as SocketConstructor

/** The package's client of a user, with WebSockets. */
export function chatClientOf(
  { email, credentials, endpoint }: Client,
  options: Partial<ClientOptions> = {},
): ChatClient {
  return new ChatClient({
    url: endpoint.origin,
    credentials: { type: 'apiKey', email, apiKey: credentials?.apiKey ?? '' },
    WebSocket: socketOfNode,
    ...options,
  })
}
