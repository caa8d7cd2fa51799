import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'

/** Every database accepts this many parts in a compound query. */
const maxChannels = 400

@perServer()
export class NewcomerHistoryRepository {
  /** The active channels that the user subscribes to and that are not private, ascending. */
  async listPublicChannelIds(scope: OrganizationScope, userId: number): Promise<number[]> {
    const rows = await scope
      .queryAs('subscriptions', 's')
      .join(scope.as('channels', 'c'), 'c.id', 's.channel_id')
      .where({ 's.user_id': userId, 's.is_active': true })
      .where({ 'c.is_private': false, 'c.is_archived': false })
      .orderBy('c.id')
      .select<{ id: number }[]>('c.id')
    return rows.map(({ id }) => id)
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
    const newest = `SELECT id FROM (
      SELECT id FROM ?? WHERE channel_id = ? AND organization_id = ? AND sent_at_seconds >= ?
      ORDER BY id DESC LIMIT ${limit}
    )`
    const rows = await scope.raw<{ id: number }>(
      `SELECT id FROM (${ids.map((_, index) => `${newest} c${index}`).join(' UNION ALL ')}) newest
       ORDER BY id DESC LIMIT ${limit}`,
      ids.flatMap((id) => [scope.table('messages'), id, scope.organizationId, sinceSeconds]),
    )
    return rows.map(({ id }) => id)
  }

  /** Inserts user messages for the user. */
  async insert(
    tx: Transaction,
    userId: number,
    messageIds: readonly number[],
    flags: number,
  ): Promise<void> {
    if (messageIds.length === 0) return
    await tx.raw(
      `INSERT INTO ?? (organization_id, user_id, message_id, flags)
       SELECT m.organization_id, ?, m.id, ? FROM ?? m
       WHERE m.organization_id = ? AND m.id IN (${messageIds.map(Number).join(',')})`,
      [tx.table('user_messages'), userId, flags, tx.table('messages'), tx.organizationId],
    )
  }
}
