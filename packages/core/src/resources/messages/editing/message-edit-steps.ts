import type { InjectionToken } from 'tsyringe'

import type { Transaction } from '../../../storage/index.js'
import type { MessageRow } from '../../channels/message-permissions/index.js'

/** A message whose content is about to change. */
export type EditedMessage = Pick<MessageRow, 'id' | 'channel_id'>

/** The changes of an edited message, besides its text. */
export interface StoredEdit {
  /** Whether it mentions everybody in its channel, and did not before. */
  readonly beginsToMentionAll: boolean
}

/** A hook by which other resources take part in edits of contents, in the same transaction. */
export interface MessageEditStep {
  /**
   * Called before the new content is stored.
   *
   * @returns a function that is called after it is stored.
   */
  beginEdit(tx: Transaction, message: EditedMessage): Promise<(edit: StoredEdit) => Promise<void>>
}

export const MessageEditStepToken: InjectionToken<MessageEditStep> = Symbol('MessageEditStep')
