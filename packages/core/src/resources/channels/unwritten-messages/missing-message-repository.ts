import { perServer } from '../../../kernel/per-server.js'
import { idList, type OrganizationScope, type Transaction } from '../../../storage/index.js'
import { intervalsSql, missingSql, newestMessageSql } from './unwritten-sql.js'

/** Messages that a user receives in one channel, and of which no user message is written. */
export interface Unwritten {
  readonly channelId: number
  readonly afterMessageId: number
  /** Undefined while the user still receives the channel. */
  readonly untilMessageId: number | undefined
  readonly flags: number
}

/** What is not written for a user. */
export interface Missing {
  /** The organization's newest message that was looked at. */
  readonly newestId: number
  /** Of messages; a user message may exist because of its flags. */
  readonly count: number
  /** Undefined if they are not known. */
  readonly channelIds?: readonly number[]
}

/** Finds what is not written. */
@perServer()
export class MissingMessageRepository {
  /**
   * What is missing for a user, by looking at all of the user's subscriptions.
   *
   * @param limit up to which it is counted.
   */
  async findAll(scope: OrganizationScope, userId: number, limit: number): Promise<Missing> {
    const [row] = await scope.raw<{
      newest: number | string
      total: number | string
      has_ended: number
    }>(
      `SELECT ${newestMessageSql(scope)} AS newest, COUNT(*) AS total,
         CASE WHEN EXISTS (SELECT 1 FROM ?? e WHERE e.user_id = ?) THEN 1 ELSE 0 END AS has_ended
       FROM (
         SELECT m.id FROM (${intervalsSql(scope, { where: `user_id IN (${idList([userId])})` })}) i
         ${scope.dialect.orderedJoin} ?? m ON m.channel_id = i.channel_id
           AND m.id > i.after_message_id
           AND (i.until_message_id IS NULL OR m.id <= i.until_message_id)
         UNION ALL SELECT v.message_id FROM ?? s
         ${scope.dialect.orderedJoin} ?? v ON v.channel_id = s.channel_id
           AND v.moved_after_message_id > s.unwritten_after_message_id
         WHERE s.user_id = ?
         LIMIT ${limit}
       ) found`,
      [
        scope.table('unwritten_intervals'),
        userId,
        scope.table('messages'),
        scope.table('subscriptions'),
        scope.table('moved_messages'),
        userId,
      ],
    )
    // Ended intervals are deleted, even if nothing is missing in them.
    const count = Math.max(Number(row?.total ?? 0), row?.has_ended ?? 0)
    return { newestId: Number(row?.newest ?? 0), count }
  }

  /**
   * The same, if nothing was missing up to a message: by looking at the newer ones.
   *
   * @param limit of these messages.
   * @returns undefined if there are more, or ended intervals.
   */
  async findNewer(
    scope: OrganizationScope,
    userId: number,
    afterId: number,
    limit: number,
  ): Promise<Missing | undefined> {
    const rows = await scope.raw<{
      id: number
      channel_id: number | null
      is_missing: number
      has_ended: number
    }>(
      `SELECT m.id, m.channel_id,
         CASE WHEN s.unwritten_after_message_id < COALESCE(v.moved_after_message_id, m.id)
           THEN 1 ELSE 0 END AS is_missing,
         CASE WHEN EXISTS (SELECT 1 FROM ?? e WHERE e.user_id = ?) THEN 1 ELSE 0 END AS has_ended
       FROM ?? m LEFT JOIN ?? s ON s.user_id = ? AND s.channel_id = m.channel_id
       LEFT JOIN ?? v ON v.message_id = m.id
       WHERE m.organization_id = ? AND m.id > ? ORDER BY m.id LIMIT ${limit + 1}`,
      [
        scope.table('unwritten_intervals'),
        userId,
        scope.table('messages'),
        scope.table('subscriptions'),
        userId,
        scope.table('moved_messages'),
        scope.organizationId,
        afterId,
      ],
    )
    if (rows.length > limit || rows[0]?.has_ended === 1) return undefined
    const missing = rows.filter(({ is_missing }) => is_missing === 1)
    const channelIds = [...new Set(missing.flatMap(({ channel_id }) => channel_id ?? []))]
    return { newestId: rows.at(-1)?.id ?? afterId, count: missing.length, channelIds }
  }

  /**
   * The id of the newest message that a user has received, written or not.
   *
   * @param writtenUpToId a message up to which everything is written; undefined if unknown.
   */
  async findNewestReceivedId(
    scope: OrganizationScope,
    userId: number,
    writtenUpToId: number | undefined,
  ): Promise<number | undefined> {
    const [row] = await scope.raw<{ id: number | string | null }>(
      `SELECT MAX(found.id) AS id FROM (
         SELECT MAX(message_id) AS id FROM ?? WHERE user_id = ?
         UNION ALL SELECT MAX(message_id) FROM (
           ${missingSql(scope, userId, writtenUpToId)}) missing) found`,
      [scope.table('user_messages'), userId],
    )
    // MariaDB makes decimals of a column that is signed in one part and unsigned in the other.
    return Number(row?.id ?? 0) || undefined
  }

  /** What is not written for a user, in the order of the channels. */
  async listUnwritten(tx: Transaction, userId: number): Promise<Unwritten[]> {
    const rows = await tx.raw<{
      channel_id: number
      after_message_id: number
      until_message_id: number | null
      flags: number
    }>(
      `SELECT channel_id, after_message_id, until_message_id, flags
       FROM (${intervalsSql(tx, { where: `user_id IN (${idList([userId])})` })}) i
       ORDER BY channel_id, after_message_id`,
      [],
    )
    return rows.map((row) => ({
      channelId: row.channel_id,
      afterMessageId: row.after_message_id,
      untilMessageId: row.until_message_id ?? undefined,
      flags: row.flags,
    }))
  }

  /** Users of the organization, up to `limit` after `afterId`, ascending. */
  async listUserIds(scope: OrganizationScope, afterId: number, limit: number): Promise<number[]> {
    const rows = await scope.raw<{ id: number }>(
      `SELECT id FROM ?? WHERE organization_id = ? AND id > ? ORDER BY id LIMIT ${limit}`,
      [scope.table('users'), scope.organizationId, afterId],
    )
    return rows.map(({ id }) => id)
  }
}
