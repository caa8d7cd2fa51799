import { inject } from 'tsyringe'

import {
  systemGroupNames,
  type SystemGroupName,
} from '../../../domain/organizations/organization-settings.js'
import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import {
  toJson,
  type Json,
  type NewRow,
  type OrganizationScope,
  type Transaction,
} from '../../../storage/index.js'
import { SharedValues, type SharedValue } from '../../organization/organizations/index.js'
import {
  userGroupMembers,
  userGroups,
  type StoredUserGroupRow,
  type GroupSettings,
  type UserGroupSubgroupRow,
} from './user-groups-table.js'

/** A named group has the id of a group for each permission setting. */
export type UserGroupRow = Omit<StoredUserGroupRow, 'settings' | 'external_id' | 'value_hash'> &
  Partial<Pick<StoredUserGroupRow, 'external_id' | 'value_hash'>> & {
    settings: Json<GroupSettings>
  }

/** The common columns of anonymous groups. */
const anonymousColumns = {
  name: null,
  description: '',
  is_system_group: false,
  is_deactivated: false,
  creator_id: null,
  created_at_seconds: null,
  settings: toJson({}),
}

@perServer()
export class UserGroupRepository {
  readonly #systemGroups: SharedValue<ReadonlyMap<SystemGroupName, number>>

  constructor(@inject(SharedValues) shared: SharedValues) {
    this.#systemGroups = shared.define('system groups', {
      load: async (scope) => {
        const query = scope.query('user_groups').whereIn('name', [...systemGroupNames])
        type SystemGroup = { id: number; name: SystemGroupName }
        const rows = await scope.listRows<SystemGroup>(query, ['id', 'name'])
        return new Map(rows.map(({ id, name }) => [name, id]))
      },
      // They are created with the organization, and stay.
      changedBy: [],
    })
  }

  /** The number of named groups, including deactivated ones. */
  async countNamed(scope: OrganizationScope): Promise<number> {
    const row = await scope
      .query('user_groups')
      .whereNotNull('name')
      .count('* as named')
      .first<{ named: number | string }>()
    return Number(row.named)
  }

  /** The bytes of the descriptions of all groups. */
  async descriptionBytes(scope: OrganizationScope): Promise<number> {
    return (await scope.rows(userGroups).size({}, ['description'])).bytes
  }

  /** Every named group, including deactivated ones, ascending by id. */
  async listNamed(scope: OrganizationScope): Promise<UserGroupRow[]> {
    return scope.query('user_groups').whereNotNull('name').orderBy('id').select<UserGroupRow[]>('*')
  }

  /** The ids of the groups of roles. */
  async systemGroupIds(scope: OrganizationScope): Promise<ReadonlyMap<SystemGroupName, number>> {
    return this.#systemGroups.in(scope)
  }

  /** The anonymous groups. */
  async listAnonymous(scope: OrganizationScope): Promise<{ id: number }[]> {
    return scope.query('user_groups').whereNull('name').select<{ id: number }[]>('id')
  }

  /** The named groups among the ids. */
  async findNamed(scope: OrganizationScope, ids: readonly number[]): Promise<UserGroupRow[]> {
    if (ids.length === 0) return []
    return scope
      .query('user_groups')
      .whereIn('id', [...ids])
      .whereNotNull('name')
      .select<UserGroupRow[]>('*')
  }

  /**
   * Locks one row until the transaction ends, which serializes changes of groups: two of them
   * cannot create a cycle together.
   */
  async serializeChanges(tx: Transaction): Promise<void> {
    await tx.dialect.lockForUpdate(
      tx.query('user_groups').where({ name: 'role:nobody' }).select('id'),
    )
  }

  async findSystemGroupId(scope: OrganizationScope, name: SystemGroupName): Promise<number> {
    const row = await scope
      .query('user_groups')
      .where({ name })
      .first<{ id: number } | undefined>('id')
    if (row === undefined) throw new Error(`The organization has no group ${name}`)
    return row.id
  }

  async findByValueHash(scope: OrganizationScope, hash: string): Promise<number | undefined> {
    const row = await scope
      .query('user_groups')
      .where({ value_hash: hash })
      .first<{ id: number } | undefined>('id')
    return row?.id
  }

  /** The active users among the ids. */
  async listActiveAmong(scope: OrganizationScope, userIds: readonly number[]): Promise<number[]> {
    if (userIds.length === 0) return []
    const rows = await scope
      .query('users')
      .whereIn('id', [...userIds])
      .where({ is_active: true })
      .select<{ id: number }[]>('id')
    return rows.map((row) => row.id)
  }

  /** Undefined if there is no such user. */
  async isActiveUser(scope: OrganizationScope, userId: number): Promise<boolean | undefined> {
    const row = await scope
      .query('users')
      .where({ id: userId })
      .first<{ is_active: boolean } | undefined>('is_active')
    return row === undefined ? undefined : row.is_active
  }

  async listSubgroups(scope: OrganizationScope): Promise<readonly UserGroupSubgroupRow[]> {
    return scope.memoize('subgroups', async () =>
      scope
        .query('user_group_subgroups')
        .orderBy('subgroup_id')
        .select<UserGroupSubgroupRow[]>('group_id', 'subgroup_id'),
    )
  }

  /** All direct members, including deactivated users, ascending. */
  async listMemberIds(scope: OrganizationScope, groupId: number): Promise<number[]> {
    const rows = await scope
      .query('user_group_members')
      .where({ group_id: groupId })
      .orderBy('user_id')
      .select<{ user_id: number }[]>('user_id')
    return rows.map((row) => row.user_id)
  }

  async listSubgroupIds(scope: OrganizationScope, groupId: number): Promise<number[]> {
    const rows = await scope
      .query('user_group_subgroups')
      .where({ group_id: groupId })
      .orderBy('subgroup_id')
      .select<{ subgroup_id: number }[]>('subgroup_id')
    return rows.map((row) => row.subgroup_id)
  }

  async groupIdsOf(scope: OrganizationScope, userId: number): Promise<readonly number[]> {
    return (await this.groupIdsByUser(scope, [userId])).get(userId) ?? []
  }

  /** The same for several users; those in no group have none. */
  async groupIdsByUser(
    scope: OrganizationScope,
    userIds: readonly number[],
  ): Promise<Map<number, number[]>> {
    const byUser = new Map<number, number[]>(userIds.map((id) => [id, []]))
    const rows = await scope.rows(userGroupMembers).list({ user_id: userIds })
    for (const { user_id, group_id } of rows) addTo(byUser, user_id, group_id)
    return byUser
  }

  async insertAnonymous(tx: Transaction, valueHash: string): Promise<number> {
    return tx.rows(userGroups).insert({ ...anonymousColumns, value_hash: valueHash })
  }

  async insertMany(tx: Transaction, rows: readonly NewRow<UserGroupRow>[]): Promise<void> {
    await tx.rows(userGroups).insertMany(rows)
  }

  /** @returns the ids by hash. */
  async insertManyAnonymous(
    tx: Transaction,
    valueHashes: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    if (valueHashes.length === 0) return new Map()
    await tx
      .rows(userGroups)
      .insertMany(valueHashes.map((value_hash) => ({ ...anonymousColumns, value_hash })))
    const rows = await tx
      .query('user_groups')
      .whereNotNull('value_hash')
      .select<{ id: number; value_hash: string }[]>('id', 'value_hash')
    return new Map(rows.map(({ id, value_hash }) => [value_hash, id]))
  }
}
