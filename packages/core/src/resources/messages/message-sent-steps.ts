import type { InjectionToken } from 'tsyringe'

import type { Transaction } from '../../storage/index.js'
import type { RenderedContent } from '../message-rendering/index.js'

/** A message that was just sent. */
export interface NewlySent {
  readonly id: number
  readonly senderId: number
  /** Everybody in a direct conversation, the sender included; undefined in a channel. */
  readonly participantIds: readonly number[] | undefined
  readonly rendered: RenderedContent
  /** The active outgoing webhook bots that a person has mentioned or written to. */
  readonly calledBotIds: readonly number[]
}

/** What another noun does about new messages, in the transaction that sends them. */
export interface MessageSentStep {
  /**
   * Called after the messages were announced. The number of its statements must be constant,
   * however many messages there are.
   */
  sent(tx: Transaction, messages: readonly NewlySent[]): Promise<void>
}

/** Asked for the steps each time, because the nouns behind them know the messages in turn. */
export const MessageSentStepsToken: InjectionToken<() => readonly MessageSentStep[]> =
  Symbol('MessageSentSteps')
