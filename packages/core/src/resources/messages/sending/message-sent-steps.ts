import type { InjectionToken } from 'tsyringe'

import type { Transaction } from '../../../storage/index.js'
import type { StagedMessage } from './message-stages.js'

/** A hook by which other resources process new messages, in the transaction that sends them. */
export interface MessageSentStep {
  /**
   * Called after the events of the messages are emitted. The number of its statements must not
   * depend on the number of messages.
   */
  sent(tx: Transaction, messages: readonly StagedMessage[]): Promise<void>
}

export const MessageSentStepToken: InjectionToken<MessageSentStep> = Symbol('MessageSentStep')
