import { MessageFlag } from '../../../domain/messages/message-flags.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { idList, type NewRow, type Transaction } from '../../../storage/index.js'
import type { MessageRow } from '../../channels/message-permissions/index.js'

/** A user message. */
export interface NewUserMessage {
  readonly user_id: number
  readonly message_id: number
  readonly flags: number
}

/** Stores the messages of an organization being imported, which no other transaction accesses. */
@perServer()
export class MessageLoadRepository {
  /** Inserts messages, all with ids or all without. @returns their ids, in the same order. */
  async insertMessages(tx: Transaction, rows: readonly NewRow<MessageRow>[]): Promise<number[]> {
    if (rows[0]?.id === undefined) return tx.insertAll('messages', rows)
    await tx.insert('messages', rows)
    return rows.map(({ id }) => present(id, 'the id of each message'))
  }

  async insertUserMessages(
    tx: Transaction,
    userMessages: readonly NewUserMessage[],
  ): Promise<void> {
    await tx.insert('user_messages', userMessages)
  }

  /**
   * Inserts user messages for all messages that users receive and that have none yet; users' own
   * messages are flagged as read. Inserts in storage order, which is several times faster.
   */
  async insertOtherUserMessages(tx: Transaction, userIds: readonly number[]): Promise<void> {
    const messages = tx.table('messages')
    await this.#insertOthers(
      tx,
      userIds,
      `${tx.table('subscriptions')} r
       JOIN ${messages} m ON m.channel_id = r.channel_id`,
      'r.is_active = TRUE AND r.is_user_active = TRUE',
    )
    await this.#insertOthers(
      tx,
      userIds,
      `${tx.table('recipient_members')} r
       JOIN ${tx.table('users')} u ON u.id = r.user_id AND u.is_active = TRUE
       JOIN ${messages} m ON m.recipient_id = r.recipient_id`,
      'm.channel_id IS NULL',
    )
  }

  async #insertOthers(
    tx: Transaction,
    userIds: readonly number[],
    receivers: string,
    condition: string,
  ): Promise<void> {
    const userMessages = tx.table('user_messages')
    await tx.raw(
      `INSERT INTO ${userMessages} (organization_id, user_id, message_id, flags)
       SELECT r.organization_id, r.user_id, m.id,
         CASE WHEN r.user_id = m.sender_id THEN ${MessageFlag.read} ELSE 0 END
       FROM ${receivers}
       WHERE r.organization_id = ? AND r.user_id IN (${idList(userIds)})
         AND ${condition} AND NOT EXISTS (
           SELECT 1 FROM ${userMessages} k WHERE k.user_id = r.user_id AND k.message_id = m.id)
       ORDER BY r.user_id, m.id`,
      [tx.organizationId],
    )
  }

  /** Sets the first message of every channel. */
  async noteFirstMessages(tx: Transaction): Promise<void> {
    const [channels, messages] = [tx.table('channels'), tx.table('messages')]
    await tx.raw(
      `UPDATE ${channels} SET version = version + 1, first_message_id = (
         SELECT MIN(m.id) FROM ${messages} m WHERE m.channel_id = ${channels}.id)
       WHERE organization_id = ?`,
      [tx.organizationId],
    )
  }
}
