import type { Destination } from './destination.js'

export interface NewMessage {
  readonly to: Destination
  /** Markdown. */
  readonly content: string
}

/** Why a message was not sent. */
export interface PendingError {
  /** A code of the server, or `RESULT_UNKNOWN`: nobody knows whether the message was sent. */
  readonly code: string
  readonly message: string
}

/** A message that is not in the store yet. Never changed: there is another object instead. */
export interface PendingMessage extends NewMessage {
  readonly localId: string
  /** UNIX milliseconds. */
  readonly createdAtMilliseconds: number
  /**
   * `waiting` for an earlier message of the conversation, for the connection, or for the next
   * attempt; `sending`; `sent`, until its event arrives; or `failed`.
   */
  readonly state: 'waiting' | 'sending' | 'sent' | 'failed'
  /** Only of a message that has failed. */
  readonly error: PendingError | undefined
}

/** Where messages that are not sent survive a reload of the page. */
export interface OutboxStorage {
  /** Returns the text that was saved last, or null. */
  load(): string | null
  /** Keeps a text of at most about a megabyte. */
  save(text: string): void
}

/** The messages that are being sent, and those that could not be sent. */
export interface Outbox {
  /** In the order in which they were sent; the same array until something changes. */
  readonly messages: readonly PendingMessage[]
  /** Calls `listener` after `messages` has changed. @returns how to stop that. */
  subscribe(listener: () => void): () => void
  /**
   * Sends a message. Messages to a conversation are sent one after the other.
   *
   * @throws {RangeError} if there are 200 messages already, or a million characters.
   */
  send(message: NewMessage): PendingMessage
  /** Tries at once to send a message that has failed or is waiting. */
  retry(localId: string): void
  /**
   * Changes the text of a message that the server does not have, and sends it.
   *
   * @returns false if it may have been sent: then it is not changed.
   */
  edit(localId: string, content: string): boolean
  /**
   * Removes a message, and does not try again to send it.
   *
   * @returns false if it may have been sent nevertheless.
   */
  discard(localId: string): boolean
}
