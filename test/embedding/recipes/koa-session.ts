import { once } from 'node:events'
import { createServer, ServerResponse } from 'node:http'

import { createChatServer, type HostIdentity, type OneOrganizationOptions } from '@parley/core'
import { attachChatUpgrade, createChatMiddleware } from '@parley/koa'
import Koa from 'koa'
import session from 'koa-session'

export async function startProduct(options: OneOrganizationOptions, port: number) {
  const app = new Koa()
  app.keys = ['of the product']
  const runSession = session({ rolling: true, maxAge: 3_600_000 }, app)

  const chat = createChatServer({
    ...options,
    // Loads the session itself: long polls and WebSockets have not run through the middleware.
    async identify(request) {
      let user: HostIdentity | undefined
      const context = app.createContext(request, new ServerResponse(request))
      await runSession(context, async () => {
        user = context.session?.['user']
      })
      return user
    },
  })
  await chat.start()

  const chatMiddleware = createChatMiddleware(chat)
  app.use((context, next) =>
    context.path === '/api/v1/events' ? chatMiddleware(context, next) : next(),
  )
  app.use(runSession)
  app.use(chatMiddleware)
  app.use(async (context) => {
    const { session: current, method, path } = context
    if (method === 'POST' && path === '/login') {
      const user = { externalId: '7', email: 'ada@product.example', fullName: 'Ada Byron' }
      context.session = { user }
      context.body = 'welcome'
    } else if (method === 'POST' && path === '/logout') {
      const user: HostIdentity | undefined = current?.['user']
      context.session = null
      if (user !== undefined) await chat.users.endSessions(user.externalId)
      context.body = 'goodbye'
    } else if (path === '/') {
      context.body = 'of the product'
    }
  })
  const answer = app.callback()
  const server = createServer((request, response) => void answer(request, response))
  attachChatUpgrade(server, chat, app)

  server.listen(port)
  await once(server, 'listening')
  const close = async () => {
    await chat.close()
    server.close()
  }
  return { chat, server, close }
}
