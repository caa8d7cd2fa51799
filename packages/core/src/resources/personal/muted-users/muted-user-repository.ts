import { MessageFlag } from '../../../domain/messages/message-flags.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import { mutedUsers } from './muted-users-table.js'

/** A muted user as clients receive it. */
export interface MutedUser {
  readonly id: number
  /** When the user was muted, in UNIX seconds. */
  readonly timestamp: number
}

@perServer()
export class MutedUserRepository {
  /** The users that a user has muted, in the order in which they were muted. */
  async list(scope: OrganizationScope, userId: number): Promise<MutedUser[]> {
    const rows = await scope
      .rows(mutedUsers)
      .list({ user_id: userId }, 'muted_at_seconds', 'muted_user_id')
    return rows.map((row) => ({ id: row.muted_user_id, timestamp: row.muted_at_seconds }))
  }

  /** The ids of a sender's messages that a user has not read, ascending. */
  async listUnreadFrom(tx: Transaction, userId: number, senderId: number): Promise<number[]> {
    const rows = await tx
      .queryAs('user_messages', 'um')
      .join(tx.as('messages', 'm'), 'm.id', 'um.message_id')
      .where('um.user_id', userId)
      .whereNotNull('um.unread_message_id')
      .where('m.sender_id', senderId)
      .orderBy('um.message_id')
      .select<{ message_id: number }[]>('um.message_id')
    return rows.map((row) => row.message_id)
  }

  /** Marks a sender's messages as read for a user, up to and including `lastMessageId`. */
  async markReadFrom(
    tx: Transaction,
    userId: number,
    senderId: number,
    lastMessageId: number,
  ): Promise<void> {
    await tx.raw(
      `UPDATE ?? SET flags = flags | ${MessageFlag.read}
       WHERE organization_id = ? AND user_id = ? AND unread_message_id <= ?
         AND message_id IN (SELECT m.id FROM ?? m WHERE m.organization_id = ? AND m.sender_id = ?)`,
      [
        tx.table('user_messages'),
        tx.organizationId,
        userId,
        lastMessageId,
        tx.table('messages'),
        tx.organizationId,
        senderId,
      ],
    )
  }
}
