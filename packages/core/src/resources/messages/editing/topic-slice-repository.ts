import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import { receivedFlagsSql } from '../../channels/unwritten-messages/index.js'
import type { TopicSlice } from './topic-slice.js'

/** The messages of topics, or parts of them. */
@perServer()
export class TopicSliceRepository {
  /** Returns the ids of a slice's messages, ascending, and locks them until `tx` ends. */
  async lockIds(tx: Transaction, slice: TopicSlice): Promise<number[]> {
    const query = this.#slice(tx, slice).orderBy('m.id').select<{ id: number }[]>('m.id')
    const rows = await tx.dialect.lockForUpdate(query)
    return rows.map((row) => row.id)
  }

  /** Like {@link lockIds}, for the newest messages. */
  async lockNewestIds(tx: Transaction, slice: TopicSlice, limit: number): Promise<number[]> {
    const query = this.#slice(tx, slice)
      .orderBy('m.id', 'desc')
      .limit(limit)
      .select<{ id: number }[]>('m.id')
    const rows = await tx.dialect.lockForUpdate(query)
    return rows.map((row) => row.id).reverse()
  }

  /** The number of messages of a slice, and of those sent at or after a time. */
  async countSince(
    scope: OrganizationScope,
    slice: TopicSlice,
    sinceSeconds: number,
  ): Promise<{ total: number; recent: number; firstRecentId: number | null }> {
    const row = await this.#slice(scope, slice)
      .select(scope.executor.raw('COUNT(*) AS total'))
      .select(
        scope.executor.raw('SUM(CASE WHEN m.sent_at_seconds >= ? THEN 1 ELSE 0 END) AS recent', [
          sinceSeconds,
        ]),
      )
      .select(
        scope.executor.raw(
          'MIN(CASE WHEN m.sent_at_seconds >= ? THEN m.id END) AS first_recent_id',
          [sinceSeconds],
        ),
      )
      .first<{ total: number; recent: number | string | null; first_recent_id: number | null }>()
    return {
      total: row.total,
      recent: Number(row.recent ?? 0),
      firstRecentId: row.first_recent_id,
    }
  }

  async hasMessages(scope: OrganizationScope, slice: TopicSlice): Promise<boolean> {
    return (await this.#slice(scope, slice).first('m.id')) !== undefined
  }

  #slice(scope: OrganizationScope, slice: TopicSlice) {
    const query = scope
      .queryAs('messages', 'm')
      .where({ 'm.channel_id': slice.channelId, 'm.topic_key': slice.topicKey })
    if (slice.fromId !== undefined) void query.where('m.id', '>=', slice.fromId)
    if (slice.onlyId !== undefined) void query.where('m.id', slice.onlyId)
    if (slice.receiverId !== undefined) {
      void query.whereRaw(`${receivedFlagsSql(scope, slice.receiverId)} IS NOT NULL`)
    }
    return query
  }
}
