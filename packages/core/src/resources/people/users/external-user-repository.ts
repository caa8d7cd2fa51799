import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import type { UserRow } from './users-table.js'

const columns = [
  'id',
  'external_id',
  'email',
  'email_key',
  'full_name',
  'role',
  'is_active',
  'application_avatar_url',
] as const satisfies readonly (keyof UserRow)[]

/** The columns of a user that the application itself knows, and the user's ids. */
export type ExternalUser = Pick<UserRow, (typeof columns)[number]> & {
  readonly external_id: string
}

/** Reads accounts that have an id of the application. */
@perServer()
export class ExternalUserRepository {
  /** @param externalIds at most 1,000. */
  async listByExternalIds(
    scope: OrganizationScope,
    externalIds: readonly string[],
  ): Promise<ExternalUser[]> {
    if (externalIds.length === 0) return []
    const query = scope.query('users').whereIn('external_id', [...externalIds])
    return scope.listRows<ExternalUser>(query, columns)
  }

  /** @param ids at most 1,000. */
  async listIds(
    scope: OrganizationScope,
    ids: readonly number[],
  ): Promise<{ readonly id: number; readonly external_id: string | null }[]> {
    const query = scope.query('users').whereIn('id', [...ids])
    return query.select<{ id: number; external_id: string | null }[]>('id', 'external_id')
  }

  /** Every active one. */
  async listActiveIds(
    scope: OrganizationScope,
  ): Promise<{ readonly id: number; readonly external_id: string }[]> {
    const query = scope
      .query('users')
      .where({ is_active: true })
      .whereNotNull('external_id')
      .orderBy('id')
    return scope.listRows<{ id: number; external_id: string }>(query, ['id', 'external_id'])
  }

  /**
   * The owners of these addresses.
   *
   * @param emailKeys at most 1,000.
   */
  async listByEmailKeys(
    scope: OrganizationScope,
    emailKeys: readonly string[],
  ): Promise<Pick<UserRow, 'email_key' | 'external_id'>[]> {
    if (emailKeys.length === 0) return []
    return scope
      .query('users')
      .whereIn('email_key', [...emailKeys])
      .select<Pick<UserRow, 'email_key' | 'external_id'>[]>('email_key', 'external_id')
  }

  /**
   * The complete rows, with an exclusive lock until the transaction ends.
   *
   * @param externalIds at most 1,000.
   */
  async lockByExternalIds(tx: Transaction, externalIds: readonly string[]): Promise<UserRow[]> {
    const query = tx.query('users').whereIn('external_id', [...externalIds])
    return await tx.dialect.lockForUpdate(query.orderBy('id').select('*'))
  }

  /** The complete rows of accounts with these addresses, ascending by id. */
  async listRowsByEmailKeys(
    scope: OrganizationScope,
    emailKeys: readonly string[],
  ): Promise<UserRow[]> {
    return scope
      .query('users')
      .whereIn('email_key', [...emailKeys])
      .orderBy('id')
      .select('*')
  }
}
