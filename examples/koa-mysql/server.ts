import { createServer, type RequestListener } from 'node:http'

import { createChatServer } from '@parley/core'
import { attachChatUpgrade, createChatMiddleware } from '@parley/koa'
import Koa from 'koa'

import { acceptAnyPassword } from '../support/any-password.js'
import { databaseConfig, parseExampleArguments } from '../support/arguments.js'
import { chatOptions } from '../support/chat-options.js'
import { closeOnSignal, listen, loadOrganization, startChat } from '../support/serve.js'

const options = parseExampleArguments({
  database: process.env['MYSQL_URL'] ?? 'mysql://root@127.0.0.1:3306/parley',
})
const chat = createChatServer({
  database: databaseConfig(options.database),
  ...chatOptions(options),
})
await startChat(chat)
const { users } = await loadOrganization(chat, options.organization)

const app = new Koa()
app.use(createChatMiddleware(chat))
const answer = app.callback()
const onRequest: RequestListener = (request, response) => void answer(request, response)
const server = createServer(options.development ? acceptAnyPassword(onRequest) : onRequest)
attachChatUpgrade(server, chat, app)
closeOnSignal(server, chat)
await listen(server, options.port, users)
