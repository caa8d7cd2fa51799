import { once } from 'node:events'
import { createServer } from 'node:http'

import { createChatServer, type OneOrganizationOptions } from '@parley/core'

export async function startProduct(options: OneOrganizationOptions, port: number) {
  const chat = createChatServer(options)
  await chat.start()

  // One line for each order, such as `order-1: 3 new comments, the last one by Ben Hall`.
  async function ordersOf(userId: string, orderIds: readonly string[]): Promise<string> {
    const unread = await chat.users.unread(userId, { channels: orderIds })
    const channels = new Map(unread?.channels.map((channel) => [channel.externalId, channel]))
    const lines = orderIds.map((orderId) => {
      const { count = 0, lastMessage } = channels.get(orderId) ?? {}
      const last = lastMessage ? `, the last one by ${lastMessage.sender.fullName}` : ''
      return `${orderId}: ${count} new comments${last}`
    })
    return lines.join('\n')
  }

  // GET /?user=7&order=order-1&order=order-2; a product takes the user from its session.
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
    ordersOf(searchParams.get('user') ?? '', searchParams.getAll('order')).then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  }).listen(port)
  await once(server, 'listening')
  return { chat, server }
}
