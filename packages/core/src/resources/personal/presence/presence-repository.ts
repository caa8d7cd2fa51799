import type { UserSettingsJson } from '../../../domain/user-settings.js'
import { perServer } from '../../../kernel/per-server.js'
import { toJson, type OrganizationScope, type Transaction } from '../../../storage/index.js'

declare module '../../../storage/tables.js' {
  interface Tables {
    presences: PresenceRow
  }
  interface OrganizationRow {
    /** The newest `update_id` of the organization's presences. */
    presence_update_id: number
  }
}

export interface PresenceRow {
  organization_id: number
  user_id: number
  /** Null for a user who was connected but never active. */
  active_at_seconds: number | null
  connected_at_seconds: number
  /** Taken from the organization's counter on every change of the row. */
  update_id: number
}

/** A presence with the columns of its user that are shown. */
export interface UserPresenceRow extends Omit<PresenceRow, 'organization_id'> {
  id: number
  email: string
  email_address_visibility: number
  joined_at_milliseconds: number
}

@perServer()
export class PresenceRepository {
  async find(scope: OrganizationScope, userId: number): Promise<PresenceRow | undefined> {
    return scope.query('presences').where({ user_id: userId }).first<PresenceRow | undefined>()
  }

  /** The user's settings as JSON; takes an exclusive lock on the row until the transaction ends. */
  async lockSettings(tx: Transaction, userId: number): Promise<UserSettingsJson> {
    const row = await tx.dialect
      .lockShared(tx.query('users').where({ id: userId }))
      .first<{ settings: UserSettingsJson } | undefined>('settings')
    return row?.settings ?? toJson({})
  }

  /** Takes an exclusive lock on the row until the transaction ends. */
  async findForChange(tx: Transaction, userId: number): Promise<PresenceRow | undefined> {
    return tx.dialect
      .lockForUpdate(tx.query('presences').where({ user_id: userId }))
      .first<PresenceRow | undefined>()
  }

  /** Only active human users: bots have no presence. */
  async list(
    scope: OrganizationScope,
    range: { readonly afterUpdateId?: number; readonly connectedFromSeconds?: number },
  ): Promise<UserPresenceRow[]> {
    const query = scope
      .queryAs('presences', 'p')
      .join(scope.as('users', 'u'), 'u.id', 'p.user_id')
      .where({ 'u.is_active': true, 'u.is_bot': false })
      .orderBy('p.user_id')
      .select<UserPresenceRow[]>(
        'p.user_id',
        'p.active_at_seconds',
        'p.connected_at_seconds',
        'p.update_id',
        'u.id',
        'u.email',
        'u.email_address_visibility',
        'u.joined_at_milliseconds',
      )
    const { afterUpdateId, connectedFromSeconds } = range
    if (afterUpdateId !== undefined) query.where('p.update_id', '>', afterUpdateId)
    if (connectedFromSeconds !== undefined) {
      query.where('p.connected_at_seconds', '>=', connectedFromSeconds)
    }
    return query
  }

  /** The organization's next update id; takes a lock on the counter until the transaction ends. */
  async nextUpdateId(tx: Transaction): Promise<number> {
    const { dialect, executor, organizationId } = tx
    const table = tx.table('organizations')
    return dialect.advanceCounter(executor, table, 'presence_update_id', organizationId, 1)
  }

  async insert(tx: Transaction, row: Omit<PresenceRow, 'organization_id'>): Promise<void> {
    await tx.insert('presences', row)
  }

  async update(tx: Transaction, userId: number, changes: Partial<PresenceRow>): Promise<void> {
    await tx.query('presences').where({ user_id: userId }).update(changes)
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
