import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import type { DeletedMessage } from './batch-deletion.js'

export const secondsPerDay = 24 * 60 * 60

/** A channel, or all direct conversations together, with expired messages. */
export interface ExpiredPlace {
  /** Null for direct messages. */
  readonly channelId: number | null
  /**
   * The first and the last expired message; messages between them need not be expired. Undefined if
   * only the oldest message was looked at.
   */
  readonly range?: readonly [firstId: number, lastId: number]
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

  /** The channels whose first message has expired: one look into an index for each channel. */
  async listChannels(
    scope: OrganizationScope,
    nowSeconds: number,
    organizationDays: number,
  ): Promise<ExpiredPlace[]> {
    const rows = await scope.raw<{ id: number; days: number; first_sent_at: number | null }>(
      `SELECT c.id, COALESCE(c.message_retention_days, ?) AS days,
         (SELECT m.sent_at_seconds FROM ?? m WHERE m.channel_id = c.id
           ORDER BY m.id LIMIT 1) AS first_sent_at
       FROM ?? c
       WHERE c.organization_id = ? AND COALESCE(c.message_retention_days, ?) > 0`,
      [
        organizationDays,
        scope.table('messages'),
        scope.table('channels'),
        scope.organizationId,
        organizationDays,
      ],
    )
    return rows
      .filter((row) => (row.first_sent_at ?? nowSeconds) < nowSeconds - row.days * secondsPerDay)
      .toSorted((a, b) => a.id - b.id)
      .map((row) => ({ channelId: row.id }))
  }

  /** Whether a direct message was sent before a time. */
  async hasDirectBefore(scope: OrganizationScope, seconds: number): Promise<boolean> {
    return (await this.#oldestDirect(scope, seconds).limit(1)).length > 0
  }

  /**
   * The channels and direct conversations with expired messages, whatever the order of their ids.
   * Looks at all messages that are older than the shortest retention time.
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
    // Not in SQL, where it changes the plan, and databases disagree on where NULL comes.
    return rows
      .toSorted((a, b) => (a.channel_id ?? 0) - (b.channel_id ?? 0))
      .map((row) => ({ channelId: row.channel_id, range: [row.first_id, row.last_id] }))
  }

  /** Returns up to `limit` expired messages of a place, by id, and locks them until `tx` ends. */
  async listExpired(
    tx: Transaction,
    { channelId, range }: ExpiredPlace,
    beforeSeconds: number,
    limit: number,
  ): Promise<DeletedMessage[]> {
    if (range === undefined && channelId !== null) {
      return this.#firstOfChannel(tx, channelId, beforeSeconds, limit)
    }
    const query =
      range === undefined
        ? this.#oldestDirect(tx, beforeSeconds)
        : tx
            .query('messages')
            .where({ channel_id: channelId })
            .whereBetween('id', range)
            .where('sent_at_seconds', '<', beforeSeconds)
            .orderBy('id')
            .select<DeletedMessage[]>('id', 'recipient_id', 'topic', 'topic_key')
    const messages = await tx.dialect.lockForUpdate(query.limit(limit))
    return messages.sort((a, b) => a.id - b.id)
  }

  /** Those of the first messages of a channel that have expired. */
  async #firstOfChannel(
    tx: Transaction,
    channelId: number,
    beforeSeconds: number,
    limit: number,
  ): Promise<DeletedMessage[]> {
    const query = tx
      .executor(tx.table('messages'))
      .where({ channel_id: channelId })
      // By the index on the channel.
      .whereRaw(tx.dialect.sql.equalWithoutIndex('organization_id', '?'), [tx.organizationId])
      .orderBy('id')
      .limit(limit)
      .select<(DeletedMessage & { sent_at_seconds: number })[]>(
        'id',
        'recipient_id',
        'topic',
        'topic_key',
        'sent_at_seconds',
      )
    const messages = await tx.dialect.lockForUpdate(query)
    return messages.filter((message) => message.sent_at_seconds < beforeSeconds)
  }

  #oldestDirect(scope: OrganizationScope, beforeSeconds: number) {
    return scope
      .query('messages')
      .whereNull('channel_id')
      .where('sent_at_seconds', '<', beforeSeconds)
      .orderBy('sent_at_seconds')
      .select<DeletedMessage[]>('id', 'recipient_id', 'topic', 'topic_key')
  }
}
