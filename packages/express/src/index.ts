import type { EventEmitter } from 'node:events'

import {
  attachUpgrade,
  sendChatResponse,
  toChatRequest,
  type ChatHandler,
  type ChatResponse,
  type FrameworkFacts,
} from '@parley/core'
import type { Express, Request, RequestHandler } from 'express'

export interface ChatMiddlewareOptions {
  /**
   * Whether a path under the API's prefix that is no endpoint goes on to the host's own routes.
   * Paths outside the prefix always do.
   * @default false: it is answered with a JSON 404
   */
  readonly passUnknownPaths?: boolean
}

/**
 * Lets an Express application (4.21 or later) answer the chat's requests.
 *
 * Mount it before body parsers where you can: forms are then read within the chat's own limits.
 * After them it takes what they parsed.
 *
 * @example
 * app.use(createChatMiddleware(chat))
 */
export function createChatMiddleware(
  chat: ChatHandler,
  options: ChatMiddlewareOptions = {},
): RequestHandler {
  const passUnknownPaths = options.passUnknownPaths ?? false
  return async (req, res, next) => {
    let response: ChatResponse | undefined
    try {
      response = await chat.handle(
        toChatRequest(req, res, {
          parsedBody: req.body,
          passUnknownPaths,
          framework: new ExpressFacts(req),
        }),
      )
      if (response) sendChatResponse(res, response)
    } catch (error) {
      next(error)
      return
    }
    if (!response) next()
  }
}

/**
 * Lets the chat take its WebSocket connections; see `attachUpgrade` of `@parley/core`.
 *
 * @param app the application, whose setting `trust proxy` says which proxies are believed about
 *   protocol, host and address.
 * @returns a function that detaches the chat again; connections that it took stay open.
 * @throws {TypeError} if `app` is not an Express application.
 */
export function attachChatUpgrade(
  server: EventEmitter,
  chat: Pick<ChatHandler, 'handleUpgrade'>,
  app: Pick<Express, 'request'>,
): () => void {
  // Not every caller is written in TypeScript.
  const { request: prototype } = (app ?? {}) as Partial<Pick<Express, 'request'>>
  if (prototype === undefined) {
    throw new TypeError('attachChatUpgrade needs the Express application as its third argument')
  }
  return attachUpgrade(server, chat, {
    framework: (incoming) => {
      const { headers, socket } = incoming
      // A view of the request as Express shows it, without changing what other listeners get.
      const request: Request = Object.create(prototype, {
        headers: { value: headers },
        socket: { value: socket },
        connection: { value: socket },
      })
      return new ExpressFacts(request)
    },
  })
}

/** What Express knows through the proxies that it trusts; worked out when asked for. */
class ExpressFacts implements FrameworkFacts {
  constructor(private readonly request: Request) {}

  get protocol(): string {
    return this.request.protocol
  }

  get ip(): string | undefined {
    return this.request.ip
  }

  /** Not `request.host`, which Express 4 gives without the port. */
  get host(): string | undefined {
    const { app, socket } = this.request
    const forwarded = this.request.get('X-Forwarded-Host')
    const trusts: unknown = app.get('trust proxy fn')
    if (forwarded === undefined || typeof trusts !== 'function') return undefined
    if (trusts(socket.remoteAddress, 0) !== true) return undefined
    return forwarded.split(',', 1)[0]?.trim()
  }
}
