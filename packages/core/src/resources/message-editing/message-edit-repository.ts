import { inject } from 'tsyringe'

import { MessageFlag, unreceivedFlags } from '../../domain/message-flags.js'
import { perServer } from '../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../storage/index.js'
import type { MessageRow } from '../message-access/index.js'
import { MessageWordRepository } from '../message-words/index.js'
import { flagsExpression, type RecordFlags } from '../messages/index.js'
import { addToEditHistory, maxMovedHistoryBytes } from './edit-history.js'

/** Flags that a message's text decides. */
const textFlags =
  MessageFlag.mentioned |
  MessageFlag.stream_wildcard_mentioned |
  MessageFlag.topic_wildcard_mentioned |
  MessageFlag.has_alert_word

/** The messages of one channel's topic, or those from one of them on. */
export interface TopicSlice {
  readonly channelId: number
  readonly topicKey: string
  /** Only messages from this id on; all if undefined. */
  readonly fromId?: number
  /** Only the one with this id. */
  readonly onlyId?: number
  /** Only those of which this user has a record. */
  readonly recordOwnerId?: number
}

@perServer()
export class MessageEditRepository {
  constructor(@inject(MessageWordRepository) private readonly words: MessageWordRepository) {}

  /** @param topic where the message is, or is about to be. */
  async updateContent(
    tx: Transaction,
    message: Pick<MessageRow, 'id' | 'edit_history'>,
    changes: Pick<
      MessageRow,
      'content' | 'rendered_content' | 'content_traits' | 'last_edited_at_seconds'
    >,
    topic: string,
    historyItem: object,
  ): Promise<void> {
    await tx
      .query('messages')
      .where({ id: message.id })
      .update({
        ...changes,
        edit_history: addToEditHistory(message.edit_history, historyItem),
      } as never)
    await this.words.replace(tx, { ...changes, id: message.id, topic })
  }

  /** Sets and clears what the new text says about each record's owner; the rest stays. */
  async updateTextFlags(tx: Transaction, messageId: number, flags: RecordFlags): Promise<void> {
    const { sql, bindings } = flagsExpression('user_id', flags)
    await tx.raw(
      `UPDATE ?? SET flags = (flags & ${~textFlags & 0xffff}) | (${sql})
       WHERE organization_id = ? AND message_id = ?`,
      [tx.table('user_messages'), ...bindings, tx.organizationId, messageId],
    )
  }

  /** The ids of a slice's messages, ascending; others wait to change them until `tx` ends. */
  async lockIds(tx: Transaction, slice: TopicSlice): Promise<number[]> {
    const query = this.#slice(tx, slice).orderBy('m.id').select('m.id')
    const rows = (await tx.dialect.lockForUpdate(query)) as { id: number }[]
    return rows.map((row) => row.id)
  }

  /** The same for the newest ones. */
  async lockNewestIds(tx: Transaction, slice: TopicSlice, limit: number): Promise<number[]> {
    const query = this.#slice(tx, slice).orderBy('m.id', 'desc').limit(limit).select('m.id')
    const rows = (await tx.dialect.lockForUpdate(query)) as { id: number }[]
    return rows.map((row) => row.id).reverse()
  }

  /** How many messages a slice has, and how many of them were sent at or after a time. */
  async countSince(
    scope: OrganizationScope,
    slice: TopicSlice,
    sinceSeconds: number,
  ): Promise<{ total: number; recent: number; firstRecentId: number | null }> {
    const row = (await this.#slice(scope, slice)
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
      .first()) as { total: number; recent: number | string | null; first_recent_id: number | null }
    return {
      total: row.total,
      recent: Number(row.recent ?? 0),
      firstRecentId: row.first_recent_id,
    }
  }

  /**
   * Moves messages and notes it in each one's history. The number of statements does not depend on
   * how many there are.
   *
   * @param fromTopic the topic that they have left; undefined if they stay in it.
   * @param historyItem undefined to leave the histories as they are.
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
    historyItem: object | undefined,
  ): Promise<void> {
    const history =
      historyItem === undefined ? {} : { edit_history: extendedHistory(tx, historyItem) }
    await tx
      .query('messages')
      .whereRaw(`id IN (${idList(messageIds)})`)
      .update({ ...changes, ...history } as never)
    if (fromTopic !== undefined && changes.topic !== undefined) {
      await this.words.retitle(tx, messageIds, fromTopic, changes.topic)
    }
  }

  /** Every record's owner and flags. */
  async listRecords(
    scope: OrganizationScope,
    messageId: number,
  ): Promise<{ user_id: number; flags: number }[]> {
    return scope
      .query('user_messages')
      .where({ message_id: messageId })
      .select<{ user_id: number; flags: number }[]>('user_id', 'flags')
  }

  /** Everyone who has a record of one of the messages, ascending. */
  async listRecordOwners(
    scope: OrganizationScope,
    messageIds: readonly number[],
  ): Promise<number[]> {
    const rows = await scope
      .query('user_messages')
      .whereRaw(`message_id IN (${idList(messageIds)})`)
      .distinct<{ user_id: number }[]>('user_id')
      .orderBy('user_id')
    return rows.map((row) => row.user_id)
  }

  /** Which of the messages each of these users has a record of, ascending. */
  async listRecordsOf(
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

  /** Whether a slice has messages. */
  async hasMessages(scope: OrganizationScope, slice: TopicSlice): Promise<boolean> {
    return (await this.#slice(scope, slice).first('m.id')) !== undefined
  }

  /**
   * Takes the messages out of the histories of these users, but of none who subscribes to the
   * channel: whoever is deactivated keeps the subscription and may come back.
   */
  async deleteRecords(
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

  /** Puts the messages, as read, into the histories of a channel's receivers who lack them. */
  async insertReadRecords(
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

  /** Deletes messages with everything that belongs to them. */
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

  /** The oldest message of a channel, or null if there is none. */
  async firstMessageId(scope: OrganizationScope, channelId: number): Promise<number | null> {
    // Answered by an index alone: where messages are asked for their organization too, MariaDB
    // may look for the first one among those of all channels.
    const [row] = await scope.raw<{ first_id: number | null }>(
      `SELECT (SELECT m.id FROM ?? m WHERE m.channel_id = c.id ORDER BY m.id LIMIT 1) AS first_id
       FROM ?? c WHERE c.organization_id = ? AND c.id = ?`,
      [scope.table('messages'), scope.table('channels'), scope.organizationId, channelId],
    )
    return row?.first_id ?? null
  }

  /** Active users who have read a message and let others know, but for some. */
  async listReaders(
    scope: OrganizationScope,
    messageId: number,
    exceptUserIds: readonly number[],
  ): Promise<{ user_id: number; settings: string }[]> {
    return scope
      .queryAs('user_messages', 'um')
      .join(scope.as('users', 'u'), 'u.id', 'um.user_id')
      .where({ 'um.message_id': messageId, 'u.is_active': true })
      .whereRaw(`um.flags & ${MessageFlag.read} <> 0`)
      .whereNotIn('um.user_id', [...exceptUserIds])
      .orderBy('um.user_id')
      .select('um.user_id', 'u.settings') as unknown as Promise<
      { user_id: number; settings: string }[]
    >
  }

  #slice(scope: OrganizationScope, slice: TopicSlice) {
    const query = scope
      .queryAs('messages', 'm')
      .where({ 'm.channel_id': slice.channelId, 'm.topic_key': slice.topicKey })
    if (slice.fromId !== undefined) void query.where('m.id', '>=', slice.fromId)
    if (slice.onlyId !== undefined) void query.where('m.id', slice.onlyId)
    if (slice.recordOwnerId !== undefined) {
      const { recordOwnerId } = slice
      void query.join(scope.as('user_messages', 'um'), (join) => {
        join.on('um.message_id', 'm.id').andOnVal('um.user_id', recordOwnerId)
      })
    }
    return query
  }
}

/** Ids from the database, of which a topic may have more than there can be placeholders. */
function idList(ids: readonly number[]): string {
  return ids.map(Number).join(',')
}

/** An expression for a stored history with one more change in front. */
function extendedHistory(tx: Transaction, historyItem: object) {
  const item = JSON.stringify(historyItem)
  return tx.executor.raw(
    `CASE WHEN edit_history IS NULL THEN ?
     WHEN OCTET_LENGTH(edit_history) > ? THEN edit_history
     ELSE CONCAT(?, SUBSTR(edit_history, 2)) END`,
    [`[${item}]`, maxMovedHistoryBytes, `[${item},`],
  )
}
