import type { EventQueue, EventQueueOptions } from '../../../events/queues/event-queue.js'
import { unused, type QueueUse } from '../../../events/queues/live-queue.js'
import { perServer } from '../../../kernel/per-server.js'
import {
  parseJson,
  type Database,
  type NewRow,
  toJson,
  type OrganizationScope,
  type Transaction,
} from '../../../storage/index.js'
import { eventQueues, type EventQueueRow } from './event-queues-table.js'

/** The columns that are read of a queue before it is removed. */
export type EndingQueueRow = Pick<
  EventQueueRow,
  'id' | 'user_id' | 'acknowledged_id' | 'takes_messages'
>

/** A queue that may be removed in favor of another one of its user. */
export type RivalQueueRow = EndingQueueRow &
  Pick<EventQueueRow, 'created_seq' | 'last_seen_at_seconds' | 'idle_timeout_seconds'>

/** A queue, with the use that its row records. */
export interface StoredEventQueue {
  readonly queue: EventQueue
  readonly lastSeenAtSeconds: number
  readonly use: QueueUse
}

function newRowOf(queue: EventQueue, nowSeconds: number): NewRow<EventQueueRow> {
  const { id, organizationId: _, userId, createdSeq, idleTimeoutSeconds, ...options } = queue
  return {
    id,
    user_id: userId,
    options: toJson(options),
    idle_timeout_seconds: idleTimeoutSeconds,
    created_seq: createdSeq,
    last_seen_at_seconds: nowSeconds,
    takes_messages: takesMessages(queue),
    ...useColumns(unused(createdSeq)),
  }
}

/** The columns that change while a queue is used. */
const writtenColumns = [
  'last_seen_at_seconds',
  'acknowledged_id',
  'clean_from_id',
  'clean_to_seq',
] as const

@perServer()
export class EventQueueRepository {
  async find(scope: OrganizationScope, id: string): Promise<StoredEventQueue | undefined> {
    const row = await scope.query('event_queues').where({ id }).first<EventQueueRow | undefined>()
    return row === undefined ? undefined : storedQueueOf(row)
  }

  async insert(tx: Transaction, queue: EventQueue, nowSeconds: number): Promise<void> {
    await tx.rows(eventQueues).insert(newRowOf(queue, nowSeconds))
  }

  /**
   * The same if the user has fewer than `maximum` queues. Their row must be locked.
   *
   * @returns whether it was inserted.
   */
  async insertIfFewer(
    tx: Transaction,
    queue: EventQueue,
    nowSeconds: number,
    maximum: number,
  ): Promise<boolean> {
    const row = { organization_id: tx.organizationId, ...newRowOf(queue, nowSeconds) }
    const columns = Object.keys(row)
    const [queues, users] = [tx.table('event_queues'), tx.table('users')]
    const inserted = await tx.insertSelected(
      `INSERT INTO ?? (${columns.map(() => '??').join(', ')})
       SELECT ${columns.map(() => '?').join(', ')} FROM ?? u
       WHERE u.organization_id = ? AND u.id = ? AND ? >
         (SELECT COUNT(*) FROM ?? q WHERE q.organization_id = ? AND q.user_id = ?)`,
      [
        queues,
        ...columns,
        ...Object.values(row),
        users,
        tx.organizationId,
        queue.userId,
        maximum,
        queues,
        tx.organizationId,
        queue.userId,
      ],
    )
    return inserted > 0
  }

  /** Deletes the queues of all organizations, which no process serves. */
  async deleteAll(database: Database): Promise<void> {
    await database.transaction(async (trx) => trx(database.table('event_queues')).delete())
  }

  /** Updates queues of any organizations. */
  async updateUses(
    tx: Transaction,
    uses: readonly { id: string; seenAtSeconds: number; use: QueueUse }[],
  ): Promise<void> {
    const rows = toPowerOfTwo(uses).map(({ id, seenAtSeconds, use }) => ({
      id,
      columns: { last_seen_at_seconds: seenAtSeconds, ...useColumns(use) },
    }))
    const changes = writtenColumns.map(
      (name) => `${name} = CASE id ${rows.map(() => 'WHEN ? THEN ?').join(' ')} END`,
    )
    await tx.raw(
      `UPDATE ?? SET ${changes.join(', ')} WHERE id IN (${rows.map(() => '?').join(', ')})`,
      [
        tx.table('event_queues'),
        ...writtenColumns.flatMap((name) => rows.flatMap(({ id, columns }) => [id, columns[name]])),
        ...rows.map(({ id }) => id),
      ],
    )
  }

  async deleteMany(tx: Transaction, ids: readonly string[]): Promise<void> {
    if (ids.length > 0)
      await tx
        .query('event_queues')
        .whereIn('id', [...ids])
        .delete()
  }

  /** Up to `limit` queues whose last recorded use is longer ago than their idle timeout. */
  async listIdle(
    scope: OrganizationScope,
    nowSeconds: number,
    limit: number,
  ): Promise<{ id: string; idleTimeoutSeconds: number; lastSeenAtSeconds: number }[]> {
    const rows = await scope
      .query('event_queues')
      .whereRaw('last_seen_at_seconds + idle_timeout_seconds < ?', [nowSeconds])
      .orderBy('last_seen_at_seconds')
      .limit(limit)
      .select<EventQueueRow[]>('id', 'idle_timeout_seconds', 'last_seen_at_seconds')
    return rows.map((row) => ({
      id: row.id,
      idleTimeoutSeconds: row.idle_timeout_seconds,
      lastSeenAtSeconds: row.last_seen_at_seconds,
    }))
  }

  /** Locks those of the queues that still exist until the transaction ends. */
  async lockMany(tx: Transaction, ids: readonly string[]): Promise<EndingQueueRow[]> {
    const query = tx
      .query('event_queues')
      .whereIn('id', [...ids])
      .select<EndingQueueRow[]>('id', 'user_id', 'acknowledged_id', 'takes_messages')
    return await tx.dialect.lockForUpdate(query)
  }

  /** Makes other registrations of the user wait until the transaction ends. */
  async lockOwner(tx: Transaction, userId: number): Promise<void> {
    // A transaction of the single writer already excludes all others.
    if (tx.dialect.hasSingleWriter) return
    await tx.dialect.lockForUpdate(tx.query('users').where({ id: userId }).select('id'))
  }

  /** The queues of a user, locked until the transaction ends. */
  async lockAllOf(tx: Transaction, userId: number): Promise<RivalQueueRow[]> {
    const query = tx
      .query('event_queues')
      .where({ user_id: userId })
      .select<RivalQueueRow[]>(
        'id',
        'user_id',
        'acknowledged_id',
        'takes_messages',
        'created_seq',
        'last_seen_at_seconds',
        'idle_timeout_seconds',
      )
    return await tx.dialect.lockForUpdate(query)
  }

  /** Lowers the idle timeouts of a user's queues that are above a limit. */
  async limitIdleTimeouts(tx: Transaction, userId: number, seconds: number): Promise<void> {
    await tx
      .query('event_queues')
      .where({ user_id: userId })
      .where('idle_timeout_seconds', '>', seconds)
      .update({ idle_timeout_seconds: seconds })
  }

  /** Those of the users who have a queue that receives new messages; takes shared locks on them. */
  async listOwnersTakingMessages(tx: Transaction, userIds: readonly number[]): Promise<number[]> {
    const query = tx
      .query('event_queues')
      .whereIn('user_id', [...userIds])
      .where({ takes_messages: true })
      .select<{ user_id: number }[]>('user_id')
    const rows = await tx.dialect.lockShared(query)
    return rows.map((row) => row.user_id)
  }

  /** The longest idle timeout of a live queue, in seconds; 0 without live queues. */
  async longestIdleTimeout(scope: OrganizationScope): Promise<number> {
    const row = await scope
      .query('event_queues')
      .max('idle_timeout_seconds as longest')
      .first<{ longest: number | null } | undefined>()
    return row?.longest ?? 0
  }
}

/**
 * Repeats the last item. A statement's text depends on the number of its items, and SQLite keeps each
 * text compiled: this way there are few texts.
 */
function toPowerOfTwo<Item>(items: readonly Item[]): readonly Item[] {
  const last = items.at(-1)
  if (last === undefined) return items
  const length = 2 ** Math.ceil(Math.log2(items.length))
  return [...items, ...Array.from({ length: length - items.length }, () => last)]
}

function storedQueueOf(row: EventQueueRow): StoredEventQueue {
  return {
    queue: {
      ...parseJson(row.options),
      id: row.id,
      organizationId: row.organization_id,
      userId: row.user_id,
      createdSeq: row.created_seq,
      idleTimeoutSeconds: row.idle_timeout_seconds,
    },
    lastSeenAtSeconds: row.last_seen_at_seconds,
    use: {
      acknowledgedId: row.acknowledged_id,
      scanned: { fromId: row.clean_from_id, toSeq: row.clean_to_seq },
    },
  }
}

/** Whether a queue receives new messages. */
export function takesMessages({ eventTypes }: Pick<EventQueueOptions, 'eventTypes'>): boolean {
  return eventTypes === null || eventTypes.includes('message')
}

function useColumns({
  acknowledgedId,
  scanned,
}: QueueUse): Pick<EventQueueRow, 'acknowledged_id' | 'clean_from_id' | 'clean_to_seq'> {
  return {
    acknowledged_id: acknowledgedId,
    clean_from_id: scanned.fromId,
    clean_to_seq: scanned.toSeq,
  }
}
