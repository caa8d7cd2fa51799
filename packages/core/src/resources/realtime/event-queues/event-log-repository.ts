import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'

/** Deletes the oldest entries of the event log. */
@perServer()
export class EventLogRepository {
  /** Whether the oldest entry was written before `beforeSeconds`. */
  async hasBefore(scope: OrganizationScope, beforeSeconds: number): Promise<boolean> {
    const oldest = await scope
      .query('events')
      .orderBy('seq')
      .first<{ created_at_seconds: number } | undefined>('created_at_seconds')
    return oldest !== undefined && oldest.created_at_seconds < beforeSeconds
  }

  /**
   * Deletes up to `limit` entries that were written before `beforeSeconds`, oldest first, and
   * raises the floor below which no queue can be resumed.
   */
  async deleteBefore(tx: Transaction, beforeSeconds: number, limit: number): Promise<void> {
    const rows = await tx
      .query('events')
      .orderBy('seq')
      .limit(limit)
      .select<{ seq: number; created_at_seconds: number }[]>('seq', 'created_at_seconds')
    // Entries are ordered by commit, and only approximately by time: stop at the first to be kept.
    const firstKept = rows.findIndex((row) => row.created_at_seconds >= beforeSeconds)
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
      .where('a.interned_at_seconds', '<', beforeSeconds)
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
