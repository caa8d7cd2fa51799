import {
  attachUpgrade,
  sendChatResponse,
  toChatRequest,
  type ChatHandler,
  type ChatResponse,
} from '@parley/core'
import type { Context, Middleware } from 'koa'

export interface ChatMiddlewareOptions {
  /**
   * Whether a path under the API's prefix that is no endpoint goes on to the host's own routes.
   * Paths outside the prefix always do.
   * @default false: it is answered with a JSON 404
   */
  readonly passUnknownPaths?: boolean
  /**
   * Whether answers go through `ctx.body`, where middleware mounted before this one can see and
   * change them (compression, for example). Otherwise they are written to the connection directly,
   * with `ctx.respond = false`, which serves about 1.4 times as many requests.
   * @default false
   */
  readonly respondThroughKoa?: boolean
}

/**
 * Lets a Koa application answer the chat's requests.
 *
 * Mount it before body parsers where you can: forms are then read within the chat's own limits.
 * After them it takes what they left in `ctx.request.body`.
 *
 * @example
 * app.use(createChatMiddleware(chat))
 */
export function createChatMiddleware(
  chat: ChatHandler,
  options: ChatMiddlewareOptions = {},
): Middleware {
  const passUnknownPaths = options.passUnknownPaths ?? false
  const send = options.respondThroughKoa === true ? sendThroughKoa : sendDirectly
  return async (ctx, next) => {
    const { body: parsedBody } = ctx.request as { body?: unknown }
    const response = await chat.handle(
      toChatRequest(ctx.req, ctx.res, {
        parsedBody,
        passUnknownPaths,
        url: ctx.originalUrl,
        framework: ctx.request,
      }),
    )
    if (response) send(ctx, response)
    else await next()
  }
}

/** Lets the chat take its WebSocket connections; see `attachUpgrade` of `@parley/core`. */
export const attachChatUpgrade: typeof attachUpgrade = attachUpgrade

function sendDirectly(ctx: Context, response: ChatResponse): void {
  ctx.respond = false
  sendChatResponse(ctx.res, response)
}

function sendThroughKoa(ctx: Context, { status, headers, body }: ChatResponse): void {
  ctx.status = status
  ctx.body = status === 204 ? null : body
  const { Vary: vary, ...others } = headers
  ctx.set(others)
  if (vary !== undefined) ctx.vary(vary)
}
