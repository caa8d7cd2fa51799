import assert from 'node:assert/strict'
import type { IncomingMessage, RequestListener } from 'node:http'
import { describe, it } from 'node:test'

import type { ChatServer } from '@parley/core'
import { createChatMiddleware as inExpress } from '@parley/express'
import { createChatMiddleware as inKoa } from '@parley/koa'
import express, { type ErrorRequestHandler } from 'express'
import Koa from 'koa'

import { withChatProduct } from './product.js'

const answerError: ErrorRequestHandler = (error, _request, response, _next) => {
  response.status(500).json({ handled: String(error.message) })
}

function expressProduct(chat: ChatServer, parserComesFirst: boolean): RequestListener {
  const app = express()
  const parsers = [express.json(), express.urlencoded({ extended: true }), express.text()]
  app.use((_, response, next) => {
    response.setHeader('X-Product', 'yes')
    response.setHeader('Vary', 'Cookie')
    next()
  })
  if (parserComesFirst) app.use(parsers)
  app.use(inExpress(chat))
  if (!parserComesFirst) app.use(parsers)
  app.post('/echo', (request, response) => {
    response.json(request.body)
  })
  app.get('/broken', () => {
    throw new Error('of the product')
  })
  app.use((_, response) => {
    response.status(404).send('the product has no such page')
  })
  app.use(answerError)
  return app
}

function koaProduct(chat: ChatServer, parserComesFirst: boolean): RequestListener {
  const app = new Koa()
  app.silent = true
  const parse: Koa.Middleware = async ({ request, req }, next) => {
    if (isParsed(req)) (request as { body?: unknown }).body = await parsed(req)
    await next()
  }
  app.use(async (context, next) => {
    context.set('X-Product', 'yes')
    context.vary('Cookie')
    try {
      await next()
    } catch (error) {
      context.status = 500
      context.body = { handled: (error as Error).message }
    }
  })
  if (parserComesFirst) app.use(parse)
  app.use(inKoa(chat))
  if (!parserComesFirst) app.use(parse)
  app.use((context) => {
    if (context.path === '/broken') throw new Error('of the product')
    if (context.path === '/echo') {
      context.body = (context.request as { body?: unknown }).body
    } else {
      context.status = 404
      context.body = 'the product has no such page'
    }
  })
  const answer = app.callback()
  return (request, response) => void answer(request, response)
}

/** Popular parsers for Koa parse these two kinds of body, and do not read the others. */
function isParsed({ headers }: IncomingMessage): boolean {
  return /json|urlencoded/.test(headers['content-type'] ?? '')
}

async function parsed(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  if (request.headers['content-type']?.includes('json')) return JSON.parse(text) as unknown
  return Object.fromEntries(new URLSearchParams(text))
}

const mounts = { express: expressProduct, koa: koaProduct }

for (const [name, mount] of Object.entries(mounts)) {
  for (const parserComesFirst of [true, false]) {
    const order = parserComesFirst ? 'after' : 'before'

    describe(`the chat in an application on ${name}, ${order} the application's body parsers`, () => {
      const at = withChatProduct((chat) => mount(chat, parserComesFirst))

      it('sends and receives messages', async () => {
        const { alice, bob } = at.cast.people
        const feed = await bob.listen({ event_types: ['message'] })

        await alice.whisper([bob], 'through %, & and +; ünïcödé 🎉')

        const [event] = await feed.drain()
        assert.equal(event?.['message'].content, 'through %, & and +; ünïcödé 🎉')
      })

      it('accepts multipart forms', async () => {
        const form = new FormData()
        form.set('type', 'direct')
        form.set('to', JSON.stringify([at.cast.people.bob.id]))
        form.set('content', 'in parts')

        const response = await fetch(`${at.product.origin}/api/v1/messages`, {
          method: 'POST',
          headers: at.cast.people.alice.authorization(),
          body: form,
        })

        assert.equal(((await response.json()) as { result: string }).result, 'success')
      })

      it("does not affect the application's pages, bodies, errors and 404", async () => {
        const post = {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"kept":[1,2]}',
        }
        const [echo, broken, missing] = await Promise.all([
          fetch(`${at.product.origin}/echo`, post),
          fetch(`${at.product.origin}/broken`),
          fetch(`${at.product.origin}/api/v2/messages`),
        ])

        assert.deepEqual(await echo.json(), { kept: [1, 2] })
        assert.equal(broken.status, 500)
        assert.deepEqual(await broken.json(), { handled: 'of the product' })
        assert.equal(missing.status, 404)
        assert.equal(await missing.text(), 'the product has no such page')
      })

      it("keeps headers of the application's earlier middleware", async () => {
        const { headers } = await at.cast.nobody.get('/server_settings')

        assert.equal(headers['x-product'], 'yes')
        assert.equal(headers['vary'], 'Cookie, Accept-Language')
      })

      it('answers HEAD, OPTIONS, other verbs and unknown endpoints', async () => {
        const { alice } = at.cast.people
        const head = await alice.send('HEAD', '/server_settings')
        const options = await at.cast.nobody.send('OPTIONS', '/events')
        const verb = await alice.send('PUT', '/events')
        const unknown = await alice.get('/no/such/endpoint')

        assert.equal(head.status, 200)
        assert.equal(head.text, '')
        assert.ok(Number(head.headers['content-length']) > 0)
        assert.equal(options.status, 204)
        assert.equal(options.headers.allow, 'DELETE, GET')
        assert.equal(verb.status, 405)
        assert.equal(verb.headers.allow, 'DELETE, GET')
        assert.deepEqual(verb.body, {
          result: 'error',
          msg: 'Method Not Allowed',
          code: 'METHOD_NOT_ALLOWED',
          allowed_methods: ['DELETE', 'GET'],
        })
        assert.equal(unknown.status, 404)
        assert.deepEqual(unknown.body, { result: 'error', msg: 'Not Found', code: 'BAD_REQUEST' })
      })
    })
  }
}
