import { once } from 'node:events'

import { createChatServer, type OneOrganizationOptions } from '@parley/core'
import { jwtIdentity, type JwtIdentityOptions } from '@parley/core/jwt'
import { attachChatUpgrade, createChatMiddleware } from '@parley/express'
import express, { type Request, type Response } from 'express'

export async function startProduct(
  options: OneOrganizationOptions,
  port: number,
  login: Pick<JwtIdentityOptions, 'jwks' | 'issuer' | 'audience'>,
) {
  const identify = jwtIdentity({
    ...login, // { jwks: 'https://login.example/jwks.json', issuer: 'https://login.example/', audience: 'chat' }
    user: ({ sub = '', email, name }) => ({
      externalId: sub,
      email: String(email),
      fullName: String(name),
    }),
  })
  const chat = createChatServer({ ...options, identify })
  await chat.start()

  const app = express()
  app.use(createChatMiddleware(chat))
  // A token of the chat for a client that the login's own tokens do not reach.
  async function createToken(request: Request, response: Response): Promise<void> {
    const user = await identify(request, { isRepeated: false, context: request })
    if (user === null || user === undefined) response.sendStatus(401)
    else response.json(await chat.users.createToken(user, { expiresInSeconds: 600 }))
  }
  app.post('/chat-token', createToken)
  const server = app.listen(port)
  attachChatUpgrade(server, chat, app)
  await once(server, 'listening')
  const close = async () => {
    await chat.close()
    server.close()
  }
  return { chat, server, close }
}
