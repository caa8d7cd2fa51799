import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

import {
  attachUpgrade,
  createChatServer,
  sendChatResponse,
  toChatRequest,
  type HostIdentity,
  type OneOrganizationOptions,
} from '@parley/core'

export async function startProduct(options: OneOrganizationOptions, port: number) {
  const sessions = new Map<string, HostIdentity>()
  const chat = createChatServer({
    ...options,
    identify: ({ headers }) => sessions.get(headers.cookie ?? ''),
  })
  await chat.start()

  async function ownRoutes(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { cookie = '' } = request.headers
    switch (`${request.method} ${request.url}`) {
      case 'GET /':
        return void response.end('of the product')
      case 'POST /login': {
        const id = randomUUID()
        const user = { externalId: '7', email: 'ada@product.example', fullName: 'Ada Byron' }
        sessions.set(`session=${id}`, user)
        response.setHeader('Set-Cookie', `session=${id}; Path=/; HttpOnly; SameSite=Lax`)
        return void response.end('welcome')
      }
      case 'POST /logout': {
        const user = sessions.get(cookie)
        sessions.delete(cookie)
        if (user !== undefined) await chat.users.endSessions(user.externalId)
        return void response.end('goodbye')
      }
      default:
        response.writeHead(404).end()
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answered = await chat.handle(toChatRequest(request, response))
    if (answered === undefined) await ownRoutes(request, response)
    else sendChatResponse(response, answered)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  attachUpgrade(server, chat)
  server.listen(port)
  await once(server, 'listening')
  const close = async () => {
    await chat.close()
    server.close()
  }
  return { chat, server, close }
}
