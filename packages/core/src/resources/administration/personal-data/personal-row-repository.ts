import { keysOf } from '../../../kernel/objects.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, TableName, Transaction } from '../../../storage/index.js'
import type { MessageRow } from '../../channels/message-permissions/index.js'
import type { ReactionRow } from '../../messages/reactions/index.js'
import { personalColumns } from './personal-columns.js'

/** The columns that identify the rows of the tables that are emptied in batches. */
const batchKeys = {
  user_messages: 'message_id',
  pushed_messages: 'message_id',
  push_notifications: 'id',
} as const satisfies Partial<Record<TableName, string>>

export type BatchTable = keyof typeof batchKeys
export const batchTables: readonly BatchTable[] = keysOf(batchKeys)

/** Rows between two ids, so that no statement reads a whole large table. */
const idsPerWindow = 5000

/** A message that is to be deleted. */
export type SentMessage = Pick<
  MessageRow,
  'id' | 'recipient_id' | 'channel_id' | 'topic' | 'topic_key'
>

const sentColumns = ['id', 'recipient_id', 'channel_id', 'topic', 'topic_key'] as const

/** Finds and deletes the rows of one user, in all tables. */
@perServer()
export class PersonalRowRepository {
  /** Deletes the user's rows in every table in which their number is bounded. */
  async deleteOwn(tx: Transaction, userId: number): Promise<void> {
    const devices = tx.query('push_devices').where({ user_id: userId }).select('id')
    await tx.query('push_registrations').whereIn('device_id', devices).delete()
    for (const { table, column, erasure } of personalColumns) {
      if (erasure !== 'deleted') continue
      const rows = tx.query(table).whereRaw('?? = ?', [column, userId])
      if (table === 'user_group_members') {
        const named = tx.query('user_groups').whereNotNull('name').select('id')
        void rows.whereIn('group_id', named)
      }
      await rows.delete()
    }
  }

  /** @returns whether there may be more rows. */
  async deleteBatch(
    tx: Transaction,
    table: BatchTable,
    userId: number,
    limit: number,
  ): Promise<boolean> {
    const key = batchKeys[table]
    const next = await tx
      .query(table)
      .where({ user_id: userId })
      .orderByRaw('??', [key])
      .offset(limit)
      .first<{ id: number } | undefined>(tx.executor.raw('?? AS id', [key]))
    const rows = tx.query(table).where({ user_id: userId })
    if (next !== undefined) void rows.whereRaw('?? < ?', [key, next.id])
    await rows.delete()
    return next !== undefined
  }

  /**
   * Removes the addresses and the names of clients from the user's actions in the audit trail.
   *
   * @returns whether there may be more rows.
   */
  async clearOrigins(tx: Transaction, userId: number, limit: number): Promise<boolean> {
    const rows = await tx
      .query('audit_log')
      .where({ actor_id: userId })
      .whereNotNull('client_name')
      .orderBy('id')
      .limit(limit)
      .select<{ id: number }[]>('id')
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return false
    const change = { client_address: null, client_name: null }
    await tx.query('audit_log').whereIn('id', ids).update(change)
    return ids.length === limit
  }

  async listScheduledIds(tx: Transaction, userId: number): Promise<number[]> {
    const rows = await tx
      .query('scheduled_messages')
      .where({ user_id: userId })
      .select<{ id: number }[]>('id')
    return rows.map(({ id }) => id)
  }

  /** The oldest messages that the user has sent, locked until `tx` ends. */
  async lockSent(tx: Transaction, userId: number, limit: number): Promise<SentMessage[]> {
    const query = tx.query('messages').where({ sender_id: userId }).orderBy('id').limit(limit)
    return await tx.dialect.lockForUpdate(query.select<SentMessage[]>(...sentColumns))
  }

  /** The direct conversations in which no other user, who is not erased, takes part. */
  async listPrivateConversations(scope: OrganizationScope, userId: number): Promise<number[]> {
    const rows = await scope.raw<{ recipient_id: number }>(
      `SELECT own.recipient_id FROM ?? own WHERE own.organization_id = ? AND own.user_id = ?
         AND NOT EXISTS (SELECT 1 FROM ?? other JOIN ?? u ON u.id = other.user_id
           WHERE other.recipient_id = own.recipient_id AND other.user_id <> own.user_id
             AND u.api_key_hash NOT LIKE 'erased:%')
       ORDER BY own.recipient_id`,
      [
        scope.table('recipient_members'),
        scope.organizationId,
        userId,
        scope.table('recipient_members'),
        scope.table('users'),
      ],
    )
    return rows.map(({ recipient_id }) => recipient_id)
  }

  /** The oldest messages of a conversation, locked until `tx` ends. */
  async lockOfConversation(
    tx: Transaction,
    recipientId: number,
    limit: number,
  ): Promise<SentMessage[]> {
    const query = tx.query('messages').where({ recipient_id: recipientId })
    const page = query
      .orderBy('id')
      .limit(limit)
      .select<SentMessage[]>(...sentColumns)
    return await tx.dialect.lockForUpdate(page)
  }

  /** Those of the topics for which a user has a visibility policy. */
  async listTopicsWithPolicies(
    tx: Transaction,
    channelId: number,
    topicKeys: readonly string[],
  ): Promise<string[]> {
    const query = tx.query('user_topics').where({ channel_id: channelId })
    const rows = await query
      .whereIn('topic_key', [...topicKeys])
      .distinct<{ topic_key: string }[]>('topic_key')
    return rows.map(({ topic_key }) => topic_key)
  }

  async hasTopic(tx: Transaction, channelId: number, topicKey: string): Promise<boolean> {
    const query = tx.query('messages').where({ channel_id: channelId, topic_key: topicKey })
    return (await query.first<{ id: number } | undefined>('id')) !== undefined
  }

  async findMessage(tx: Transaction, id: number): Promise<MessageRow | undefined> {
    return tx.query('messages').where({ id }).first<MessageRow | undefined>()
  }

  async lockMessages(tx: Transaction, ids: readonly number[]): Promise<MessageRow[]> {
    const query = tx
      .query('messages')
      .whereIn('id', [...ids])
      .orderBy('id')
      .select('*')
    return await tx.dialect.lockForUpdate(query)
  }

  async updateMessage(tx: Transaction, id: number, changes: Partial<MessageRow>): Promise<void> {
    await tx.query('messages').where({ id }).update(changes)
  }

  async listReactions(tx: Transaction, ids: readonly number[]): Promise<ReactionRow[]> {
    return tx
      .query('reactions')
      .whereIn('id', [...ids])
      .orderBy('id')
      .select('*')
  }

  async deleteSubmessages(tx: Transaction, ids: readonly number[]): Promise<void> {
    await tx
      .query('submessages')
      .whereIn('id', [...ids])
      .delete()
  }

  /** The user's files that no message links to. */
  async listUnlinkedFiles(scope: OrganizationScope, userId: number): Promise<number[]> {
    const rows = await scope
      .query('attachments')
      .where({ owner_id: userId })
      .whereNotNull('unlinked_since_seconds')
      .orderBy('id')
      .select<{ id: number }[]>('id')
    return rows.map(({ id }) => id)
  }

  /**
   * The ids of the rows of a table that a condition selects, in pages: for columns without an index.
   */
  async *idsWhere(
    scope: OrganizationScope,
    table: TableName,
    sql: string,
    values: readonly (string | number)[],
  ): AsyncIterable<readonly number[]> {
    const edge = async (direction: 'asc' | 'desc'): Promise<number | undefined> => {
      const query = scope.query(table).orderBy('id', direction)
      return (await query.first<{ id: number } | undefined>('id'))?.id
    }
    const end = (await edge('desc')) ?? 0
    for (let start = (await edge('asc')) ?? 1; start <= end; start += idsPerWindow) {
      const rows = await scope
        .query(table)
        .whereBetween('id', [start, start + idsPerWindow - 1])
        .whereRaw(sql, [...values])
        .orderBy('id')
        .select<{ id: number }[]>('id')
      if (rows.length > 0) yield rows.map(({ id }) => id)
    }
  }
}
