import { inject } from 'tsyringe'

import { MessageFlag } from '../../domain/message-flags.js'
import { addTo } from '../../kernel/grouping.js'
import { perServer } from '../../kernel/per-server.js'
import {
  Database,
  type NewRow,
  type OrganizationScope,
  type Transaction,
} from '../../storage/index.js'

declare module '../../storage/tables.js' {
  interface Tables {
    push_notifications: PushNotificationRow
    pushed_messages: PushedMessageRow
  }
}

/** A notification that all of a user's devices of one family are to get. */
export interface PushNotificationRow {
  id: number
  organization_id: number
  user_id: number
  family: 'e2ee' | 'legacy'
  /** JSON of a `Notice`. */
  notice: string
  /** How often somebody has begun to send it; names the latest attempt. */
  attempts: number
  /** When to begin next; pushed back by whoever sends it, so that nobody else does meanwhile. */
  due_at_seconds: number
  /** JSON of the ids of those devices that have it already; null for none. */
  accepted_device_ids: string | null
}

/** Whom it concerns, and of what; as a key. */
export type PushedMessage = Pick<PushedMessageRow, 'user_id' | 'message_id'>

/** A message that a user's devices may show. */
export interface PushedMessageRow {
  organization_id: number
  user_id: number
  message_id: number
}

/** A message as notifications tell of it. */
export interface NotifiableMessage {
  id: number
  organization_id: number
  sender_id: number
  recipient_id: number
  channel_id: number | null
  /** Null for direct messages. */
  channel_name: string | null
  topic: string
  rendered_content: string
  sent_at_seconds: number
}

@perServer()
export class PushNotificationRepository {
  constructor(@inject(Database) private readonly database: Database) {}

  /** Up to `limit` organizations in which something is due. */
  async listWaitingOrganizationIds(nowSeconds: number, limit: number): Promise<number[]> {
    const rows = await this.database
      .reader(this.database.table('push_notifications'))
      .where('due_at_seconds', '<=', nowSeconds)
      .distinct<{ organization_id: number }[]>('organization_id')
      .limit(limit)
    return rows.map((row) => row.organization_id)
  }

  /** Up to `limit` organizations of which some device may show a message. */
  async listPushedOrganizationIds(limit: number): Promise<number[]> {
    const rows = await this.database
      .reader(this.database.table('pushed_messages'))
      .distinct<{ organization_id: number }[]>('organization_id')
      .limit(limit)
    return rows.map((row) => row.organization_id)
  }

  /** Whether anything is due in the organization. */
  async hasDue(scope: OrganizationScope, nowSeconds: number): Promise<boolean> {
    const row = await scope
      .query('push_notifications')
      .where('due_at_seconds', '<=', nowSeconds)
      .first<{ id: number } | undefined>('id')
    return row !== undefined
  }

  async insertNotifications(
    tx: Transaction,
    rows: readonly NewRow<PushNotificationRow>[],
  ): Promise<void> {
    await tx.insert('push_notifications', rows)
  }

  /** Up to `limit` notifications that are due; nobody else gets them until the transaction ends. */
  async lockDue(
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
    return (await tx.dialect.lockForUpdate(query)) as PushNotificationRow[]
  }

  /** Counts an attempt at each, and says when the next one may begin. */
  async claim(tx: Transaction, ids: readonly number[], dueAtSeconds: number): Promise<void> {
    await tx
      .query('push_notifications')
      .whereIn('id', [...ids])
      .increment('attempts', 1)
      .update({ due_at_seconds: dueAtSeconds } as never)
  }

  /** @returns whether the attempt was still the latest. */
  async update(
    tx: Transaction,
    { id, attempts }: PushNotificationRow,
    changes: Partial<
      Pick<PushNotificationRow, 'attempts' | 'due_at_seconds' | 'accepted_device_ids'>
    >,
  ): Promise<boolean> {
    const changed = await tx
      .query('push_notifications')
      .where({ id, attempts })
      .update(changes as never)
    return changed > 0
  }

  /** Removes those whose attempt is still the latest. */
  async delete(tx: Transaction, rows: readonly PushNotificationRow[]): Promise<void> {
    if (rows.length === 0) return
    await tx
      .query('push_notifications')
      .whereIn(
        ['id', 'attempts'],
        rows.map(({ id, attempts }) => [id, attempts]),
      )
      .delete()
  }

  async insertPushed(tx: Transaction, rows: readonly PushedMessage[]): Promise<void> {
    await tx.insert('pushed_messages', rows)
  }

  /** Notes that devices of these users show a message no longer. */
  async deletePushed(
    tx: Transaction,
    messageId: number,
    userIds: readonly number[],
  ): Promise<void> {
    await tx
      .query('pushed_messages')
      .where({ message_id: messageId })
      .whereIn('user_id', [...userIds])
      .delete()
  }

  /** Takes up to `limit` messages away that users have read since, or that are gone for them. */
  async takeRead(tx: Transaction, limit: number): Promise<PushedMessage[]> {
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
        'm.organization_id',
        'm.sender_id',
        'm.recipient_id',
        'm.channel_id',
        'c.name as channel_name',
        'm.topic',
        'm.rendered_content',
        'm.sent_at_seconds',
      ) as unknown as Promise<NotifiableMessage[]>
  }

  /** Which of the messages devices of each of the users should show; as `user/message`. */
  async wanted(
    scope: OrganizationScope,
    userIds: readonly number[],
    messageIds: readonly number[],
  ): Promise<ReadonlySet<string>> {
    if (messageIds.length === 0) return new Set()
    const rows = (await scope
      .queryAs('pushed_messages', 'p')
      .join(scope.as('user_messages', 'um'), (join) => {
        join.on('um.user_id', 'p.user_id').andOn('um.message_id', 'p.message_id')
      })
      .whereIn('p.user_id', [...userIds])
      .whereIn('p.message_id', [...messageIds])
      .whereRaw(`(um.flags & ${MessageFlag.read}) = 0`)
      .select('p.user_id', 'p.message_id')) as PushedMessage[]
    return new Set(rows.map((row) => `${row.user_id}/${row.message_id}`))
  }
}

/** The message ids of each user, in their order. */
export function idsByUser(rows: readonly PushedMessage[]): ReadonlyMap<number, number[]> {
  const byUser = new Map<number, number[]>()
  for (const { user_id, message_id } of rows) addTo(byUser, user_id, message_id)
  return byUser
}
