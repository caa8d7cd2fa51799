import type { ChatRequest, ChatResponse } from '../chat-request.js'

/** The facts that a page needs about the chat that serves it. */
export interface PageContext {
  /** The chat's option `basePath`; empty at the root. The API is at `${basePath}/api/v1`. */
  readonly basePath: string
}

/**
 * Serves a page for browsers, and its files, beside the API.
 *
 * It is asked for every GET and HEAD whose path is not the API's, also for paths outside of the
 * base path, before the application's own routes. Nobody is authenticated for it, so it must contain
 * nothing personal.
 */
export interface ChatPage {
  /**
   * Answers a request; undefined if the path, which is as the client sent it and so includes the
   * base path, is not the page's.
   *
   * The answer to a HEAD has the same body as that to a GET: the server omits it. The same applies
   * to an answer with an `ETag` that the client has already, which becomes a 304.
   */
  handle(
    request: ChatRequest,
    context: PageContext,
  ): ChatResponse | undefined | Promise<ChatResponse | undefined>
}
