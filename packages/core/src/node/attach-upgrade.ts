import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import type { ChatHandler, FrameworkFacts } from '../http/chat-request.js'

/** What an adapter knows better than `node:http`. */
export interface AttachUpgradeOptions {
  /**
   * What the framework knows of an upgrade request through the proxies that it trusts. Without it,
   * headers such as `X-Forwarded-Proto` are not looked at.
   */
  readonly framework?: (request: IncomingMessage) => FrameworkFacts
}

const notFound = 'HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/**
 * Lets the chat take the WebSocket connections that are its own, and only those.
 *
 * Other upgrades are left to the server's other `upgrade` listeners. Where there are none, they are
 * answered with 404, because a connection that nobody answers stays open for ever.
 *
 * @param server of `node:http`, `node:https`, or `node:http2` with `allowHTTP1`.
 * @returns a function that detaches the chat again; connections that it took stay open.
 */
export function attachUpgrade(
  server: EventEmitter,
  chat: Pick<ChatHandler, 'handleUpgrade'>,
  { framework }: AttachUpgradeOptions = {},
): () => void {
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (chat.handleUpgrade(request, socket, head, framework?.(request))) return
    if (server.listenerCount('upgrade') > 1) return
    // Node has let go of the socket; without a listener a reset would end the process.
    socket.on('error', () => socket.destroy())
    socket.end(notFound)
  }
  server.on('upgrade', onUpgrade)
  return () => {
    server.off('upgrade', onUpgrade)
  }
}
