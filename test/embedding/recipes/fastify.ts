import cookie from '@fastify/cookie'
import session from '@fastify/session'
import {
  attachUpgrade,
  createChatServer,
  sendChatResponse,
  toChatRequest,
  type HostIdentity,
  type OneOrganizationOptions,
} from '@parley/core'
import Fastify, { type FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface Session {
    user?: HostIdentity
  }
}

export async function startProduct(options: OneOrganizationOptions, port: number) {
  const app = Fastify()
  await app.register(cookie)

  const chat = createChatServer({
    ...options,
    // Loads the session itself: long polls and WebSockets outlive the request's own copy.
    async identify({ headers }) {
      const { sessionId } = app.parseCookie(headers.cookie ?? '')
      if (sessionId === undefined) return null
      const loaded: Partial<Pick<FastifyRequest, 'session'>> = {}
      await new Promise<void>((resolve, reject) => {
        app.decryptSession(sessionId, loaded, (error) => (error ? reject(error) : resolve()))
      })
      return loaded.session?.user
    },
  })
  await chat.start()

  // Before bodies are parsed, and before the session's hooks.
  app.addHook('onRequest', async (request, reply) => {
    const { protocol, host, ip } = request
    const framework = { protocol, host, ip } // as `trustProxy` determines them
    const answer = await chat.handle(toChatRequest(request.raw, reply.raw, { framework }))
    if (answer === undefined) return
    reply.hijack()
    // What earlier hooks have set, such as those of @fastify/cors and @fastify/helmet.
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value)
    }
    sendChatResponse(reply.raw, answer)
  })
  await app.register(session, {
    secret: 'of the product, in 32 characters or more',
    saveUninitialized: false,
    cookie: { secure: 'auto' },
  })
  app.addHook('preClose', () => chat.close())

  app.post('/login', async (request) => {
    await request.session.regenerate()
    request.session.user = { externalId: '7', email: 'ada@product.example', fullName: 'Ada Byron' }
    return 'welcome'
  })
  app.post('/logout', async (request) => {
    const { user } = request.session
    await request.session.destroy()
    if (user !== undefined) await chat.users.endSessions(user.externalId)
    return 'goodbye'
  })
  app.get('/', () => 'of the product')
  attachUpgrade(app.server, chat)

  await app.listen({ port })
  return { chat, server: app.server, close: () => app.close() }
}
