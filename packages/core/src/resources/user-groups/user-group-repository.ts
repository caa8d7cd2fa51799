import type { GroupPermission } from '../../domain/organization-settings.js'
import { perServer } from '../../kernel/per-server.js'
import type { NewRow, OrganizationScope, Transaction } from '../../storage/index.js'

declare module '../../storage/tables.js' {
  interface Tables {
    user_groups: UserGroupRow
    user_group_members: UserGroupMemberRow
    user_group_subgroups: UserGroupSubgroupRow
  }
}

export interface UserGroupRow {
  id: number
  organization_id: number
  /** Null for the nameless groups that hold a permission setting's value. */
  name: string | null
  description: string
  is_system_group: boolean | number
  is_deactivated: boolean | number
  creator_id: number | null
  created_at_seconds: number | null
  /** JSON: the id of the group that each permission setting names. */
  settings: string
}

export interface UserGroupMemberRow {
  organization_id: number
  group_id: number
  user_id: number
}

export interface UserGroupSubgroupRow {
  organization_id: number
  group_id: number
  subgroup_id: number
}

export type GroupSettings = Record<GroupPermission, number>

@perServer()
export class UserGroupRepository {
  async list(scope: OrganizationScope): Promise<UserGroupRow[]> {
    return scope.query('user_groups').orderBy('id').select('*')
  }

  async listSubgroups(scope: OrganizationScope): Promise<UserGroupSubgroupRow[]> {
    return scope.query('user_group_subgroups').select('group_id', 'subgroup_id')
  }

  /** Direct members of groups that are no system groups; those follow from the users' roles. */
  async listMembers(scope: OrganizationScope): Promise<UserGroupMemberRow[]> {
    return scope
      .queryAs('user_group_members', 'm')
      .join(scope.as('users', 'u'), 'u.id', 'm.user_id')
      .where('u.is_active', true)
      .orderBy('m.user_id')
      .select('m.group_id', 'm.user_id') as unknown as Promise<UserGroupMemberRow[]>
  }

  async groupIdsOf(scope: OrganizationScope, userId: number): Promise<number[]> {
    const rows = await scope
      .query('user_group_members')
      .where({ user_id: userId })
      .select<{ group_id: number }[]>('group_id')
    return rows.map((row) => row.group_id)
  }

  async insert(tx: Transaction, row: NewRow<UserGroupRow>): Promise<number> {
    return tx.insert('user_groups', row)
  }

  async update(tx: Transaction, id: number, changes: Partial<UserGroupRow>): Promise<void> {
    await tx.query('user_groups').where({ id }).update(changes as never)
  }

  async insertSubgroups(
    tx: Transaction,
    edges: readonly { group_id: number; subgroup_id: number }[],
  ): Promise<void> {
    await tx.insert('user_group_subgroups', edges)
  }

  async insertMembers(
    tx: Transaction,
    members: readonly { group_id: number; user_id: number }[],
  ): Promise<void> {
    await tx.insert('user_group_members', members)
  }
}
