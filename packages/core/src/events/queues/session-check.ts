import type { ChatError } from '../../errors/index.js'

/**
 * Checks a connection that was opened through a session of the application. Connections with
 * credentials of the chat have no check: the log announces when these end.
 */
export interface SessionCheck {
  /** The response to the request once its session has ended. */
  readonly refusal: ChatError
  /**
   * Asks the application again. Never rejects: while the application cannot answer, the session
   * counts as valid.
   *
   * @returns the error that the request would get now, or undefined while its user is still the
   *   same.
   */
  check(): Promise<ChatError | undefined>
}
