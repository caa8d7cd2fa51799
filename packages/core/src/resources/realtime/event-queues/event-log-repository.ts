import { perServer } from '../../../kernel/per-server.js'
import type { EventRow, OrganizationScope, Transaction } from '../../../storage/index.js'

type LogPosition = Pick<EventRow, 'seq' | 'created_at_seconds'>

/** Which entries are kept. */
export interface LogRetention {
  /** Entries since then are kept. */
  readonly beforeSeconds: number
  /** Entries after this one are kept longer, for consumers; undefined without consumers. */
  readonly handledSeq: number | undefined
  /** Entries before then are not kept for consumers either. */
  readonly unhandledBeforeSeconds: number
}

function isOld(
  { seq, created_at_seconds: createdAt }: LogPosition,
  { beforeSeconds, handledSeq, unhandledBeforeSeconds }: LogRetention,
): boolean {
  if (createdAt >= beforeSeconds) return false
  return handledSeq === undefined || seq <= handledSeq || createdAt < unhandledBeforeSeconds
}

/** Deletes the oldest entries of the event log. */
@perServer()
export class EventLogRepository {
  /** Whether there are entries that need not be kept. */
  async hasOld(scope: OrganizationScope, retention: LogRetention): Promise<boolean> {
    const oldest = await scope
      .query('events')
      .orderBy('seq')
      .first<LogPosition | undefined>('seq', 'created_at_seconds')
    return oldest !== undefined && isOld(oldest, retention)
  }

  /**
   * Deletes up to `limit` entries that need not be kept, oldest first, and raises the floor below
   * which no queue can be resumed.
   */
  async deleteOld(tx: Transaction, retention: LogRetention, limit: number): Promise<void> {
    const rows = await tx
      .query('events')
      .orderBy('seq')
      .limit(limit)
      .select<LogPosition[]>('seq', 'created_at_seconds')
    // Entries are ordered by commit, and only approximately by time: stop at the first to be kept.
    const firstKept = rows.findIndex((row) => !isOld(row, retention))
    const old = firstKept === -1 ? rows : rows.slice(0, firstKept)
    const last = old.at(-1)
    if (last === undefined) return
    await tx
      .organization()
      // Two processes may prune at once: neither must lower the floor that the other has set.
      .where('event_floor_seq', '<', last.seq)
      .update({ event_floor_seq: last.seq })
    await tx.query('events').where('seq', '<=', last.seq).delete()
  }

  /** Deletes up to `limit` unreferenced audiences that were interned before `beforeSeconds`. */
  async deleteUnusedAudiences(
    tx: Transaction,
    beforeSeconds: number,
    limit: number,
  ): Promise<void> {
    const rows = await tx
      .queryAs('event_audiences', 'a')
      .leftJoin(tx.as('events', 'e'), (join) => {
        join.on('e.audience_id', 'a.id').andOnVal('e.organization_id', tx.organizationId)
      })
      .leftJoin(tx.as('channels', 'c'), 'c.audience_id', 'a.id')
      .leftJoin(tx.as('organizations', 'o'), (join) => {
        join.on('o.active_audience_id', 'a.id').orOn('o.member_audience_id', 'a.id')
      })
      .leftJoin(tx.as('event_audiences', 'd'), 'd.base_id', 'a.id')
      .where('a.interned_at_seconds', '<', beforeSeconds)
      .whereNull('d.id')
      .whereNull('e.seq')
      .whereNull('c.id')
      .whereNull('o.id')
      .whereNotIn(
        'a.id',
        tx.query('events').whereNotNull('follower_audience_id').distinct('follower_audience_id'),
      )
      .whereNotIn(
        'a.id',
        tx.query('events').whereNotNull('withdrawn_audience_id').distinct('withdrawn_audience_id'),
      )
      .limit(limit)
      .select<{ id: number }[]>('a.id')
    const ids = rows.map((row) => row.id)
    if (ids.length > 0) await tx.query('event_audiences').whereIn('id', ids).delete()
  }
}
