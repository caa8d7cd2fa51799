import { inject } from 'tsyringe'

import type { EditHistoryItem } from '../../../domain/edit-history.js'
import { MessageFlag, unreceivedFlags } from '../../../domain/message-flags.js'
import type { UserSettingsJson } from '../../../domain/user-settings.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction, OrganizationScope } from '../../../storage/index.js'
import type { MessageRow } from '../../channels/message-permissions/index.js'
import { MessageWordRepository, flagsExpression, type UserMessageFlags } from '../objects/index.js'
import { maxMovedHistoryBytes, addToEditHistory } from './edit-history.js'
import type { TopicSlice } from './topic-slice.js'

/** Flags that depend on the content of a message. */
const textFlags =
  MessageFlag.mentioned |
  MessageFlag.stream_wildcard_mentioned |
  MessageFlag.topic_wildcard_mentioned |
  MessageFlag.has_alert_word

@perServer()
export class MessageEditRepository {
  constructor(@inject(MessageWordRepository) private readonly words: MessageWordRepository) {}

  /** @param topic the topic of the message, after the edit. */
  async updateContent(
    tx: Transaction,
    message: Pick<MessageRow, 'id' | 'edit_history'>,
    changes: Pick<
      MessageRow,
      'content' | 'rendered_content' | 'content_traits' | 'last_edited_at_seconds'
    >,
    topic: string,
    historyItem: EditHistoryItem,
  ): Promise<void> {
    await tx
      .query('messages')
      .where({ id: message.id })
      .update({
        ...changes,
        edit_history: addToEditHistory(message.edit_history, historyItem),
      })
    await this.words.replace(tx, { ...changes, id: message.id, topic })
  }

  /** Sets the flags of all user messages that depend on the content; keeps the other flags. */
  async updateTextFlags(
    tx: Transaction,
    messageId: number,
    flags: UserMessageFlags,
  ): Promise<void> {
    const { sql, bindings } = flagsExpression('user_id', flags)
    await tx.raw(
      `UPDATE ?? SET flags = (flags & ${~textFlags & 0xffff}) | (${sql})
       WHERE organization_id = ? AND message_id = ?`,
      [tx.table('user_messages'), ...bindings, tx.organizationId, messageId],
    )
  }

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

  /**
   * Moves messages and adds the move to their histories. The number of statements does not depend
   * on the number of messages.
   *
   * @param fromTopic the former topic; undefined if the topic does not change.
   * @param historyItem undefined to keep the histories unchanged.
   */
  async move(
    tx: Transaction,
    messageIds: readonly number[],
    fromTopic: string | undefined,
    changes: Partial<
      Pick<
        MessageRow,
        'channel_id' | 'recipient_id' | 'topic' | 'topic_key' | 'last_moved_at_seconds'
      >
    >,
    historyItem: EditHistoryItem | undefined,
  ): Promise<void> {
    const history =
      historyItem === undefined ? {} : { edit_history: extendedHistory(tx, historyItem) }
    await tx
      .query('messages')
      .whereRaw(`id IN (${idList(messageIds)})`)
      .update({ ...changes, ...history })
    if (fromTopic !== undefined && changes.topic !== undefined) {
      await this.words.retitle(tx, messageIds, fromTopic, changes.topic)
    }
  }

  /** The user messages of a message. */
  async listUserMessages(
    scope: OrganizationScope,
    messageId: number,
  ): Promise<{ user_id: number; flags: number }[]> {
    return scope
      .query('user_messages')
      .where({ message_id: messageId })
      .select<{ user_id: number; flags: number }[]>('user_id', 'flags')
  }

  /** The users who have a user message for one of the messages, ascending. */
  async listReceivers(scope: OrganizationScope, messageIds: readonly number[]): Promise<number[]> {
    const rows = await scope
      .query('user_messages')
      .whereRaw(`message_id IN (${idList(messageIds)})`)
      .distinct<{ user_id: number }[]>('user_id')
      .orderBy('user_id')
    return rows.map((row) => row.user_id)
  }

  /** The user messages of these users for the messages, ascending. */
  async listUserMessagesOf(
    scope: OrganizationScope,
    messageIds: readonly number[],
    userIds: readonly number[],
  ): Promise<{ user_id: number; message_id: number }[]> {
    if (userIds.length === 0) return []
    return scope
      .query('user_messages')
      .whereRaw(`message_id IN (${idList(messageIds)}) AND user_id IN (${idList(userIds)})`)
      .orderBy(['user_id', 'message_id'])
      .select<{ user_id: number; message_id: number }[]>('user_id', 'message_id')
  }

  async hasMessages(scope: OrganizationScope, slice: TopicSlice): Promise<boolean> {
    return (await this.#slice(scope, slice).first('m.id')) !== undefined
  }

  /**
   * Deletes the user messages of these users, except of subscribers of the channel: deactivated
   * users keep their subscriptions and may be reactivated.
   */
  async deleteUserMessages(
    tx: Transaction,
    messageIds: readonly number[],
    userIds: readonly number[],
    channelId: number,
  ): Promise<void> {
    if (userIds.length === 0) return
    await tx
      .query('user_messages')
      .whereRaw(`message_id IN (${idList(messageIds)}) AND user_id IN (${idList(userIds)})`)
      .whereNotIn(
        'user_id',
        tx
          .query('subscriptions')
          .where({ channel_id: channelId, is_active: true })
          .select('user_id'),
      )
      .delete()
  }

  /** Inserts user messages, flagged as read, for the channel's receivers who lack them. */
  async insertReadUserMessages(
    tx: Transaction,
    messageIds: readonly number[],
    channelId: number,
  ): Promise<void> {
    await tx.raw(
      `INSERT INTO ?? (organization_id, user_id, message_id, flags)
       SELECT ?, s.user_id, m.id, ${unreceivedFlags}
       FROM ?? s JOIN ?? m ON m.id IN (${idList(messageIds)})
       LEFT JOIN ?? um ON um.user_id = s.user_id AND um.message_id = m.id
       WHERE s.organization_id = ? AND s.channel_id = ? AND s.is_active = ? AND um.user_id IS NULL`,
      [
        tx.table('user_messages'),
        tx.organizationId,
        tx.table('subscriptions'),
        tx.table('messages'),
        tx.table('user_messages'),
        tx.organizationId,
        channelId,
        true,
      ],
    )
  }

  async hasSubmessages(scope: OrganizationScope, messageId: number): Promise<boolean> {
    const row = await scope
      .query('submessages')
      .where({ message_id: messageId })
      .first<{ id: number } | undefined>('id')
    return row !== undefined
  }

  /** Deletes messages with all rows that belong to them. */
  async delete(tx: Transaction, messageIds: readonly number[]): Promise<number> {
    await tx
      .query('user_messages')
      .whereIn('message_id', [...messageIds])
      .delete()
    await tx
      .query('reactions')
      .whereIn('message_id', [...messageIds])
      .delete()
    await tx
      .query('submessages')
      .whereIn('message_id', [...messageIds])
      .delete()
    await this.words.delete(tx, messageIds)
    return tx
      .query('messages')
      .whereIn('id', [...messageIds])
      .delete()
  }

  /** The id of the oldest message of a channel, or null if it has none. */
  async firstMessageId(scope: OrganizationScope, channelId: number): Promise<number | null> {
    // Uses an index alone: with a condition on the organization of the messages, MariaDB may
    // search the messages of all channels.
    const [row] = await scope.raw<{ first_id: number | null }>(
      `SELECT (SELECT m.id FROM ?? m WHERE m.channel_id = c.id ORDER BY m.id LIMIT 1) AS first_id
       FROM ?? c WHERE c.organization_id = ? AND c.id = ?`,
      [scope.table('messages'), scope.table('channels'), scope.organizationId, channelId],
    )
    return row?.first_id ?? null
  }

  /** Active users who have read a message, and their settings, except the given users. */
  async listReaders(
    scope: OrganizationScope,
    messageId: number,
    exceptUserIds: readonly number[],
  ): Promise<{ user_id: number; settings: UserSettingsJson }[]> {
    return scope
      .queryAs('user_messages', 'um')
      .join(scope.as('users', 'u'), 'u.id', 'um.user_id')
      .where({ 'um.message_id': messageId, 'u.is_active': true })
      .whereRaw(`um.flags & ${MessageFlag.read} <> 0`)
      .whereNotIn('um.user_id', [...exceptUserIds])
      .orderBy('um.user_id')
      .select<{ user_id: number; settings: UserSettingsJson }[]>('um.user_id', 'u.settings')
  }

  #slice(scope: OrganizationScope, slice: TopicSlice) {
    const query = scope
      .queryAs('messages', 'm')
      .where({ 'm.channel_id': slice.channelId, 'm.topic_key': slice.topicKey })
    if (slice.fromId !== undefined) void query.where('m.id', '>=', slice.fromId)
    if (slice.onlyId !== undefined) void query.where('m.id', slice.onlyId)
    if (slice.receiverId !== undefined) {
      const { receiverId } = slice
      void query.join(scope.as('user_messages', 'um'), (join) => {
        join.on('um.message_id', 'm.id').andOnVal('um.user_id', receiverId)
      })
    }
    return query
  }
}

/** Inlines ids from the database: a topic may have more messages than a statement placeholders. */
function idList(ids: readonly number[]): string {
  return ids.map(Number).join(',')
}

/** An SQL expression that prepends a change to the stored history. */
function extendedHistory(tx: Transaction, historyItem: EditHistoryItem) {
  const item = JSON.stringify(historyItem)
  return tx.executor.raw(
    `CASE WHEN edit_history IS NULL THEN ?
     WHEN OCTET_LENGTH(edit_history) > ? THEN edit_history
     ELSE CONCAT(?, SUBSTR(edit_history, 2)) END`,
    [`[${item}]`, maxMovedHistoryBytes, `[${item},`],
  )
}
