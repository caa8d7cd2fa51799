import type { Knex } from 'knex'

import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { mentionSql, mutedSql, unread } from './placed-message-repository.js'

/** The unread messages of a user in one channel or direct conversation. */
export interface UnreadPlace {
  readonly userId: number
  readonly recipientId: number
  /** Null for a direct conversation. */
  readonly channelId: number | null
  /** Whether the user is subscribed to the channel. */
  readonly isSubscribed: boolean
  /** Messages that are not muted. */
  readonly count: number
  readonly mutedCount: number
  readonly mentions: number
  /** The newest message that is not muted; without one, the newest. */
  readonly newestMessageId: number
  /** The numbers of all places of the user, also those that are left out. */
  readonly all: { readonly count: number; readonly mentions: number; readonly direct: number }
}

/** Whose unread messages are counted, and where. */
export interface UnreadChoice {
  readonly userIds: readonly number[]
  /** @default all channels and direct conversations */
  readonly channelIds?: readonly number[] | undefined
  /** Number of channels, and of conversations, of each user; those with the newest messages. */
  readonly maxPlaces: number
}

interface UnreadPlaceRow {
  user_id: number
  recipient_id: number
  channel_id: number | null
  is_subscribed: boolean
  counted: number
  muted: number
  mentions: number
  newest_id: number
  all_counted: number
  all_mentions: number
  all_direct: number
}

/** Counts unread messages. */
@perServer()
export class UnreadPlaceRepository {
  /**
   * Counts the messages that `unread_msgs` of a registration lists, without its limit, for many
   * users in one statement: the places with messages that are not muted first, then those with the newest messages.
   */
  async countUnread(
    scope: OrganizationScope,
    { userIds, channelIds, maxPlaces }: UnreadChoice,
  ): Promise<UnreadPlace[]> {
    if (userIds.length === 0 || channelIds?.length === 0) return []
    const { executor } = scope
    const counts = unread(scope, userIds, channelIds).map((query) =>
      query.groupBy('um.user_id', 'm.recipient_id', 'm.channel_id').select({
        user_id: 'um.user_id',
        recipient_id: 'm.recipient_id',
        channel_id: 'm.channel_id',
        is_subscribed: executor.raw('MAX(CASE WHEN s.user_id IS NULL THEN 0 ELSE 1 END)'),
        counted: executor.raw(`COUNT(CASE WHEN ${mutedSql} = 0 THEN 1 END)`),
        muted: executor.raw(`COUNT(CASE WHEN ${mutedSql} = 1 THEN 1 END)`),
        mentions: executor.raw(`COUNT(CASE WHEN ${mentionSql} = 1 THEN 1 END)`),
        newest_counted_id: executor.raw(`MAX(CASE WHEN ${mutedSql} = 0 THEN m.id END)`),
        newest_id: executor.raw('MAX(m.id)'),
      }),
    )
    const signed = (sql: string): Knex.Raw => executor.raw(scope.dialect.sql.integer(sql))
    const merged = executor
      .from(executor.unionAll(counts).as('part'))
      .groupBy('part.user_id', 'part.recipient_id', 'part.channel_id')
      .select({
        user_id: signed('part.user_id'),
        recipient_id: signed('part.recipient_id'),
        channel_id: signed('part.channel_id'),
        is_subscribed: executor.raw('MAX(part.is_subscribed)'),
        counted: signed('SUM(part.counted)'),
        muted: signed('SUM(part.muted)'),
        mentions: signed('SUM(part.mentions)'),
        newest_id: signed('COALESCE(MAX(part.newest_counted_id), MAX(part.newest_id))'),
      })
    const ofUser = (sum: string): Knex.Raw => signed(`SUM(${sum}) OVER (PARTITION BY user_id)`)
    const ranked = executor.from(merged.as('place')).select('place.*', {
      all_counted: ofUser('counted'),
      all_mentions: ofUser('mentions'),
      all_direct: ofUser('CASE WHEN channel_id IS NULL THEN counted ELSE 0 END'),
      rank_of_kind: executor.raw(`ROW_NUMBER() OVER (
        PARTITION BY user_id, CASE WHEN channel_id IS NULL THEN 1 ELSE 0 END
        ORDER BY CASE WHEN counted = 0 THEN 1 ELSE 0 END, newest_id DESC)`),
    })
    const query = executor
      .from(ranked.as('ranked'))
      .where('rank_of_kind', '<=', maxPlaces)
      .orderBy(['user_id', 'rank_of_kind'])
    const rows = await scope.listRows<UnreadPlaceRow>(
      query,
      [
        'user_id',
        'recipient_id',
        'channel_id',
        'is_subscribed',
        'counted',
        'muted',
        'mentions',
        'newest_id',
        'all_counted',
        'all_mentions',
        'all_direct',
      ],
      { booleans: ['is_subscribed'] },
    )
    return rows.map((row) => ({
      userId: row.user_id,
      recipientId: row.recipient_id,
      channelId: row.channel_id,
      isSubscribed: row.is_subscribed,
      count: row.counted,
      mutedCount: row.muted,
      mentions: row.mentions,
      newestMessageId: row.newest_id,
      all: { count: row.all_counted, mentions: row.all_mentions, direct: row.all_direct },
    }))
  }
}
