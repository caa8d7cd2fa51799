import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { createChatServer, type ChatServer, type OneOrganizationOptions } from '@parley/core'
import { attachChatUpgrade, createChatMiddleware } from '@parley/express'
import express from 'express'

/** Shorter than the time-out of the orchestrator. */
const healthMilliseconds = 2000

/** Undefined if the database has not answered in time. */
function healthOf(chat: ChatServer) {
  return Promise.race([chat.health(), sleep(healthMilliseconds, undefined, { ref: false })])
}

export async function startProduct(options: OneOrganizationOptions, port: number) {
  const chat = createChatServer(options)
  const app = express()
  // Whether the process has to be replaced. Not if the database is away: that would replace all.
  app.get('/livez', (_request, response) => {
    response.sendStatus(200)
  })
  // Whether requests should come here.
  app.get('/readyz', async (_request, response) => {
    const health = await healthOf(chat)
    const isReady = health?.isReady === true
    response.status(isReady ? 200 : 503).json({
      state: health?.state ?? 'unknown',
      database: health?.database ?? 'down',
      lag: health?.log.lag,
    })
  })
  app.use(createChatMiddleware(chat))
  const server = createServer(app)
  attachChatUpgrade(server, chat, app)
  server.listen(port)
  await once(server, 'listening')
  await chat.start()
  return { chat, server }
}
