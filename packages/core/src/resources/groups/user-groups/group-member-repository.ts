import { perServer } from '../../../kernel/per-server.js'
import { idList, type OrganizationScope } from '../../../storage/index.js'
import type { UserGroupMemberRow, UserGroupSubgroupRow } from './user-group-repository.js'

type DirectMember = Pick<UserGroupMemberRow, 'group_id' | 'user_id'>

/** Reads the members of many groups, and of those that give rights. */
@perServer()
export class GroupMemberRepository {
  /** Which groups contain which; deactivated ones are in no other group and contain none. */
  async listActiveSubgroups(scope: OrganizationScope): Promise<UserGroupSubgroupRow[]> {
    return scope
      .queryAs('user_group_subgroups', 's')
      .join(scope.as('user_groups', 'g'), 'g.id', 's.group_id')
      .join(scope.as('user_groups', 'sub'), 'sub.id', 's.subgroup_id')
      .where({ 'g.is_deactivated': false, 'sub.is_deactivated': false })
      .select<UserGroupSubgroupRow[]>('s.group_id', 's.subgroup_id')
  }

  /**
   * Direct members of groups, except system groups, whose members follow from the users' roles.
   *
   * @param groupIds those whose members have rights: deactivated ones are left out. Undefined for
   *   all groups.
   */
  async listMembers(
    scope: OrganizationScope,
    groupIds?: readonly number[],
  ): Promise<readonly DirectMember[]> {
    if (groupIds === undefined) {
      return scope.memoize('group members', async () => this.#readMembers(scope, ''))
    }
    if (groupIds.length === 0) return []
    return this.#readMembers(
      scope,
      `AND m.group_id IN (
         SELECT g.id FROM ${scope.table('user_groups')} g
         WHERE g.id IN (${idList(groupIds)}) AND NOT g.is_deactivated
       )`,
    )
  }

  /** A custom group may have as many members as the organization has users. */
  async #readMembers(scope: OrganizationScope, condition: string): Promise<DirectMember[]> {
    return scope.listRawRows<DirectMember>(
      `SELECT m.group_id, m.user_id
       FROM ${scope.table('user_group_members')} m
       JOIN ${scope.table('users')} u ON u.id = m.user_id AND u.is_active = ?
       WHERE m.organization_id = ? ${condition}
       ORDER BY m.user_id`,
      [true, scope.organizationId],
      ['group_id', 'user_id'],
    )
  }
}
