import { perServer } from '../../../kernel/per-server.js'
import { idList, type Transaction } from '../../../storage/index.js'
import { insertUserMessages, writeUserMessages } from './unwritten-message-repository.js'
import { newestMessageSql, unwrittenMovedSql } from './unwritten-sql.js'

/** Takes note of moves of messages of which user messages are not written. */
@perServer()
export class MovedMessageRepository {
  /**
   * Prepares messages of one channel for their move to another one. Users who receive both keep the
   * messages that they have received; the others have not received them any more.
   *
   * @param keepsUnwritten whether user messages need not be written because of the move.
   */
  async beforeMove(
    tx: Transaction,
    messageIds: readonly number[],
    [fromChannelId, toChannelId]: readonly [number, number],
    keepsUnwritten: boolean,
  ): Promise<void> {
    if (messageIds.length === 0) return
    const moved = await tx
      .query('messages')
      .whereRaw(`id IN (${idList(messageIds)})`)
      .whereNotNull('changed_channel_at_seconds')
      .select<{ id: number }[]>('id')
    const movedIds = new Set(moved.map(({ id }) => id))
    const isWritten = (id: number): boolean => !keepsUnwritten || movedIds.has(id)
    const subscribers = `SELECT t.user_id FROM ${tx.table('subscriptions')} t
      WHERE t.channel_id IN (${idList([toChannelId])}) AND t.is_active = TRUE`
    const written = messageIds.filter(isWritten)
    if (written.length > 0) {
      await writeUserMessages(tx, written, `i.user_id IN (${subscribers})`)
      await tx
        .query('moved_messages')
        .whereRaw(`message_id IN (${idList(written)})`)
        .delete()
    }
    const unwritten = messageIds.filter((id) => !isWritten(id))
    if (unwritten.length === 0) return
    const [row] = await tx.raw<{ newest: number | string }>(
      `SELECT ${newestMessageSql(tx)} AS newest`,
      [],
    )
    const newest = Number(row?.newest ?? 0)
    // Those whose subscriptions do not tell that they receive the channel now, and those who have
    // left the other one, for whom the messages may be read.
    await writeUserMessages(
      tx,
      unwritten,
      `i.user_id IN (${subscribers} AND (t.unwritten_after_message_id IS NULL
         OR t.unwritten_after_message_id >= ${idList([newest])}
         OR EXISTS (SELECT 1 FROM ${tx.table('unwritten_intervals')} e
           WHERE e.user_id = t.user_id AND e.channel_id IN (${idList([fromChannelId])}))))`,
    )
    await this.#endBefore(tx, toChannelId, newest)
    await tx.raw(
      `INSERT INTO ?? (message_id, organization_id, channel_id, sent_channel_id,
         moved_after_message_id)
       SELECT id, organization_id, ?, ?, ? FROM ??
       WHERE organization_id = ? AND id IN (${idList(unwritten)})`,
      [
        tx.table('moved_messages'),
        toChannelId,
        fromChannelId,
        newest,
        tx.table('messages'),
        tx.organizationId,
      ],
    )
  }

  /** Shortens the intervals of users who have left a channel since the newest message. */
  async #endBefore(tx: Transaction, channelId: number, newest: number): Promise<void> {
    const intervals = tx.table('unwritten_intervals')
    const place = `channel_id IN (${idList([channelId])}) AND until_message_id IN (${idList([newest])})`
    const users = `SELECT e.user_id FROM ${intervals} e
      WHERE e.organization_id IN (${idList([tx.organizationId])}) AND e.${place}`
    const [found] = await tx.raw(`${users} LIMIT 1`, [])
    if (found === undefined) return
    await writeUserMessages(tx, [newest], `i.user_id IN (${users})`)
    await insertUserMessages(
      tx,
      unwrittenMovedSql(
        tx,
        { where: place, areEnded: true },
        `v.moved_after_message_id IN (${idList([newest])})`,
      ),
    )
    await tx.raw(
      `UPDATE ${intervals} SET until_message_id = ? WHERE organization_id = ? AND ${place}`,
      [newest - 1, tx.organizationId],
    )
  }
}
