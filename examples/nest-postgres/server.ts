import { NestFactory } from '@nestjs/core'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { attachUpgrade, createChatServer, sendChatResponse, toChatRequest } from '@parley/core'
import { Pool } from 'pg'

import { parseExampleArguments } from '../support/arguments.js'
import { chatOptions } from '../support/chat-options.js'
import { buildElements } from '../support/page.js'
import { startChat } from '../support/serve.js'
import { Accounts, chatUserOf } from './accounts.js'
import { openDatabase } from './database.js'
import { Orders } from './orders.js'
import { ShopModule } from './shop.js'

const options = parseExampleArguments({ database: 'postgres://postgres@127.0.0.1:5432/shop' })
const pool = new Pool({ connectionString: options.database })
// Without a listener, an idle connection that the database ends would end the process.
pool.on('error', (error) => console.warn(error))

const chat = createChatServer({
  ...chatOptions(options),
  // The shop's database, with connections of its own.
  database: { client: 'pg', connection: options.database },
  basePath: '/chat',
  async identify({ headers }) {
    const account = await accounts.find(headers.cookie)
    return account && chatUserOf(account)
  },
})
await startChat(chat)
const database = await openDatabase(pool)
const accounts = new Accounts(database)
const ada = { id: 1, email: 'ada@shop.example', fullName: 'Ada Byron', isStaff: true }
const ben = { id: 2, email: 'ben@shop.example', fullName: 'Ben Okri', isStaff: false }
const cora = { id: 3, email: 'cora@shop.example', fullName: 'Cora Lind', isStaff: false }
await accounts.add(ada, 'correct horse ada')
await accounts.add(ben, 'correct horse ben')
await accounts.add(cora, 'correct horse cora')
// Customers see nobody but those whom they share an order with.
const organization = { name: 'Sample Shop', preset: 'comments', owner: chatUserOf(ada) } as const
await chat.organizations.ensure(organization)
await chat.users.sync([ada, ben, cora].map(chatUserOf))

const adapter = new FastifyAdapter()
const shop = ShopModule.of(accounts, new Orders(database, chat), chat)
const app = await NestFactory.create<NestFastifyApplication>(shop, adapter, { logger: ['error'] })
const fastify = adapter.getInstance()
// Before `listen` or `init`, so that the chat reads bodies within its own limits.
fastify.addHook('onRequest', async (request, reply) => {
  const { protocol, host, ip } = request
  const framework = { protocol, host, ip }
  const answer = await chat.handle(toChatRequest(request.raw, reply.raw, { framework }))
  if (answer === undefined) return
  reply.hijack()
  sendChatResponse(reply.raw, answer)
})
attachUpgrade(app.getHttpServer(), chat)
const elements = await buildElements()
fastify.get<{ Params: { file: string } }>('/parley/:file', (request, reply) => {
  const text = elements.get(request.params.file)
  if (text === undefined) reply.callNotFound()
  else reply.type('text/javascript').send(text)
})

app.enableShutdownHooks(undefined, { useProcessExit: true })
await app.listen(options.port, '127.0.0.1')
console.log(`The shop listens on ${await app.getUrl()}`)
