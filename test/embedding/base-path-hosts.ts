import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

import { attachUpgrade, sendChatResponse, toChatRequest, type ChatServer } from '@parley/core'
import * as inExpress from '@parley/express'
import * as inKoa from '@parley/koa'
import express from 'express'
import Koa from 'koa'
import koaMount from 'koa-mount'

/** The base path of the chat in these applications. */
export const basePath = '/team/chat'
/** What the application itself answers. */
export const ownPage = 'the product'

/** Mounts a chat into an application; attaches it to the server's upgrades too. */
export type Mount = (
  chat: ChatServer,
  server: EventEmitter,
) => (request: IncomingMessage, response: ServerResponse) => unknown

function answerOwnPage(_: unknown, response: ServerResponse): void {
  response.statusCode = 404
  response.end(ownPage)
}

function inExpressAt(path: string | undefined): Mount {
  return (chat, server) => {
    const app = express()
    const middleware = inExpress.createChatMiddleware(chat)
    if (path === undefined) app.use(middleware)
    else app.use(path, middleware)
    app.use(answerOwnPage)
    inExpress.attachChatUpgrade(server, chat, app)
    return app
  }
}

function inKoaWith(middleware: (own: Koa.Middleware) => Koa.Middleware): Mount {
  return (chat, server) => {
    const app = new Koa()
    app.use(middleware(inKoa.createChatMiddleware(chat)))
    app.use((context) => {
      context.status = 404
      context.body = ownPage
    })
    inKoa.attachChatUpgrade(server, chat, app)
    return app.callback()
  }
}

const inExpressRouter: Mount = (chat, server) => {
  const app = express()
  const team = express.Router()
  team.use('/chat', inExpress.createChatMiddleware(chat))
  app.use('/team', team, answerOwnPage)
  app.use(answerOwnPage)
  inExpress.attachChatUpgrade(server, chat, app)
  return app
}

const inNode: Mount = (chat, server) => {
  attachUpgrade(server, chat)
  return async (request, response) => {
    const answer = await chat.handle(toChatRequest(request, response))
    if (answer) sendChatResponse(response, answer)
    else answerOwnPage(request, response)
  }
}

/** A framework that only knows the Fetch standard. */
const inFetch: Mount = (chat, server) => {
  attachUpgrade(server, chat)
  return async (request, response) => {
    const answer = await chat.fetch(toRequest(request))
    if (answer.status === 404 && answer.body === null) return answerOwnPage(request, response)
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    // The types of Node and of the DOM library describe the same class.
    if (answer.body) Readable.fromWeb(answer.body as ReadableStream).pipe(response)
    else response.end()
  }
}

function toRequest(request: IncomingMessage): Request {
  const { method = 'GET', url = '/', headers } = request
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const fields = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
  return new Request(`http://${headers.host}${url}`, {
    method,
    headers: Object.fromEntries(fields),
    // As in `inFetch`; the types of the DOM library lack `duplex`, which Node requires.
    ...(hasBody && ({ body: Readable.toWeb(request), duplex: 'half' } as object)),
  })
}

export const mounts: Readonly<Record<string, Mount>> = {
  Express: inExpressAt(undefined),
  'Express at the path': inExpressAt(basePath),
  'nested routers of Express': inExpressRouter,
  Koa: inKoaWith((own) => own),
  'Koa at the path': inKoaWith((own) => koaMount('/team', koaMount('/chat', own))),
  'node:http': inNode,
  'the Fetch standard': inFetch,
}
