import { once } from 'node:events'
import { createServer, ServerResponse, type IncomingMessage } from 'node:http'

import { createChatServer, type HostIdentity, type OneOrganizationOptions } from '@parley/core'
import { attachChatUpgrade, createChatMiddleware } from '@parley/express'
import express from 'express'
import session, { MemoryStore, type SessionData } from 'express-session'

declare module 'express-session' {
  interface SessionData {
    user?: HostIdentity
  }
}

/** A request before the session middleware has no session yet. */
type WithSession = IncomingMessage & Partial<Pick<express.Request, 'session' | 'sessionID'>>

/** With Express 5 or 4. `resave: true` works too, but is not recommended. */
export async function startProduct(
  options: OneOrganizationOptions,
  port: number,
  { createApplication = express as () => express.Express, resave = false } = {},
) {
  const app = createApplication()
  const server = createServer(app)
  const store = new MemoryStore() // a shared one if there are several processes
  const secret = 'of the product'
  const runSession = session({ store, secret, resave, saveUninitialized: false })

  /** The session as the store has it now, also for requests that no middleware has seen. */
  async function loadSession(request: WithSession): Promise<SessionData | null | undefined> {
    if (request.sessionID === undefined) {
      // The middleware uses nothing that Express adds; nobody gets this response.
      const [req, res] = [request, new ServerResponse(request)] as [
        express.Request,
        express.Response,
      ]
      await new Promise<void>((resolve, reject) => {
        runSession(req, res, (error?: unknown) => (error ? reject(error) : resolve()))
      })
    }
    return new Promise((resolve, reject) => {
      store.get(request.sessionID ?? '', (error, found) => (error ? reject(error) : resolve(found)))
    })
  }

  const chat = createChatServer({
    ...options,
    async identify(request: WithSession, { isRepeated }) {
      const isFresh = request.session !== undefined && !isRepeated
      return (isFresh ? request.session : await loadSession(request))?.user
    },
  })
  await chat.start()

  const chatMiddleware = createChatMiddleware(chat)
  app.use('/api/v1/events', chatMiddleware) // long polls: before the session
  app.use(runSession)
  app.use(chatMiddleware)
  app.post('/login', (request, response, next) => {
    request.session.regenerate((error) => {
      if (error) return next(error)
      request.session.user = {
        externalId: '7',
        email: 'ada@product.example',
        fullName: 'Ada Byron',
      }
      response.send('welcome')
    })
  })
  app.post('/logout', (request, response, next) => {
    const externalId = request.session.user?.externalId
    request.session.destroy((error) => {
      if (error) return next(error)
      const ending = externalId === undefined ? undefined : chat.users.endSessions(externalId)
      Promise.resolve(ending).then(() => response.send('goodbye'), next)
    })
  })
  app.get('/', (_request, response) => void response.send('of the product'))
  attachChatUpgrade(server, chat, app)

  server.listen(port)
  await once(server, 'listening')
  const close = async () => {
    await chat.close() // ends long polls and WebSockets, for which the server would wait
    server.close()
  }
  return { chat, server, close }
}
