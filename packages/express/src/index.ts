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
   * Whether a path under the API's prefix that is not an endpoint is passed on to the application's
   * own routes. Paths outside the prefix always are.
   * @default false: it is answered with a JSON 404
   */
  readonly passUnknownPaths?: boolean
}

/**
 * Creates the middleware that answers the chat's requests in an Express application (4.21 or
 * later).
 *
 * Mount it before body parsers if possible: forms are then parsed within the chat's own limits.
 * After them, it uses their result.
 *
 * If the application mounts it at a path, the chat needs the option `basePath`.
 *
 * @example app.use(createChatMiddleware(chat))
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
 * Attaches the chat to a server's WebSocket upgrades; see `attachUpgrade` of `@parley/core`.
 *
 * @param app the application, whose setting `trust proxy` determines which proxies are trusted for
 *   protocol, host and address.
 * @returns a function that detaches the chat again; accepted connections stay open.
 * @throws {TypeError} if `app` is not an Express application.
 */
export function attachChatUpgrade(
  server: EventEmitter,
  chat: Pick<ChatHandler, 'handleUpgrade'>,
  app: Pick<Express, 'request'>,
): () => void {
  // The caller may not be type-checked.
  const { request: prototype } = (app ?? {}) as Partial<Pick<Express, 'request'>>
  if (prototype === undefined) {
    throw new TypeError('attachChatUpgrade needs the Express application as its third argument')
  }
  return attachUpgrade(server, chat, {
    framework: (incoming) => {
      const { headers, socket } = incoming
      // An Express view of the request, which does not change it for other listeners.
      const request: Request = Object.create(prototype, {
        headers: { value: headers },
        socket: { value: socket },
        connection: { value: socket },
      })
      return new ExpressFacts(request)
    },
  })
}

/** Express's facts from the proxies that it trusts; computed on first use. */
class ExpressFacts implements FrameworkFacts {
  constructor(private readonly request: Request) {}

  get protocol(): string {
    return this.request.protocol
  }

  get ip(): string | undefined {
    return this.request.ip
  }

  /** Not `request.host`, which has no port in Express 4. */
  get host(): string | undefined {
    const { app, socket } = this.request
    const forwarded = this.request.get('X-Forwarded-Host')
    const trusts: unknown = app.get('trust proxy fn')
    if (forwarded === undefined || typeof trusts !== 'function') return undefined
    if (trusts(socket.remoteAddress, 0) !== true) return undefined
    return forwarded.split(',', 1)[0]?.trim()
  }
}
