import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'

import { createChatServer, type HostIdentity, type OneOrganizationOptions } from '@parley/core'
import { attachChatUpgrade, createChatMiddleware } from '@parley/express'
import cors from 'cors'
import express from 'express'
import helmet from 'helmet'

/** The origins of the pages, which are not that of the server. */
const pages = ['https://app.example', 'https://staging.app.example']

export async function startProduct(options: OneOrganizationOptions, port: number) {
  const sessions = new Map<string, HostIdentity>()
  const chat = createChatServer({
    ...options,
    trustedOrigins: pages, // may use the chat
    identify: ({ headers }) => sessions.get(headers.cookie ?? ''),
  })
  await chat.start()

  const app = express()
  app.set('trust proxy', 'loopback') // the proxy that terminates TLS
  app.use(helmet({ crossOriginResourcePolicy: { policy: 'cross-origin' } })) // for <img> and <video>
  app.use(createChatMiddleware(chat))
  app.use(cors({ origin: pages, credentials: true })) // for the product's own paths
  app.post('/login', (_request, response) => {
    const id = randomUUID()
    const user = { externalId: '7', email: 'ada@product.example', fullName: 'Ada Byron' }
    sessions.set(`session=${id}`, user)
    response.cookie('session', id, {
      httpOnly: true,
      secure: true,
      sameSite: 'none', // browsers also send it with requests of other sites' pages
      partitioned: true, // and keep it, but only for the site of the page that logged in
    })
    response.send('welcome')
  })

  const server = createServer(app)
  attachChatUpgrade(server, chat, app)
  server.listen(port)
  await once(server, 'listening')
  const close = async () => {
    await chat.close()
    server.close()
  }
  return { chat, server, close }
}
