import { Role } from '../../../domain/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'

export const secondsPerDay = 24 * 60 * 60

/** A channel, or all direct conversations together, with expired messages. */
export interface ExpiredPlace {
  /** Null for direct messages. */
  readonly channelId: number | null
  /** The first and the last expired message; messages between them need not be expired. */
  readonly firstId: number
  readonly lastId: number
}

/** A message whose retention time is over. */
export interface ExpiredMessage {
  id: number
  recipient_id: number
  topic: string
  topic_key: string
}

/** A user who has user messages in a topic. */
interface TopicReceiver {
  topic_key: string
  user_id: number
}

@perServer()
export class MessageRetentionRepository {
  /** The shortest retention time of channels that set their own, in days; null if none does. */
  async shortestOfChannels(scope: OrganizationScope): Promise<number | null> {
    const row = await scope
      .query('channels')
      .where('message_retention_days', '>', 0)
      .min('message_retention_days as days')
      .first<{ days: number | null } | undefined>()
    return row?.days ?? null
  }

  /**
   * The channels and direct conversations with expired messages.
   *
   * @param shortestDays the shortest retention time that applies in the organization.
   * @param organizationDays the retention time of the organization; -1 for unlimited.
   */
  async listPlaces(
    scope: OrganizationScope,
    nowSeconds: number,
    shortestDays: number,
    organizationDays: number,
  ): Promise<ExpiredPlace[]> {
    const rows = await scope.raw<{ channel_id: number | null; first_id: number; last_id: number }>(
      `SELECT m.channel_id, MIN(m.id) AS first_id, MAX(m.id) AS last_id
       FROM ?? m LEFT JOIN ?? c ON c.id = m.channel_id
       WHERE m.organization_id = ? AND m.sent_at_seconds < ?
         AND COALESCE(c.message_retention_days, ?) > 0
         AND m.sent_at_seconds < ? - ${secondsPerDay} * COALESCE(c.message_retention_days, ?)
       GROUP BY m.channel_id`,
      [
        scope.table('messages'),
        scope.table('channels'),
        scope.organizationId,
        nowSeconds - shortestDays * secondsPerDay,
        organizationDays,
        nowSeconds,
        organizationDays,
      ],
    )
    return rows.map((row) => ({
      channelId: row.channel_id,
      firstId: row.first_id,
      lastId: row.last_id,
    }))
  }

  /** Returns up to `limit` expired messages of a place, and locks them until `tx` ends. */
  async listExpired(
    tx: Transaction,
    { channelId, firstId, lastId }: ExpiredPlace,
    beforeSeconds: number,
    limit: number,
  ): Promise<ExpiredMessage[]> {
    const query = tx
      .query('messages')
      .where({ channel_id: channelId })
      .whereBetween('id', [firstId, lastId])
      .where('sent_at_seconds', '<', beforeSeconds)
      .orderBy('id')
      .limit(limit)
      .select<ExpiredMessage[]>('id', 'recipient_id', 'topic', 'topic_key')
    return await tx.dialect.lockForUpdate(query)
  }

  /** The channel's receivers who have a user message for one of the messages, by topic. */
  async listReceiversWithUserMessage(
    tx: Transaction,
    channelId: number,
    messageIds: readonly number[],
  ): Promise<TopicReceiver[]> {
    return this.#userMessages(tx, messageIds)
      .join(tx.as('subscriptions', 's'), (join) => {
        join.on('s.user_id', 'um.user_id').andOnVal('s.channel_id', channelId)
      })
      .where({ 's.is_active': true, 's.is_user_active': true })
  }

  /** Active users, except guests, who have one of the messages and do not receive the channel. */
  async listOthersWithUserMessage(
    tx: Transaction,
    channelId: number,
    messageIds: readonly number[],
  ): Promise<TopicReceiver[]> {
    return this.#userMessages(tx, messageIds)
      .join(tx.as('users', 'u'), 'u.id', 'um.user_id')
      .leftJoin(tx.as('subscriptions', 's'), (join) => {
        join
          .on('s.user_id', 'um.user_id')
          .andOnVal('s.channel_id', channelId)
          .andOnVal('s.is_active', true)
      })
      .where('u.is_active', true)
      .whereNot('u.role', Role.guest)
      .whereNull('s.user_id')
  }

  #userMessages(tx: Transaction, messageIds: readonly number[]) {
    return tx
      .queryAs('messages', 'm')
      .join(tx.as('user_messages', 'um'), 'um.message_id', 'm.id')
      .whereIn('m.id', [...messageIds])
      .distinct<TopicReceiver[]>('m.topic_key', 'um.user_id')
      .orderBy('um.user_id')
  }
}
