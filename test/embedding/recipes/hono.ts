import { once } from 'node:events'
import { createServer } from 'node:http'

import { getRequestListener } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { attachUpgrade, createChatServer, type OneOrganizationOptions } from '@parley/core'
import { Hono } from 'hono'
import { deleteCookie, getSignedCookie, setSignedCookie } from 'hono/cookie'
import { parseSigned } from 'hono/utils/cookie'

const secret = 'of the product'
const users = new Map([
  ['7', { externalId: '7', email: 'ada@product.example', fullName: 'Ada Byron' }],
])

export async function startProduct(options: OneOrganizationOptions, port: number) {
  const chat = createChatServer({
    ...options,
    // Reads the cookie, which requests and upgrades both have.
    async identify({ headers }) {
      const { user } = await parseSigned(headers.cookie ?? '', secret, 'user')
      return users.get(user || '')
    },
  })
  await chat.start()

  const app = new Hono()
  for (const path of ['/api/v1/*', '/user_uploads/*', '/user_avatars/*', '/external_content/*']) {
    app.all(path, (context) => {
      const { address = '' } = getConnInfo(context).remote
      return chat.fetch(context.req.raw, { remoteAddress: address })
    })
  }
  app.post('/login', async (context) => {
    await setSignedCookie(context, 'user', '7', secret, { httpOnly: true, sameSite: 'Lax' })
    return context.text('welcome')
  })
  app.post('/logout', async (context) => {
    const user = await getSignedCookie(context, secret, 'user')
    deleteCookie(context, 'user')
    if (user) await chat.users.endSessions(user)
    return context.text('goodbye')
  })
  app.get('/', (context) => context.text('of the product'))

  const answer = getRequestListener(app.fetch)
  const server = createServer((request, response) => void answer(request, response))
  attachUpgrade(server, chat)
  server.listen(port)
  await once(server, 'listening')
  const close = async () => {
    await chat.close()
    server.close()
  }
  return { chat, server, close }
}
