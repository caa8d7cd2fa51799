/* oxlint-disable oxc/no-async-endpoint-handlers -- Express 5 hands rejections to the error handler. */
import { createServer } from 'node:http'

import { ChatError, createChatServer } from '@parley/core'
import { attachChatUpgrade, createChatMiddleware } from '@parley/express'
import express, { type ErrorRequestHandler } from 'express'
import createKnex from 'knex'

import { databaseConfig, parseExampleArguments } from '../support/arguments.js'
import { chatOptions } from '../support/chat-options.js'
import { closeOnSignal, listen, loadOrganization } from '../support/serve.js'
import { Accounts } from './accounts.js'
import { loginPage, ownPath } from './login-page.js'
import { Orders } from './orders.js'

const options = parseExampleArguments({ database: 'product.sqlite' })
const database = createKnex(databaseConfig(options.database))
const accounts = new Accounts(database)

/** Known when the server listens. */
let origin = ''
const chat = createChatServer({
  database,
  ...chatOptions(options),
  async identify(request) {
    const account = await accounts.find(request)
    if (account === undefined) return null
    return { externalId: String(account.id), email: account.email, fullName: account.full_name }
  },
  baseUrl: () => origin,
  signOn: { displayName: 'The Shop', loginUrl: '/login' },
})
const orders = new Orders(database, chat)

await chat.start()
await accounts.createTables()
await orders.createTable()
await accounts.add({
  id: 1,
  email: 'ada@shop.example',
  full_name: 'Ada Byron',
  password: 'correct horse ada',
})
await accounts.add({
  id: 2,
  email: 'ben@shop.example',
  full_name: 'Ben Okri',
  password: 'correct horse ben',
})
await loadOrganization(
  chat,
  options.organization ?? new URL('./organization.json', import.meta.url),
)

const app = express()
app.use(createChatMiddleware(chat))
app.use(express.json(), express.urlencoded({ extended: false }))

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
  await accounts.logout(request)
  response.json({ loggedIn: false })
})

app.use('/orders', async (request, response, next) => {
  const account = await accounts.find(request)
  if (account === undefined) {
    response.status(401).json({ error: 'Log in first.' })
    return
  }
  response.locals['account'] = account
  next()
})

app.get('/orders', async (_, response) => {
  response.json({ orders: await orders.list() })
})

app.post('/orders', async (request, response) => {
  const { item, quantity = 1 } = fieldsOf(request.body)
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
  response.status(201).json(await orders.place(response.locals['account'], item, Math.floor(count)))
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
console.log(
  `curl -c cookies.txt -d email=ada@shop.example -d 'password=correct horse ada' ${origin}/login`,
)
console.log(`curl -b cookies.txt -d item=tea -d quantity=2 ${origin}/orders`)

function fieldsOf(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}
