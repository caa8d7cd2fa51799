import { perServer } from '../../../kernel/per-server.js'
import type { AuditRow, OrganizationScope, Transaction } from '../../../storage/index.js'

/** The conditions on rows of the audit trail; absent properties select all. */
export interface AuditFilter {
  readonly actions?: readonly AuditRow['action'][] | undefined
  readonly actorType?: AuditRow['actor_type'] | undefined
  readonly actorId?: number | undefined
  readonly objectType?: AuditRow['object_type'] | undefined
  readonly objectId?: number | undefined
  /** The user whom the change concerns. */
  readonly userId?: number | undefined
  /** UNIX seconds, inclusive. */
  readonly sinceSeconds?: number | undefined
  /** UNIX seconds, exclusive. */
  readonly untilSeconds?: number | undefined
}

@perServer()
export class AuditRepository {
  /** The newest rows whose ids are below `beforeId`, newest first. */
  async list(
    scope: OrganizationScope,
    filter: AuditFilter,
    beforeId: number | undefined,
    limit: number,
  ): Promise<AuditRow[]> {
    const query = scope.query('audit_log')
    if (beforeId !== undefined) void query.where('id', '<', beforeId)
    if (filter.actions !== undefined) void query.whereIn('action', [...filter.actions])
    if (filter.actorType !== undefined) void query.where({ actor_type: filter.actorType })
    if (filter.actorId !== undefined) void query.where({ actor_id: filter.actorId })
    if (filter.objectType !== undefined) void query.where({ object_type: filter.objectType })
    if (filter.objectId !== undefined) void query.where({ object_id: filter.objectId })
    if (filter.userId !== undefined) void query.where({ user_id: filter.userId })
    if (filter.sinceSeconds !== undefined) {
      void query.where('created_at_seconds', '>=', filter.sinceSeconds)
    }
    if (filter.untilSeconds !== undefined) {
      void query.where('created_at_seconds', '<', filter.untilSeconds)
    }
    return query.orderBy('id', 'desc').limit(limit).select('*')
  }

  /** Ids of rows from before a time, oldest first. */
  async listIdsBefore(
    scope: OrganizationScope,
    seconds: number,
    limit: number,
  ): Promise<readonly number[]> {
    const rows = await scope
      .query('audit_log')
      .where('created_at_seconds', '<', seconds)
      .orderBy('created_at_seconds')
      .limit(limit)
      .select<{ id: number }[]>('id')
    return rows.map(({ id }) => id)
  }

  async delete(tx: Transaction, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return
    await tx
      .query('audit_log')
      .whereIn('id', [...ids])
      .delete()
  }
}
