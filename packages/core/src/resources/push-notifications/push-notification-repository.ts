import { inject } from 'tsyringe'

import { MessageFlag } from '../../domain/message-flags.js'
import { perServer } from '../../kernel/per-server.js'
import {
  Database,
  type NewRow,
  type OrganizationScope,
  type Transaction,
} from '../../storage/index.js'

declare module '../../storage/tables.js' {
  interface Tables {
    push_messages: PushMessageRow
    push_notifications: PushNotificationRow
    pushed_messages: PushedMessageRow
  }
}

/** A new message of which nobody has been notified yet. */
export interface PushMessageRow {
  id: number
  organization_id: number
  message_id: number
  /** JSON of `PushMentions`. */
  mentions: string
}

/** A notification that waits to be sent to all of a user's devices of one family. */
export interface PushNotificationRow {
  id: number
  organization_id: number
  user_id: number
  family: 'e2ee' | 'legacy'
  /** JSON of a `Notice`. */
  notice: string
  /** How often sending has failed so that nothing can have arrived. */
  attempts: number
  due_at_seconds: number
}

/** A message that a user's devices may show. */
export interface PushedMessageRow {
  organization_id: number
  user_id: number
  message_id: number
}

/** A message as notifications tell of it. */
export interface NotifiableMessage {
  id: number
  sender_id: number
  recipient_id: number
  channel_id: number | null
  /** Null for direct messages. */
  channel_name: string | null
  topic: string
  topic_key: string
  rendered_content: string
  sent_at_seconds: number
}

@perServer()
export class PushNotificationRepository {
  constructor(@inject(Database) private readonly database: Database) {}

  /** Up to `limit` organizations in which something is due. */
  async listWaitingOrganizationIds(nowSeconds: number, limit: number): Promise<number[]> {
    const { reader } = this.database
    const messages = await reader(this.database.table('push_messages'))
      .distinct<{ organization_id: number }[]>('organization_id')
      .limit(limit)
    const notifications = await reader(this.database.table('push_notifications'))
      .where('due_at_seconds', '<=', nowSeconds)
      .distinct<{ organization_id: number }[]>('organization_id')
      .limit(limit)
    return [...new Set([...messages, ...notifications].map((row) => row.organization_id))]
  }

  /** Whether anything waits in the organization, due or not. */
  async hasWaiting(scope: OrganizationScope): Promise<boolean> {
    for (const table of ['push_messages', 'push_notifications'] as const) {
      const row = await scope.query(table).first<{ id: number } | undefined>('id')
      if (row !== undefined) return true
    }
    return false
  }

  async insertMessages(
    tx: Transaction,
    rows: readonly { readonly message_id: number; readonly mentions: string }[],
  ): Promise<void> {
    await tx.insert('push_messages', rows)
  }

  /** Takes up to `limit` messages away, oldest first; nobody else gets them. */
  async takeMessages(tx: Transaction, limit: number): Promise<PushMessageRow[]> {
    const query = tx.query('push_messages').orderBy('id').limit(limit).select<PushMessageRow[]>('*')
    const rows = (await tx.dialect.lockForUpdate(query)) as PushMessageRow[]
    if (rows.length > 0) {
      const ids = rows.map((row) => row.id)
      await tx.query('push_messages').whereIn('id', ids).delete()
    }
    return rows
  }

  async insertNotifications(
    tx: Transaction,
    rows: readonly NewRow<PushNotificationRow>[],
  ): Promise<void> {
    await tx.insert('push_notifications', rows)
  }

  /** Takes up to `limit` notifications away that are due; nobody else gets them. */
  async takeNotifications(
    tx: Transaction,
    nowSeconds: number,
    limit: number,
  ): Promise<PushNotificationRow[]> {
    const query = tx
      .query('push_notifications')
      .where('due_at_seconds', '<=', nowSeconds)
      .orderBy(['due_at_seconds', 'id'])
      .limit(limit)
      .select<PushNotificationRow[]>('*')
    const rows = (await tx.dialect.lockForUpdate(query)) as PushNotificationRow[]
    if (rows.length > 0) {
      const ids = rows.map((row) => row.id)
      await tx.query('push_notifications').whereIn('id', ids).delete()
    }
    return rows
  }

  async insertPushed(
    tx: Transaction,
    messageId: number,
    userIds: readonly number[],
  ): Promise<void> {
    await tx.insert(
      'pushed_messages',
      userIds.map((user_id) => ({ user_id, message_id: messageId })),
    )
  }

  /** Takes up to `limit` messages away that users have read since, or that are gone for them. */
  async takeRead(
    tx: Transaction,
    limit: number,
  ): Promise<Pick<PushedMessageRow, 'user_id' | 'message_id'>[]> {
    const rows = await tx.raw<{ user_id: number; message_id: number }>(
      `SELECT p.user_id, p.message_id FROM ?? p
       LEFT JOIN ?? um ON um.user_id = p.user_id AND um.message_id = p.message_id
       WHERE p.organization_id = ? AND (um.message_id IS NULL OR (um.flags & ?) <> 0)
       ORDER BY p.user_id, p.message_id LIMIT ?`,
      [
        tx.table('pushed_messages'),
        tx.table('user_messages'),
        tx.organizationId,
        MessageFlag.read,
        limit,
      ],
    )
    const taken: typeof rows = []
    for (const [userId, messageIds] of idsByUser(rows)) {
      const deleted = await tx
        .query('pushed_messages')
        .where({ user_id: userId })
        .whereIn('message_id', messageIds)
        .delete()
      // Whoever deletes them tells the devices.
      if (deleted > 0) taken.push(...rows.filter((row) => row.user_id === userId))
    }
    return taken
  }

  async listMessages(
    scope: OrganizationScope,
    ids: readonly number[],
  ): Promise<NotifiableMessage[]> {
    if (ids.length === 0) return []
    return scope
      .queryAs('messages', 'm')
      .leftJoin(scope.as('channels', 'c'), 'c.id', 'm.channel_id')
      .whereIn('m.id', [...ids])
      .select(
        'm.id',
        'm.sender_id',
        'm.recipient_id',
        'm.channel_id',
        'c.name as channel_name',
        'm.topic',
        'm.topic_key',
        'm.rendered_content',
        'm.sent_at_seconds',
      ) as unknown as Promise<NotifiableMessage[]>
  }

  /** Which of the messages each of the users has not read; as `user/message`. */
  async unread(
    scope: OrganizationScope,
    userIds: readonly number[],
    messageIds: readonly number[],
  ): Promise<ReadonlySet<string>> {
    if (messageIds.length === 0) return new Set()
    const rows = await scope
      .query('user_messages')
      .whereIn('user_id', [...userIds])
      .whereIn('message_id', [...messageIds])
      .whereRaw('(flags & ?) = 0', [MessageFlag.read])
      .select<{ user_id: number; message_id: number }[]>('user_id', 'message_id')
    return new Set(rows.map((row) => `${row.user_id}/${row.message_id}`))
  }
}

/** The message ids of each user, in their order. */
export function idsByUser(
  rows: readonly Pick<PushedMessageRow, 'user_id' | 'message_id'>[],
): ReadonlyMap<number, number[]> {
  const byUser = new Map<number, number[]>()
  for (const { user_id, message_id } of rows) {
    const list = byUser.get(user_id)
    if (list === undefined) byUser.set(user_id, [message_id])
    else list.push(message_id)
  }
  return byUser
}
