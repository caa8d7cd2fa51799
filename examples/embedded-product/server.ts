/* oxlint-disable oxc/no-async-endpoint-handlers -- Express 5 hands rejections to the error handler. */
import { createServer } from 'node:http'

import { ChatError, createChatServer, type SyncedUser } from '@parley/core'
import { attachChatUpgrade, createChatMiddleware } from '@parley/express'
import express, { type ErrorRequestHandler } from 'express'
import createKnex from 'knex'

import { databaseConfig, parseExampleArguments } from '../support/arguments.js'
import { chatOptions } from '../support/chat-options.js'
import { buildElements } from '../support/page.js'
import { closeOnSignal, listen, loadOrganization } from '../support/serve.js'
import { frameworkPage, frameworkScripts } from './framework-pages.js'
import { Accounts, type Account } from './accounts.js'
import { loginPage, ownPath } from './login-page.js'
import { Orders } from './orders.js'
import { shopPage, shopStyle } from './shop-page.js'

const options = parseExampleArguments({ database: 'product.sqlite' })
const database = createKnex(databaseConfig(options.database))
const accounts = new Accounts(database)

const cardNumber = /\b\d(?:[ -]?\d){12,18}\b/

/** Known when the server listens. */
let origin = ''
const chat = createChatServer({
  database,
  ...chatOptions(options),
  async identify(request) {
    const account = await accounts.find(request)
    if (account === undefined) return null
    return chatUserOf(account)
  },
  // The shop's pages change these. Channels are opened for orders only.
  ownedByApplication: ['fullName', 'email'],
  operations: { disabled: ['create-channel', 'subscribe'] },
  baseUrl: () => origin,
  basePath: '/chat',
  signOn: { displayName: 'The Shop', loginUrl: '/login' },
})
chat.before('content', ({ text }) => {
  if (!cardNumber.test(text)) return
  throw new ChatError('BAD_REQUEST', { message: 'Never write the number of a card in the chat.' })
})
const orders = new Orders(database, chat)
orders.countMessages()

const elements = await buildElements()
await chat.start()
await accounts.createTables()
await orders.createTable()
for (const [id, name, fullName] of [
  [1, 'ada', 'Ada Byron'],
  [2, 'ben', 'Ben Okri'],
  [3, 'cora', 'Cora Lind'],
] as const) {
  await accounts.add({
    id,
    email: `${name}@shop.example`,
    full_name: fullName,
    is_staff: name === 'ada',
    password: `correct horse ${name}`,
  })
}
await loadOrganization(
  chat,
  options.organization ?? new URL('./organization.json', import.meta.url),
)
await chat.users.sync((await accounts.list()).map(chatUserOf), { deactivateMissing: true })

const app = express()
app.use(createChatMiddleware(chat))
app.use(express.json(), express.urlencoded({ extended: false }))

app.get('/parley/:file', ({ params }, response, next) => {
  const text = elements.get(params.file)
  if (text === undefined) next()
  else response.type('js').send(text)
})

app.get('/shop.css', (_, response) => {
  response.type('css').send(shopStyle)
})

app.get('/', async (request, response) => {
  const account = await accounts.find(request)
  if (account === undefined) {
    response.redirect(303, '/login?next=/')
    return
  }
  const list = await orders.list(account)
  const shown = list.find(({ id }) => String(id) === request.query['order']) ?? list[0]
  response
    .setHeader('Content-Security-Policy', "default-src 'self'; img-src 'self' data:")
    .type('html')
    .send(shopPage(account, list, shown))
})

// The same page as products write it without a framework, and with React, Vue and Angular.
app.get('/pages/:name', async ({ params: { name } }, response, next) => {
  const page = frameworkPage(name)
  const script = page === undefined ? (await frameworkScripts()).get(name) : undefined
  if (page !== undefined) {
    const evaluates = name === 'angular' ? " 'unsafe-eval'" : ''
    const policy = `default-src 'self'; script-src 'self'${evaluates}; img-src 'self' data:`
    response.setHeader('Content-Security-Policy', policy).type('html').send(page)
  } else if (script === undefined) next()
  else response.type('js').send(script)
})

app.get('/login', (request, response) => {
  response.type('html').send(loginPage(ownPath(request.query['next'])))
})

app.post('/login', async (request, response) => {
  const { email, password, next } = fieldsOf(request.body)
  const cookie = await accounts.login(String(email), String(password))
  if (cookie === undefined) {
    response.status(401).json({ error: 'Address and password do not match.' })
    return
  }
  response.setHeader('Set-Cookie', cookie)
  const path = ownPath(next)
  if (path === '') response.json({ loggedIn: true })
  else response.redirect(303, path)
})

app.post('/logout', async (request, response) => {
  const account = await accounts.find(request)
  await accounts.logout(request)
  // Polls and WebSockets outlive the request that opened them.
  if (account !== undefined) await chat.users.endSessions(account.id)
  response.json({ loggedIn: false })
})

app.use(['/account', '/orders'], async (request, response, next) => {
  const account = await accounts.find(request)
  if (account === undefined) {
    response.status(401).json({ error: 'Log in first.' })
    return
  }
  response.locals['account'] = account
  next()
})

app.post('/account', async (request, response) => {
  const { full_name: fullName } = fieldsOf(request.body)
  if (typeof fullName !== 'string' || fullName.trim() === '' || fullName.length > 60) {
    response.status(400).json({ error: 'An account needs a name.' })
    return
  }
  const account: Account = { ...response.locals['account'], full_name: fullName.trim() }
  await accounts.rename(account.id, account.full_name)
  await chat.users.sync([chatUserOf(account)])
  response.json({ full_name: account.full_name })
})

app.get('/orders', async (_, response) => {
  response.json({ orders: await orders.list(response.locals['account']) })
})

app.post('/orders', async (request, response) => {
  const { item, quantity = 1, page } = fieldsOf(request.body)
  const count = Number(quantity)
  if (
    typeof item !== 'string' ||
    item === '' ||
    item.length > 60 ||
    !(count >= 1 && count <= 1000)
  ) {
    response.status(400).json({ error: 'An order needs an item and a quantity.' })
    return
  }
  const placed = await orders.place(response.locals['account'], item, Math.floor(count))
  if (page === 'yes') response.redirect(303, `/?order=${placed.orderId}`)
  else response.status(201).json(placed)
})

const answerError: ErrorRequestHandler = (error, _request, response, _next) => {
  if (error instanceof ChatError) {
    response.status(error.status).json({ error: error.message })
  } else {
    console.error(error)
    response.status(500).json({ error: 'Something went wrong.' })
  }
}
app.use(answerError)

const server = createServer(app)
attachChatUpgrade(server, chat, app)
closeOnSignal(server, chat, () => database.destroy())
origin = await listen(server, options.port, [])
console.log(`The shop is at ${origin}/ (ben@shop.example, correct horse ben)`)
console.log(
  `curl -c cookies.txt -d email=ada@shop.example -d 'password=correct horse ada' ${origin}/login`,
)
console.log(`curl -b cookies.txt -d item=tea -d quantity=2 ${origin}/orders`)

/** Customers are guests of the chat: they see the channels of their own orders only. */
function chatUserOf({ id, email, full_name, is_staff }: Account): SyncedUser {
  return { externalId: id, email, fullName: full_name, role: is_staff ? 100 : 600 }
}

function fieldsOf(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}
