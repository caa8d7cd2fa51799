import type { UserSettingsJson } from '../../../domain/users/user-settings.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import type { UserStatusRow } from './user-statuses-table.js'

/** The columns of a status that a user can change. */
export type StoredStatus = Omit<UserStatusRow, 'organization_id' | 'user_id'>

/** A status with the settings of its user, as JSON. */
export type UserStatusWithSettings = StoredStatus & { user_id: number; settings: UserSettingsJson }

@perServer()
export class UserStatusRepository {
  /** The statuses of those of the users who have a row, ascending. */
  async findMany(
    scope: OrganizationScope,
    userIds: readonly number[],
  ): Promise<UserStatusWithSettings[]> {
    const query = this.#withSettings(scope).whereIn('s.user_id', [...userIds])
    return query.orderBy('s.user_id')
  }

  /** The statuses of all active users, ascending. */
  async listActive(scope: OrganizationScope): Promise<UserStatusWithSettings[]> {
    const rows = await this.#withSettings(scope).where('u.is_active', true).orderBy('s.user_id')
    return rows
  }

  /**
   * Takes an exclusive lock on the row until the end of `tx`.
   *
   * @returns whether the row exists.
   */
  async lock(tx: Transaction, userId: number): Promise<boolean> {
    const row = await tx.dialect
      .lockForUpdate(tx.query('user_statuses').where({ user_id: userId }))
      .first<{ user_id: number } | undefined>('user_id')
    return row !== undefined
  }

  #withSettings(scope: OrganizationScope) {
    return scope
      .queryAs('user_statuses', 's')
      .join(scope.as('users', 'u'), 'u.id', 's.user_id')
      .select<UserStatusWithSettings[]>(
        's.user_id',
        's.status_text',
        's.emoji_name',
        's.emoji_code',
        's.reaction_type',
        'u.settings',
      )
  }
}
