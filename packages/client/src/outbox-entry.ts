import type { PendingMessage } from './pending-message.js'

/** A message with the facts that its sender knows about it. */
export interface OutboxEntry {
  readonly message: PendingMessage
  /** Together with the local id, the server's key of the message: it is never sent twice. */
  readonly queueId: string | undefined
  /** UNIX milliseconds; undefined before the first attempt. */
  readonly firstAttemptAt: number | undefined
  /** Whether an attempt has ended without an answer, or was not ended by a reload. */
  readonly isUncertain: boolean
  /** Undefined until the server has answered. */
  readonly messageId: number | undefined
}

/** The facts about a message that the server certainly does not have. */
export const unsent = {
  queueId: undefined,
  firstAttemptAt: undefined,
  isUncertain: false,
  messageId: undefined,
} as const

/** Whether the server may have the message. */
export function mayBeSent({ message: { state }, isUncertain }: OutboxEntry): boolean {
  return state === 'sending' || state === 'sent' || isUncertain
}
