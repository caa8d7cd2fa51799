import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

import type { ChatHandler } from '../http/chat-request.js'

const notFound = 'HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/**
 * Lets the chat take the WebSocket connections that are its own, and only those.
 *
 * Other upgrades are left to the server's other `upgrade` listeners. Where there are none, they are
 * answered with 404, because a connection that nobody answers stays open for ever.
 *
 * @returns a function that detaches the chat again; connections that it took stay open.
 */
export function attachUpgrade(
  server: Server,
  chat: Pick<ChatHandler, 'handleUpgrade'>,
): () => void {
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (chat.handleUpgrade(request, socket, head)) return
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
