import { perServer } from '../../../kernel/per-server.js'
import { idList, type OrganizationScope } from '../../../storage/index.js'
import type { UserGroupMemberRow, UserGroupSubgroupRow } from './user-groups-table.js'

/** The active members and the subgroups of an anonymous group. */
export interface AnonymousGroupParts {
  direct_members: number[]
  direct_subgroups: number[]
}

/** One member or subgroup of an anonymous group, or neither. */
interface AnonymousGroupPart {
  readonly group_id: number
  readonly user_id: number | null
  readonly subgroup_id: number | null
}

export type DirectMember = Pick<UserGroupMemberRow, 'group_id' | 'user_id'>

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
      `AND gm.group_id IN (
         SELECT g.id FROM ${scope.table('user_groups')} g
         WHERE g.id IN (${idList(groupIds)}) AND NOT g.is_deactivated
       )`,
    )
  }

  /** The anonymous groups by id. */
  async listAnonymous(scope: OrganizationScope): Promise<Map<number, AnonymousGroupParts>> {
    const anonymous = new Map<number, AnonymousGroupParts>()
    for (const { group_id, user_id, subgroup_id } of await this.#listAnonymousParts(scope)) {
      const group = anonymous.get(group_id) ?? { direct_members: [], direct_subgroups: [] }
      anonymous.set(group_id, group)
      if (user_id !== null) group.direct_members.push(user_id)
      if (subgroup_id !== null) group.direct_subgroups.push(subgroup_id)
    }
    return anonymous
  }

  async #listAnonymousParts(scope: OrganizationScope): Promise<AnonymousGroupPart[]> {
    const groups = scope.table('user_groups')
    const isAnonymous = 'g.organization_id = ? AND g.name IS NULL'
    const { integer } = scope.dialect.sql
    return scope.listRawRows<AnonymousGroupPart>(
      `SELECT g.id AS group_id, ${integer('NULL')} AS user_id, ${integer('NULL')} AS subgroup_id
       FROM ${groups} g WHERE ${isAnonymous}
       UNION ALL SELECT g.id, ${integer('u.id')}, NULL FROM ${groups} g
       JOIN ${scope.table('user_group_members')} gm ON gm.group_id = g.id
       JOIN ${scope.table('users')} u ON u.id = gm.user_id AND u.is_active = ?
       WHERE ${isAnonymous}
       UNION ALL SELECT g.id, NULL, ${integer('s.subgroup_id')} FROM ${groups} g
       JOIN ${scope.table('user_group_subgroups')} s ON s.group_id = g.id
       WHERE ${isAnonymous}
       ORDER BY user_id, subgroup_id`,
      [scope.organizationId, true, scope.organizationId, scope.organizationId],
      ['group_id', 'user_id', 'subgroup_id'],
    )
  }

  /** A custom group may have as many members as the organization has users. */
  async #readMembers(scope: OrganizationScope, condition: string): Promise<DirectMember[]> {
    return scope.listRawRows<DirectMember>(
      `SELECT gm.group_id, gm.user_id
       FROM ${scope.table('user_group_members')} gm
       JOIN ${scope.table('users')} u ON u.id = gm.user_id AND u.is_active = ?
       WHERE gm.organization_id = ? ${condition}
       ORDER BY gm.user_id`,
      [true, scope.organizationId],
      ['group_id', 'user_id'],
    )
  }
}
