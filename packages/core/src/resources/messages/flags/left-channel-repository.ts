import { MessageFlag } from '../../../domain/messages/message-flags.js'
import { perServer } from '../../../kernel/per-server.js'
import { idList, type OrganizationScope, type Transaction } from '../../../storage/index.js'
import { membership, type ChannelUsers } from '../../channels/subscriptions/index.js'

/** Unread messages of channels that users have left. */
@perServer()
export class LeftChannelRepository {
  /** The users' unread messages in the channels, ascending, in one query. */
  async listUnread(
    scope: OrganizationScope,
    groups: readonly ChannelUsers[],
  ): Promise<{ user_id: number; message_id: number }[]> {
    return scope.raw(
      `SELECT um.user_id, um.unread_message_id AS message_id
       FROM ?? um
       JOIN ?? m ON m.id = um.unread_message_id
       WHERE um.organization_id = ? AND um.unread_message_id IS NOT NULL
         AND um.user_id IN (${idList(usersOf(groups))})
         AND (${groups.map((group) => membership(group, 'm.channel_id', 'um.user_id')).join(' OR ')})
       ORDER BY um.user_id, um.unread_message_id`,
      [scope.table('user_messages'), scope.table('messages'), scope.organizationId],
    )
  }

  /** Marks those messages as read, in one statement. */
  async markRead(tx: Transaction, groups: readonly ChannelUsers[]): Promise<void> {
    const [userMessages, messages] = [tx.table('user_messages'), tx.table('messages')]
    const conditions = groups.map((group) =>
      membership(group, 'm.channel_id', `${userMessages}.user_id`),
    )
    await tx.raw(
      `UPDATE ?? SET flags = flags | ${MessageFlag.read}
       WHERE organization_id = ? AND unread_message_id IS NOT NULL
         AND user_id IN (${idList(usersOf(groups))})
         AND EXISTS (
           SELECT 1 FROM ?? m WHERE m.id = ${userMessages}.message_id AND (${conditions.join(' OR ')})
         )`,
      [userMessages, tx.organizationId, messages],
    )
  }
}

function usersOf(groups: readonly ChannelUsers[]): number[] {
  return [...new Set(groups.flatMap(({ userIds }) => userIds))]
}
