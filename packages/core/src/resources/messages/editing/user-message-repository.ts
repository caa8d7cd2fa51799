import {
  mentionFlags,
  MessageFlag,
  unreceivedFlags,
} from '../../../domain/messages/message-flags.js'
import type { UserSettingsJson } from '../../../domain/users/user-settings.js'
import { perServer } from '../../../kernel/per-server.js'
import { idList, type OrganizationScope, type Transaction } from '../../../storage/index.js'
import { flagsExpression, type UserMessageFlags } from '../objects/index.js'

/** Flags that depend on the content of a message. */
const textFlags = mentionFlags | MessageFlag.has_alert_word

/** The user messages of messages that are edited or moved. */
@perServer()
export class UserMessageRepository {
  /** Sets the flags of all user messages that depend on the content; keeps the other flags. */
  async updateTextFlags(
    tx: Transaction,
    messageId: number,
    flags: UserMessageFlags,
  ): Promise<void> {
    const { sql, bindings } = flagsExpression('user_id', flags)
    await tx.raw(
      `UPDATE ?? SET flags = (flags & ${~textFlags & 0xffff}) | (${sql})
       WHERE organization_id = ? AND message_id = ?`,
      [tx.table('user_messages'), ...bindings, tx.organizationId, messageId],
    )
  }

  /**
   * Deletes the user messages of these users, except of subscribers of the channel: deactivated
   * users keep their subscriptions and may be reactivated.
   */
  async delete(
    tx: Transaction,
    messageIds: readonly number[],
    userIds: readonly number[],
    channelId: number,
  ): Promise<void> {
    if (userIds.length === 0) return
    await tx
      .query('user_messages')
      .whereRaw(`message_id IN (${idList(messageIds)}) AND user_id IN (${idList(userIds)})`)
      .whereNotIn(
        'user_id',
        tx
          .query('subscriptions')
          .where({ channel_id: channelId, is_active: true })
          .select('user_id'),
      )
      .delete()
  }

  /** Inserts user messages, flagged as read, for the channel's receivers who lack them. */
  async insertRead(
    tx: Transaction,
    messageIds: readonly number[],
    channelId: number,
  ): Promise<void> {
    await tx.raw(
      `INSERT INTO ?? (organization_id, user_id, message_id, flags)
       SELECT ?, s.user_id, m.id, ${unreceivedFlags}
       FROM ?? s JOIN ?? m ON m.id IN (${idList(messageIds)})
       LEFT JOIN ?? um ON um.user_id = s.user_id AND um.message_id = m.id
       WHERE s.organization_id = ? AND s.channel_id = ? AND s.is_active = ? AND um.user_id IS NULL`,
      [
        tx.table('user_messages'),
        tx.organizationId,
        tx.table('subscriptions'),
        tx.table('messages'),
        tx.table('user_messages'),
        tx.organizationId,
        channelId,
        true,
      ],
    )
  }

  /** Active users who have read a message, and their settings, except the given users. */
  async listReaders(
    scope: OrganizationScope,
    messageId: number,
    exceptUserIds: readonly number[],
  ): Promise<{ user_id: number; settings: UserSettingsJson }[]> {
    return scope
      .queryAs('user_messages', 'um')
      .join(scope.as('users', 'u'), 'u.id', 'um.user_id')
      .where({ 'um.message_id': messageId, 'u.is_active': true })
      .whereRaw(`um.flags & ${MessageFlag.read} <> 0`)
      .whereNotIn('um.user_id', [...exceptUserIds])
      .orderBy('um.user_id')
      .select<{ user_id: number; settings: UserSettingsJson }[]>('um.user_id', 'u.settings')
  }
}
