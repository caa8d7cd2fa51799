import type { InjectionToken } from 'tsyringe'

import type { Transaction } from '../../../storage/index.js'
import type { StagedMessage } from './message-stages.js'

/**
 * A hook that runs before the commit: other resources process new messages in the transaction that
 * sends them, which may still be rolled back or run again.
 */
export interface MessageSentStep {
  /**
   * Called after the events of the messages are emitted. The number of its statements must not
   * depend on the number of messages.
   */
  sent(tx: Transaction, messages: readonly StagedMessage[]): Promise<void>
}

export const MessageSentStepToken: InjectionToken<MessageSentStep> = Symbol('MessageSentStep')
