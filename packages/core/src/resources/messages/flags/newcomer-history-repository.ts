import { perServer } from '../../../kernel/per-server.js'
import { idList, type OrganizationScope, type Transaction } from '../../../storage/index.js'

/** Every database accepts this many parts in a compound query. */
const maxChannels = 400

@perServer()
export class NewcomerHistoryRepository {
  /** The active channels that the users subscribe to and that are not private, ascending. */
  async listPublicChannels(
    scope: OrganizationScope,
    userIds: readonly number[],
  ): Promise<{ readonly user_id: number; readonly id: number }[]> {
    if (userIds.length === 0) return []
    return scope
      .queryAs('subscriptions', 's')
      .join(scope.as('channels', 'c'), 'c.id', 's.channel_id')
      .whereIn('s.user_id', [...userIds])
      .where({ 's.is_active': true, 'c.is_private': false, 'c.is_archived': false })
      .orderBy('c.id')
      .select<{ user_id: number; id: number }[]>('s.user_id', 'c.id')
  }

  /** The newest messages of the channels, newest first. Reads only the end of each channel. */
  async listNewestIds(
    scope: OrganizationScope,
    channelIds: readonly number[],
    sinceSeconds: number,
    limit: number,
  ): Promise<number[]> {
    const ids = channelIds.slice(0, maxChannels)
    if (ids.length === 0) return []
    // By the index on the channel.
    const newest = `SELECT id FROM (
      SELECT id FROM ?? WHERE channel_id = ? AND sent_at_seconds >= ?
        AND ${scope.dialect.sql.equalWithoutIndex('organization_id', '?')}
      ORDER BY id DESC LIMIT ${limit}
    )`
    const rows = await scope.raw<{ id: number }>(
      `SELECT id FROM (${ids.map((_, index) => `${newest} c${index}`).join(' UNION ALL ')}) newest
       ORDER BY id DESC LIMIT ${limit}`,
      ids.flatMap((id) => [scope.table('messages'), id, sinceSeconds, scope.organizationId]),
    )
    return rows.map(({ id }) => id)
  }

  /** Inserts a user message for each of the users and messages. */
  async insert(
    tx: Transaction,
    userIds: readonly number[],
    messageIds: readonly number[],
    flags: number,
  ): Promise<void> {
    if (messageIds.length === 0 || userIds.length === 0) return
    await tx.raw(
      `INSERT INTO ?? (organization_id, user_id, message_id, flags)
       SELECT m.organization_id, u.id, m.id, ?
       FROM ?? u JOIN ?? m ON m.organization_id = u.organization_id
       WHERE u.organization_id = ? AND u.id IN (${idList(userIds)})
         AND m.id IN (${idList(messageIds)})`,
      [
        tx.table('user_messages'),
        flags,
        tx.table('users'),
        tx.table('messages'),
        tx.organizationId,
      ],
    )
  }
}
