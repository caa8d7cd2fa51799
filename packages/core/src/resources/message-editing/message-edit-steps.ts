import type { InjectionToken } from 'tsyringe'

import type { Transaction } from '../../storage/index.js'
import type { MessageRow } from '../message-access/index.js'

/** A message whose text is about to change. */
export type EditedMessage = Pick<MessageRow, 'id' | 'channel_id'>

/** What another noun does about edits of texts, in the transaction of the edit. */
export interface MessageEditStep {
  /**
   * Called before the new text is stored.
   *
   * @returns what to do once it is.
   */
  beginEdit(tx: Transaction, message: EditedMessage): Promise<() => Promise<void>>
}

/** Asked for the steps each time, because the nouns behind them know the messages in turn. */
export const MessageEditStepsToken: InjectionToken<() => readonly MessageEditStep[]> =
  Symbol('MessageEditSteps')
