import type { Server } from 'node:http'

import type { ChatServer } from '@parley/core'

/** Call it after everything else is attached, instead of `attachUpgrade`. */
export function dispatchUpgrades(server: Server, chat: ChatServer): void {
  const others = server.listeners('upgrade')
  server.removeAllListeners('upgrade')
  server.on('upgrade', (request, socket, head) => {
    if (chat.handleUpgrade(request, socket, head)) return
    for (const other of others) other.call(server, request, socket, head)
  })
}
