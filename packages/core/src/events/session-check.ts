import type { ChatError } from '../errors/index.js'

/**
 * What vouches for a connection that the application's own session has opened. Credentials of the
 * chat have none: the log says when they end.
 */
export interface SessionCheck {
  /** What the request is answered once its session has ended. */
  readonly refusal: ChatError
  /**
   * Asks the application again. Never rejects: while the application cannot tell, the session
   * counts as valid.
   *
   * @returns what the request would be answered now, or undefined while its user is still the same.
   */
  check(): Promise<ChatError | undefined>
}
