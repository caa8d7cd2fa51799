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

/** The listeners that decline upgrades not meant for them, so that the last of them can answer. */
const ofChats = new WeakSet<object>()
/** Sockets that one of them has accepted. */
const accepted = new WeakSet<Duplex>()

const notFound = 'HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/**
 * Attaches the chat to a server's WebSocket upgrades. It accepts only those that are addressed to
 * it.
 *
 * Other upgrades are left to the server's other `upgrade` listeners. If there are none, or only
 * those of other chats, they are answered with 404, because an unanswered connection would stay open
 * forever.
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
    if (accepted.has(socket)) return
    if (chat.handleUpgrade(request, socket, head, framework?.(request))) {
      accepted.add(socket)
      return
    }
    const listeners = server.listeners('upgrade')
    if (listeners.at(-1) !== onUpgrade || !listeners.every((one) => ofChats.has(one))) return
    // Node has detached from the socket; without a listener a reset would end the process.
    socket.on('error', () => socket.destroy())
    socket.end(notFound)
  }
  ofChats.add(onUpgrade)
  server.on('upgrade', onUpgrade)
  return () => {
    server.off('upgrade', onUpgrade)
  }
}
