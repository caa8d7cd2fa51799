import { createServer } from 'node:http'

import { createChatServer } from '@parley/core'
import { attachChatUpgrade, createChatMiddleware } from '@parley/express'
import { chatPage } from '@parley/web/page'
import express from 'express'

import { acceptAnyPassword } from '../support/any-password.js'
import { databaseConfig, parseExampleArguments } from '../support/arguments.js'
import { chatOptions } from '../support/chat-options.js'
import { buildPage } from '../support/page.js'
import { closeOnSignal, listen, loadOrganization, startChat } from '../support/serve.js'

const options = parseExampleArguments({ database: 'parley.sqlite' })
await buildPage()
const chat = createChatServer({
  database: databaseConfig(options.database),
  ...chatOptions(options),
  page: chatPage({ path: '/' }),
})
await startChat(chat)
const { users } = await loadOrganization(chat, options.organization)

const app = express()
app.use(createChatMiddleware(chat))
const server = createServer(options.development ? acceptAnyPassword(app) : app)
attachChatUpgrade(server, chat, app)
closeOnSignal(server, chat)
const origin = await listen(server, options.port, users)
console.log(`The chat is at ${origin}/`)
