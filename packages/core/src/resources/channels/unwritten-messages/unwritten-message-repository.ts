import { MessageFlag } from '../../../domain/messages/message-flags.js'
import { perServer } from '../../../kernel/per-server.js'
import { idList, type Transaction } from '../../../storage/index.js'
import type { Unwritten } from './missing-message-repository.js'
import {
  intervalsSql,
  newestMessageSql,
  unwrittenMovedFromSql,
  unwrittenMovedSql,
  unwrittenOfMessagesSql,
  unwrittenSql,
} from './unwritten-sql.js'
import { hasQueueSql, notifiesSql } from './user-conditions.js'

@perServer()
export class UnwrittenMessageRepository {
  /**
   * Adapts a user's subscriptions to the user's notifications: of channels of which each message
   * notifies the user, user messages are written at once, because notifications are found by them.
   *
   * @param channelIds @default all that the user receives
   */
  async adaptToNotifications(
    tx: Transaction,
    userId: number,
    channelIds?: readonly number[],
  ): Promise<void> {
    if (channelIds?.length === 0) return
    const ofChannels = channelIds === undefined ? '' : ` AND channel_id IN (${idList(channelIds)})`
    const condition = `user_id IN (${idList([userId])})${ofChannels}`
    const subscriptions = tx.table('subscriptions')
    await this.#writeChannels(tx, condition)
    await tx.raw(
      `UPDATE ${subscriptions} SET unwritten_after_message_id = CASE
         WHEN ${notifiesSql(tx, subscriptions, `${subscriptions}.user_id`)} THEN NULL
         ELSE ${newestMessageSql(tx)} END
       WHERE organization_id = ? AND is_active = ? AND is_user_active = ? AND ${condition}`,
      [tx.organizationId, true, true],
    )
  }

  /** Takes note that everything is written that imported users have received. */
  async noteWritten(tx: Transaction, userIds: readonly number[]): Promise<void> {
    if (userIds.length === 0) return
    const subscriptions = tx.table('subscriptions')
    await tx.raw(
      `UPDATE ${subscriptions} SET unwritten_after_message_id = ${newestMessageSql(tx)}
       WHERE organization_id = ? AND user_id IN (${idList(userIds)})
         AND is_active = ? AND is_user_active = ?
         AND NOT ${notifiesSql(tx, subscriptions, `${subscriptions}.user_id`)}`,
      [tx.organizationId, true, true],
    )
  }

  /**
   * Ends the intervals of subscriptions, whose users receive the channels no longer. To be called
   * before the subscriptions change.
   *
   * @param ofSubscriptions a condition, without texts from clients.
   * @param isRead whether everything in these channels that is not written yet becomes read.
   */
  async closeIntervals(tx: Transaction, ofSubscriptions: string, isRead: boolean): Promise<void> {
    const [found] = await tx.raw(
      `SELECT 1 FROM (${intervalsSql(tx, { where: ofSubscriptions })}) i LIMIT 1`,
      [],
    )
    if (found === undefined) return
    // Their clients get events about messages that become read.
    if (isRead) await this.#writeBefore(tx, `${ofSubscriptions} AND ${hasQueueSql(tx)}`)
    await tx.raw(
      `INSERT INTO ?? (organization_id, user_id, channel_id, after_message_id, until_message_id,
         flags)
       SELECT organization_id, user_id, channel_id, unwritten_after_message_id,
         ${newestMessageSql(tx)}, 0
       FROM ?? WHERE organization_id = ?
         AND unwritten_after_message_id < ${newestMessageSql(tx)} AND ${ofSubscriptions}`,
      [tx.table('unwritten_intervals'), tx.table('subscriptions'), tx.organizationId],
    )
    if (!isRead) return
    await tx.raw(
      `UPDATE ?? SET flags = ${MessageFlag.read} WHERE organization_id = ? AND ${ofSubscriptions}`,
      [tx.table('unwritten_intervals'), tx.organizationId],
    )
  }

  /** Writes the messages that users have received until now in channels that they still receive. */
  async #writeBefore(tx: Transaction, ofSubscriptions: string): Promise<void> {
    await this.#writeChannels(tx, ofSubscriptions)
    await tx.raw(
      `UPDATE ?? SET unwritten_after_message_id = ${newestMessageSql(tx)}
       WHERE organization_id = ? AND unwritten_after_message_id IS NOT NULL AND ${ofSubscriptions}`,
      [tx.table('subscriptions'), tx.organizationId],
    )
  }

  /** Writes the user's received messages, also of channels that the user receives no longer. */
  async writeAll(tx: Transaction, userId: number): Promise<void> {
    const ofUser = `user_id IN (${idList([userId])})`
    const subscriptions = tx.table('subscriptions')
    await this.#write(tx, ofUser)
    await tx.query('unwritten_intervals').where({ user_id: userId }).delete()
    await tx.raw(
      `UPDATE ${subscriptions} SET unwritten_after_message_id = ${newestMessageSql(tx)}
       WHERE organization_id = ? AND user_id = ? AND (
         EXISTS (SELECT 1 FROM ?? m WHERE m.channel_id = ${subscriptions}.channel_id
           AND m.id > ${subscriptions}.unwritten_after_message_id)
         OR EXISTS (SELECT 1 FROM ?? v WHERE v.channel_id = ${subscriptions}.channel_id
           AND v.moved_after_message_id > ${subscriptions}.unwritten_after_message_id))`,
      [tx.organizationId, userId, tx.table('messages'), tx.table('moved_messages')],
    )
  }

  /** Writes the moved messages that the user has received. */
  async writeMoved(tx: Transaction, userId: number): Promise<void> {
    await insertUserMessages(
      tx,
      unwrittenMovedSql(tx, { where: `user_id IN (${idList([userId])})` }),
    )
  }

  /**
   * Writes up to `limit` of the oldest messages of one interval, and shortens it. To be called after
   * {@link writeMoved}: messages that have moved are not in an interval that is shortened.
   *
   * @returns the number of messages that it contained.
   */
  async writeSome(
    tx: Transaction,
    userId: number,
    { channelId, afterMessageId, untilMessageId }: Unwritten,
    limit: number,
  ): Promise<number> {
    const query = tx
      .query('messages')
      .where({ channel_id: channelId })
      .where('id', '>', afterMessageId)
    if (untilMessageId !== undefined) void query.where('id', '<=', untilMessageId)
    const rows = await query.orderBy('id').limit(limit).select<{ id: number }[]>('id')
    const last = rows.at(-1)?.id
    const place = `user_id IN (${idList([userId])}) AND channel_id IN (${idList([channelId])})`
    if (last !== undefined) {
      const ofMessages = `m.id > ${idList([afterMessageId])} AND m.id <= ${idList([last])}`
      await this.#write(tx, place, ofMessages)
    }
    const isComplete = last === undefined || rows.length < limit
    if (untilMessageId === undefined) {
      await tx.raw(
        `UPDATE ?? SET unwritten_after_message_id = ${isComplete ? newestMessageSql(tx) : idList([last])}
         WHERE organization_id = ? AND ${place} AND unwritten_after_message_id = ?`,
        [tx.table('subscriptions'), tx.organizationId, afterMessageId],
      )
      return rows.length
    }
    const interval = tx.query('unwritten_intervals').where({
      user_id: userId,
      channel_id: channelId,
      after_message_id: afterMessageId,
    })
    // The next interval may begin where this one ends.
    if (isComplete || last >= untilMessageId) await interval.delete()
    else await interval.update({ after_message_id: last })
    return rows.length
  }

  /** Writes the user messages that messages lack, of some users or of all. */
  async writeMessages(
    tx: Transaction,
    messageIds: readonly number[],
    userIds?: readonly number[],
  ): Promise<void> {
    if (userIds?.length === 0) return
    const ofUsers = userIds === undefined ? undefined : `i.user_id IN (${idList(userIds)})`
    await writeUserMessages(tx, messageIds, ofUsers)
  }

  async #write(tx: Transaction, ofIntervals: string, ofMessages?: string): Promise<void> {
    await insertUserMessages(tx, unwrittenSql(tx, { where: ofIntervals }, ofMessages))
  }

  /** Writes the received messages of channels, and those that have moved out of these. */
  async #writeChannels(tx: Transaction, ofIntervals: string): Promise<void> {
    await this.#write(tx, ofIntervals)
    await insertUserMessages(tx, unwrittenMovedFromSql(tx, { where: ofIntervals }))
  }
}

/**
 * Writes the user messages that messages lack.
 *
 * @param ofUsers a condition on `i.user_id`, without texts from clients. @default all
 */
export async function writeUserMessages(
  tx: Transaction,
  messageIds: readonly number[],
  ofUsers?: string,
): Promise<void> {
  if (messageIds.length === 0) return
  const ofMessages = `m.id IN (${idList(messageIds)})`
  await insertUserMessages(tx, unwrittenOfMessagesSql(tx, ofMessages, ofUsers))
}

/** @param sql of user messages that are not written. */
export async function insertUserMessages(tx: Transaction, sql: string): Promise<void> {
  await tx.raw(`INSERT INTO ?? (organization_id, user_id, message_id, flags) ${sql}`, [
    tx.table('user_messages'),
  ])
}
