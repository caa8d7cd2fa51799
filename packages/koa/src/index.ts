import type { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'

import { attachUpgrade, toChatRequest, type ChatHandler, type ChatResponse } from '@parley/core'
import type Koa from 'koa'
import type { Context, Middleware } from 'koa'

export interface ChatMiddlewareOptions {
  /**
   * Whether a path under the API's prefix that is not an endpoint is passed on to the application's
   * own routes. Paths outside the prefix always are.
   * @default false: it is answered with a JSON 404
   */
  readonly passUnknownPaths?: boolean
}

/**
 * Creates the middleware that answers the chat's requests in a Koa application.
 *
 * Mount it before body parsers if possible: forms are then parsed within the chat's own limits.
 * After them, it uses their result in `ctx.request.body`. Responses are set on `ctx`, so middleware
 * before this one can see and change them.
 *
 * If the application mounts it at a path, the chat needs the option `basePath`.
 *
 * @example app.use(createChatMiddleware(chat))
 */
export function createChatMiddleware(
  chat: ChatHandler,
  options: ChatMiddlewareOptions = {},
): Middleware {
  const passUnknownPaths = options.passUnknownPaths ?? false
  return async (ctx, next) => {
    // Body parsers add it, if there is one.
    const { body: parsedBody } = ctx.request as { body?: unknown }
    const response = await chat.handle(
      toChatRequest(ctx.req, ctx.res, {
        parsedBody,
        passUnknownPaths,
        url: ctx.originalUrl,
        framework: ctx.request,
        context: ctx,
      }),
    )
    if (response) respond(ctx, response)
    else await next()
  }
}

/**
 * Attaches the chat to a server's WebSocket upgrades; see `attachUpgrade` of `@parley/core`.
 *
 * @param app the application, whose `proxy` determines whether proxies are trusted for protocol,
 *   host and address.
 * @returns a function that detaches the chat again; accepted connections stay open.
 * @throws {TypeError} if `app` is not a Koa application.
 */
export function attachChatUpgrade(
  server: EventEmitter,
  chat: Pick<ChatHandler, 'handleUpgrade'>,
  app: Pick<Koa, 'request'>,
): () => void {
  // The caller may not be type-checked.
  const { request: prototype } = (app ?? {}) as Partial<Pick<Koa, 'request'>>
  if (prototype === undefined) {
    throw new TypeError('attachChatUpgrade needs the Koa application as its third argument')
  }
  return attachUpgrade(server, chat, {
    framework: (incoming): Koa.Request =>
      // A Koa view of the request; an upgrade has no context.
      Object.create(prototype, { app: { value: app }, req: { value: incoming } }),
  })
}

/** Through Koa, because sessions and other middleware set headers after the chat has answered. */
function respond(ctx: Context, { status, headers, body }: ChatResponse): void {
  ctx.status = status
  ctx.body = status === 204 ? null : body
  const { Vary: vary, Connection: connection, ...others } = headers
  // The application's own headers for pages of other origins stay as they are.
  const hasOwnCors = ctx.res.hasHeader('Access-Control-Allow-Origin')
  for (const [name, value] of Object.entries(others)) {
    if (!hasOwnCors || !name.startsWith('Access-Control-')) ctx.set(name, value)
  }
  // HTTP/2 has no such header.
  if (connection !== undefined && ctx.req.httpVersionMajor < 2) ctx.set('Connection', connection)
  if (vary !== undefined) ctx.vary(vary)
  if (body instanceof Readable) {
    // Koa 2 would leave the connection open, as if more were to follow.
    body.once('close', () => {
      if (!body.readableEnded) ctx.res.destroy()
    })
  }
}
