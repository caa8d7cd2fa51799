import type { Knex } from 'knex'

import type { UserSettingsJson } from '../../../domain/users/user-settings.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
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
    return this.#list(scope, (query) => query.whereIn('s.user_id', [...userIds]))
  }

  /** The statuses of all active users, ascending. */
  async listActive(scope: OrganizationScope): Promise<UserStatusWithSettings[]> {
    return this.#list(scope, (query) => query.where('u.is_active', true))
  }

  #list(
    scope: OrganizationScope,
    where: (query: Knex.QueryBuilder) => Knex.QueryBuilder,
  ): Promise<UserStatusWithSettings[]> {
    const query = scope
      .queryAs('user_statuses', 's')
      .join(scope.as('users', 'u'), 'u.id', 's.user_id')
      .orderBy('s.user_id')
    return scope.listRows<UserStatusWithSettings>(where(query), {
      user_id: 's.user_id',
      status_text: 's.status_text',
      emoji_name: 's.emoji_name',
      emoji_code: 's.emoji_code',
      reaction_type: 's.reaction_type',
      settings: 'u.settings',
    })
  }
}
