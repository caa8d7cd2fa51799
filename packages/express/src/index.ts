import {
  attachUpgrade,
  sendChatResponse,
  toChatRequest,
  type ChatHandler,
  type ChatResponse,
} from '@parley/core'
import type { RequestHandler } from 'express'

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
        toChatRequest(req, res, { parsedBody: req.body, passUnknownPaths, framework: req }),
      )
      if (response) sendChatResponse(res, response)
    } catch (error) {
      next(error)
      return
    }
    if (!response) next()
  }
}

/** Lets the chat take its WebSocket connections; see `attachUpgrade` of `@parley/core`. */
export const attachChatUpgrade: typeof attachUpgrade = attachUpgrade
