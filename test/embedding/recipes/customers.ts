import { once } from 'node:events'

import { createChatServer, type HostIdentity, type OneOrganizationOptions } from '@parley/core'
import { attachChatUpgrade, createChatMiddleware } from '@parley/express'
import express from 'express'

// Your product's own sessions.
const owner = { externalId: 'olive', email: 'olive@shop.example', fullName: 'Olive Owner' }
const sessions = new Map<string, HostIdentity>([
  ['session=1', owner],
  ['session=2', { externalId: 7, email: 'ada@mail.example', fullName: 'Ada Byron' }],
])

export async function startProduct(options: OneOrganizationOptions, port: number) {
  const chat = createChatServer({
    ...options,
    identify: ({ headers }) => sessions.get(headers.cookie ?? '') ?? null,
  })
  await chat.start()
  await chat.organizations.ensure({ name: 'The Shop', preset: 'comments', owner })

  const app = express().use(createChatMiddleware(chat))
  const server = app.listen(port)
  attachChatUpgrade(server, chat, app)
  await once(server, 'listening')
  const close = async () => {
    await chat.close()
    server.close()
  }
  return { chat, server, close }
}
