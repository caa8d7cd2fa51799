import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import type { ChatHandler, FrameworkFacts } from '../http/chat-request.js'

/** Facts that an adapter has in addition to those of `node:http`. */
export interface AttachUpgradeOptions {
  /**
   * Returns the facts about an upgrade request from the framework's trusted proxies. Without it,
   * headers such as `X-Forwarded-Proto` are ignored.
   */
  readonly framework?: (request: IncomingMessage) => FrameworkFacts
}

const notFound = 'HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/**
 * Attaches the chat to a server's WebSocket upgrades. It accepts only those that are addressed to
 * it.
 *
 * Other upgrades are left to the server's other `upgrade` listeners. If there are none, they are
 * answered with 404, because an unanswered connection would stay open forever.
 *
 * @param server of `node:http`, `node:https`, or `node:http2` with `allowHTTP1`.
 * @returns a function that detaches the chat again; accepted connections stay open.
 */
export function attachUpgrade(
  server: EventEmitter,
  chat: Pick<ChatHandler, 'handleUpgrade'>,
  { framework }: AttachUpgradeOptions = {},
): () => void {
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (chat.handleUpgrade(request, socket, head, framework?.(request))) return
    if (server.listenerCount('upgrade') > 1) return
    // Node has detached from the socket; without a listener a reset would end the process.
    socket.on('error', () => socket.destroy())
    socket.end(notFound)
  }
  server.on('upgrade', onUpgrade)
  return () => {
    server.off('upgrade', onUpgrade)
  }
}
