import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import { profileValues, type ProfileValueRow } from './profile-fields-table.js'

/** A value with its user and field. */
export type ProfileValue = Omit<ProfileValueRow, 'organization_id'>

/** For more users, reading those between them too is cheaper than listing the ids. */
const maxNamedUsers = 1000

const columns = ['user_id', 'field_id', 'value', 'rendered_value'] as const

@perServer()
export class ProfileValueRepository {
  /**
   * The values of at least the given users; may include others.
   *
   * @param userIds undefined for all users.
   */
  async list(
    scope: OrganizationScope,
    userIds: readonly number[] | undefined,
  ): Promise<ProfileValue[]> {
    const query = scope.query('profile_values')
    if (userIds !== undefined) {
      if (userIds.length <= maxNamedUsers) void query.whereIn('user_id', [...userIds])
      else void query.whereBetween('user_id', rangeOf(userIds))
    }
    return query
      .orderBy('user_id')
      .orderBy('field_id')
      .select(...columns)
  }

  /** The bytes of all values of the user, as text and as HTML. */
  async bytes(scope: OrganizationScope, userId: number): Promise<number> {
    return (await scope.rows(profileValues).size({ user_id: userId }, ['value', 'rendered_value']))
      .bytes
  }

  /** Inserts values or replaces existing ones. */
  async replace(
    tx: Transaction,
    userId: number,
    values: readonly Omit<ProfileValue, 'user_id'>[],
  ): Promise<void> {
    const fieldIds = values.map(({ field_id }) => field_id)
    await this.delete(tx, userId, fieldIds)
    await tx.rows(profileValues).insertMany(values.map((value) => ({ ...value, user_id: userId })))
  }

  async delete(tx: Transaction, userId: number, fieldIds: readonly number[]): Promise<void> {
    await tx.rows(profileValues).delete({ user_id: userId, field_id: fieldIds })
  }

  /** Deletes all users' values of a field that are not among the given options. */
  async deleteOthersThan(
    tx: Transaction,
    fieldId: number,
    choices: readonly string[],
  ): Promise<void> {
    await tx
      .query('profile_values')
      .where({ field_id: fieldId })
      .whereNotIn('value', [...choices])
      .delete()
  }
}

/** The lowest and the highest of the ids. */
function rangeOf(ids: readonly number[]): [number, number] {
  return ids.reduce<[number, number]>(
    ([lowest, highest], id) => [Math.min(lowest, id), Math.max(highest, id)],
    [Infinity, 0],
  )
}
