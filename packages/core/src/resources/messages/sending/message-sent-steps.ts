import type { InjectionToken } from 'tsyringe'

import type { Transaction } from '../../../storage/index.js'
import type { RenderedContent } from '../../content/rendering/index.js'

/** A message that has just been sent. */
export interface NewlySent {
  readonly id: number
  readonly senderId: number
  /** The participants of a direct conversation, including the sender; undefined in a channel. */
  readonly participantIds: readonly number[] | undefined
  readonly rendered: RenderedContent
  /** The active outgoing webhook bots that a human sender mentioned or wrote to. */
  readonly calledBotIds: readonly number[]
}

/** A hook by which other resources process new messages, in the transaction that sends them. */
export interface MessageSentStep {
  /**
   * Called after the events of the messages are emitted. The number of its statements must not
   * depend on the number of messages.
   */
  sent(tx: Transaction, messages: readonly NewlySent[]): Promise<void>
}

/** Resolved on each use, because the resources behind the steps depend on messages themselves. */
export const MessageSentStepsToken: InjectionToken<() => readonly MessageSentStep[]> =
  Symbol('MessageSentSteps')
