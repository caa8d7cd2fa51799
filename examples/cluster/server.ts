import { createServer } from 'node:http'

import { createChatServer } from '@parley/core'
import { attachChatUpgrade, createChatMiddleware } from '@parley/express'
import { createRedisBus, createRedisRateLimitStore } from '@parley/redis'
import { createClient } from '@redis/client'
import express from 'express'

import { databaseConfig, parseExampleArguments } from '../support/arguments.js'
import { chatOptions } from '../support/chat-options.js'
import { closeOnSignal, listen, loadOrganization, startChat } from '../support/serve.js'

// One application process of several: nothing here says how many there are.
const options = parseExampleArguments({
  database: process.env['MYSQL_URL'] ?? 'mysql://root@127.0.0.1:3306/parley',
})
const redis = createClient({ url: process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379' })
const chat = createChatServer({
  ...chatOptions(options),
  database: databaseConfig(options.database),
  bus: createRedisBus(redis),
  rateLimits: {
    // The senders of this example write faster than people do.
    apiByUser: [{ windowSeconds: 60, maxRequests: 6000 }],
    store: createRedisRateLimitStore(redis),
  },
})
await startChat(chat)
const { users } = await loadOrganization(chat, options.organization)

const app = express()
app.use(createChatMiddleware(chat))
const server = createServer(app)
attachChatUpgrade(server, chat, app)
closeOnSignal(server, chat)
await listen(server, options.port, users)
