import { MessageFlag } from '../../../domain/messages/message-flags.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import { reactions, type ReactionRow } from './reactions-table.js'

/** The columns that identify an emoji. Its name does not. */
export interface EmojiKey {
  readonly reaction_type: string
  readonly emoji_code: string
}

@perServer()
export class ReactionRepository {
  /** All users' reactions to a message with one emoji. */
  async list(scope: OrganizationScope, messageId: number, emoji: EmojiKey): Promise<ReactionRow[]> {
    const { reaction_type, emoji_code } = emoji
    return scope
      .query('reactions')
      .where({ message_id: messageId, reaction_type, emoji_code })
      .orderBy('id')
      .select('*')
  }

  /** The number of reactions to a message, in total and of the user. */
  async count(
    tx: Transaction,
    messageId: number,
    userId: number,
  ): Promise<{ readonly all: number; readonly own: number }> {
    return {
      all: await tx.rows(reactions).count({ message_id: messageId }),
      own: await tx.rows(reactions).count({ message_id: messageId, user_id: userId }),
    }
  }

  /** @returns whether the reaction existed. */
  async delete(
    tx: Transaction,
    messageId: number,
    userId: number,
    { reaction_type, emoji_code }: EmojiKey,
  ): Promise<boolean> {
    const deleted = await tx
      .query('reactions')
      .where({ message_id: messageId, user_id: userId, reaction_type, emoji_code })
      .delete()
    return deleted > 0
  }

  /** Inserts a read user message for a user who did not receive the message. */
  async insertHistoricalUserMessage(
    tx: Transaction,
    messageId: number,
    userId: number,
  ): Promise<void> {
    await tx.insert('user_messages', {
      user_id: userId,
      message_id: messageId,
      flags: MessageFlag.read | MessageFlag.historical,
    })
  }
}
