import { perServer } from '../../../kernel/per-server.js'
import { idList, type OrganizationScope, type Transaction } from '../../../storage/index.js'
import { intervalsSql, unwrittenMovedSql } from './unwritten-sql.js'

/** Messages that a user receives in one channel, and of which no user message is written. */
export interface Unwritten {
  readonly channelId: number
  readonly afterMessageId: number
  /** Undefined while the user still receives the channel. */
  readonly untilMessageId: number | undefined
  readonly flags: number
}

/** How much may not be written for a user. */
export interface MissingCount {
  /** Counted up to a limit. */
  readonly messages: number
  /** Of messages of channels that the user receives no longer. */
  readonly endedIntervals: number
}

/** Finds user messages that are not written. */
@perServer()
export class MissingMessageRepository {
  /** @param limit up to which the messages are counted. */
  async count(scope: OrganizationScope, userId: number, limit: number): Promise<MissingCount> {
    const isUnwritten = `m.channel_id = i.channel_id AND m.id > i.after_message_id
           AND (i.until_message_id IS NULL OR m.id <= i.until_message_id)`
    const isMoved = `v.channel_id = s.channel_id
           AND v.moved_after_message_id > s.unwritten_after_message_id`
    const [row] = await scope.raw<{ messages: number | string; ended: number | string }>(
      `SELECT COUNT(*) AS messages, (SELECT COUNT(*) FROM ?? e WHERE e.user_id = ?) AS ended
       FROM (
         SELECT m.id FROM (${intervalsSql(scope, { where: `user_id IN (${idList([userId])})` })}) i
         ${scope.orderedJoin('messages', 'm', isUnwritten)}
         UNION ALL SELECT v.message_id FROM ?? s
         ${scope.orderedJoin('moved_messages', 'v', isMoved)}
         WHERE s.user_id = ?
         LIMIT ${limit}
       ) found`,
      [scope.table('unwritten_intervals'), userId, scope.table('subscriptions'), userId],
    )
    return { messages: Number(row?.messages ?? 0), endedIntervals: Number(row?.ended ?? 0) }
  }

  /** The id of the newest message that a user has received, written or not. */
  async findNewestReceivedId(
    scope: OrganizationScope,
    userId: number,
  ): Promise<number | undefined> {
    const where = `user_id IN (${idList([userId])})`
    // The newest of each interval is at the end of an index.
    const [row] = await scope.listRawRows<{ id: number | string | null }>(
      `SELECT MAX(found.id) AS id FROM (
         SELECT MAX(message_id) AS id FROM ?? WHERE user_id = ?
         UNION ALL SELECT MAX((SELECT m.id FROM ?? m WHERE m.channel_id = i.channel_id
             AND m.id > i.after_message_id AND (i.until_message_id IS NULL OR m.id <= i.until_message_id)
             AND m.changed_channel_at_seconds IS NULL
           ORDER BY m.id DESC LIMIT 1)) FROM (${intervalsSql(scope, { where })}) i
         UNION ALL SELECT MAX(message_id) FROM (${unwrittenMovedSql(scope, { where })}) moved) found`,
      [scope.table('user_messages'), userId, scope.table('messages')],
      ['id'],
    )
    // MariaDB makes decimals of a column that is signed in one part and unsigned in the other.
    return Number(row?.id ?? 0) || undefined
  }

  /** The intervals that are not written for a user, in the order of the channels. */
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
