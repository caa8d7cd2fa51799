import { inject } from 'tsyringe'

import { MessageFlag } from '../../../domain/messages/message-flags.js'
import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database, type OrganizationScope, type Transaction } from '../../../storage/index.js'
import type { PushedMessageRow } from './push-notifications-table.js'

/** Key of a message on the devices of a user. */
export type PushedMessage = Pick<PushedMessageRow, 'user_id' | 'message_id'>

/** The columns of a message that notifications use. */
export interface NotifiableMessage {
  id: number
  organization_id: number
  sender_id: number
  recipient_id: number
  channel_id: number | null
  /** Null for direct messages. */
  channel_name: string | null
  topic: string
  rendered_content: string
  sent_at_seconds: number
}

@perServer()
export class PushNotificationRepository {
  constructor(@inject(Database) private readonly database: Database) {}

  /** Up to `limit` organizations with messages that may be shown on devices. */
  async listPushedOrganizationIds(limit: number): Promise<number[]> {
    const rows = await this.database
      .queryAll('pushed_messages')
      .distinct<{ organization_id: number }[]>('organization_id')
      .limit(limit)
    return rows.map((row) => row.organization_id)
  }

  /**
   * Removes up to `limit` messages that users have read, or can no longer access.
   *
   * @returns them.
   */
  async takeRead(tx: Transaction, limit: number): Promise<PushedMessage[]> {
    const rows = await tx.raw<{ user_id: number; message_id: number }>(
      `SELECT p.user_id, p.message_id FROM ?? p
       LEFT JOIN ?? um ON um.user_id = p.user_id AND um.message_id = p.message_id
       WHERE p.organization_id = ? AND (um.message_id IS NULL OR (um.flags & ?) <> 0)
       ORDER BY p.user_id, p.message_id LIMIT ?`,
      [
        tx.table('pushed_messages'),
        tx.table('user_messages'),
        tx.organizationId,
        MessageFlag.read,
        limit,
      ],
    )
    const taken: typeof rows = []
    for (const [userId, messageIds] of idsByUser(rows)) {
      const deleted = await tx
        .query('pushed_messages')
        .where({ user_id: userId })
        .whereIn('message_id', messageIds)
        .delete()
      // If a concurrent transaction has deleted the rows, that one sends the removals.
      if (deleted > 0) taken.push(...rows.filter((row) => row.user_id === userId))
    }
    return taken
  }

  async listMessages(
    scope: OrganizationScope,
    ids: readonly number[],
  ): Promise<NotifiableMessage[]> {
    if (ids.length === 0) return []
    return scope
      .queryAs('messages', 'm')
      .leftJoin(scope.as('channels', 'c'), 'c.id', 'm.channel_id')
      .whereIn('m.id', [...ids])
      .select<NotifiableMessage[]>(
        'm.id',
        'm.organization_id',
        'm.sender_id',
        'm.recipient_id',
        'm.channel_id',
        'c.name as channel_name',
        'm.topic',
        'm.rendered_content',
        'm.sent_at_seconds',
      )
  }
}

/** The message ids of each user, in their order. */
export function idsByUser(rows: readonly PushedMessage[]): ReadonlyMap<number, number[]> {
  const byUser = new Map<number, number[]>()
  for (const { user_id, message_id } of rows) addTo(byUser, user_id, message_id)
  return byUser
}
