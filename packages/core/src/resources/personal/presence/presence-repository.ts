import type { PresenceTimes } from './presence.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import {
  idList,
  type Database,
  type OrganizationScope,
  type Transaction,
} from '../../../storage/index.js'
import type { PresenceRow } from './presences-table.js'

/** The columns of a user that are shown with their presence. */
export interface PresentUser {
  readonly id: number
  readonly email: string
  readonly email_address_visibility: number
  readonly joined_at_milliseconds: number
}

/** An active human user, and their stored presence, if any. */
export interface UserPresenceRow extends PresentUser {
  readonly active_at_seconds: number | null
  readonly connected_at_seconds: number | null
  readonly update_id: number | null
}

const columns = [
  'u.id',
  'u.email',
  'u.email_address_visibility',
  'u.joined_at_milliseconds',
  'p.active_at_seconds',
  'p.connected_at_seconds',
  'p.update_id',
]

@perServer()
export class PresenceRepository {
  /** The stored presences of active human users, after an update, in the order of their updates. */
  async listAfter(scope: OrganizationScope, updateId: number): Promise<UserPresenceRow[]> {
    return scope
      .queryAs('presences', 'p')
      .join(scope.as('users', 'u'), 'u.id', 'p.user_id')
      .where('p.update_id', '>', updateId)
      .where({ 'u.is_active': true, 'u.is_bot': false })
      .orderBy('p.update_id')
      .select<UserPresenceRow[]>(columns)
  }

  /** Those of the users who are active and human. */
  async listOf(scope: OrganizationScope, userIds: readonly number[]): Promise<UserPresenceRow[]> {
    return scope
      .queryAs('users', 'u')
      .leftJoin(scope.as('presences', 'p'), 'p.user_id', 'u.id')
      .whereRaw(`u.id IN (${idList(userIds)})`)
      .where({ 'u.is_active': true, 'u.is_bot': false })
      .select<UserPresenceRow[]>(columns)
  }

  async find(scope: OrganizationScope, userId: number): Promise<PresenceTimes | undefined> {
    const row = await scope
      .query('presences')
      .where({ user_id: userId })
      .first<PresenceRow | undefined>()
    if (row === undefined) return undefined
    return { activeAt: row.active_at_seconds, connectedAt: row.connected_at_seconds }
  }

  /** Those of the users who may have a presence now: active, and not invisible. */
  async listReporting(scope: OrganizationScope, userIds: readonly number[]): Promise<number[]> {
    const rows = await scope
      .query('users')
      .whereRaw(`id IN (${idList(userIds)})`)
      .where({ is_active: true })
      .whereRaw(`settings NOT LIKE '%"presence_enabled":false%'`)
      .select<{ id: number }[]>('id')
    return rows.map(({ id }) => id)
  }

  /** Inserts or replaces presences. */
  async store(
    tx: Transaction,
    rows: readonly Omit<PresenceRow, 'organization_id'>[],
  ): Promise<void> {
    if (rows.length === 0) return
    const { dialect, executor, organizationId } = tx
    const scoped = rows.map((row) => ({ organization_id: organizationId, ...row }))
    await dialect.upsertRows(executor, tx.table('presences'), ['user_id'], scoped)
  }

  /**
   * The highest update id that was given out; undefined if the organization was deleted. Takes an
   * exclusive lock on the counter until the transaction ends.
   */
  async lockCounter(tx: Transaction): Promise<number | undefined> {
    const row = await tx.dialect
      .lockForUpdate(tx.organization())
      .first<{ presence_update_id: number } | undefined>('presence_update_id')
    return row?.presence_update_id
  }

  /** The organization's next update id; takes a lock on the counter until the transaction ends. */
  async nextUpdateId(tx: Transaction): Promise<number> {
    const { dialect, executor, organizationId } = tx
    const table = tx.table('organizations')
    const id = await dialect.advanceCounter(
      executor,
      table,
      'presence_update_id',
      organizationId,
      1,
    )
    return present(id, 'the row of the organization')
  }

  async setCounter(tx: Transaction, presence_update_id: number): Promise<void> {
    await tx.organization().update({ presence_update_id })
  }

  /** The newest update of each organization that exists, 0 without one. */
  async newestUpdates(
    database: Database,
    organizationIds: readonly number[],
  ): Promise<{ id: number; newest: number }[]> {
    const rows = await database.readCommitted(0).raw<{ id: number; newest: number | null }>(
      `SELECT o.id, (SELECT MAX(p.update_id) FROM ${database.table('presences')} p
           WHERE p.organization_id = o.id) AS newest
         FROM ${database.table('organizations')} o WHERE o.id IN (${idList(organizationIds)})`,
      [],
    )
    return rows.map(({ id, newest }) => ({ id, newest: newest ?? 0 }))
  }

  /** The ids of up to `limit` active users. */
  async listActiveUserIds(scope: OrganizationScope, limit: number): Promise<number[]> {
    const rows = await scope
      .query('users')
      .where({ is_active: true })
      .limit(limit)
      .select<{ id: number }[]>('id')
    return rows.map((row) => row.id)
  }
}
