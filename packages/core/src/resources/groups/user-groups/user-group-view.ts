import { inject } from 'tsyringe'

import {
  groupPermissions,
  type SystemGroupName,
} from '../../../domain/organizations/organization-settings.js'
import {
  fullMembersJoinedBefore,
  roleOfSystemGroup,
} from '../../../domain/organizations/permission-groups.js'
import { Role } from '../../../domain/users/actor.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { addTo } from '../../../kernel/grouping.js'
import { fromKeys, keysOf } from '../../../kernel/objects.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { parseJson, type OrganizationScope } from '../../../storage/index.js'
import { ActiveRoleRepository, type RoleMembers } from './active-role-repository.js'
import { SharedValues, type SharedValue } from '../../organization/organizations/index.js'
import { activeUserChanges, userEvents } from '../../people/users/index.js'
import { groupChanges, type GroupSettingValue, type UserGroup } from './user-group-events.js'
import { GroupMemberRepository, type DirectMember } from './group-member-repository.js'
import { GroupSettingValues } from './group-setting-values.js'
import { UserGroupRepository, type UserGroupRow } from './user-group-repository.js'
import type { UserGroupSubgroupRow } from './user-groups-table.js'

/** The names of a group's permission settings. */
export const groupSettingNames = keysOf(groupPermissions)

/** More groups, members and subgroups are read for each call. */
const maxKeptRows = 20_000
/** More active users of an organization are read for each registration. */
const maxKeptUsers = 100_000
/** Active users of all organizations: 16 MB. */
const maxKeptUsersInAll = 1_000_000

/** The rows of an organization's groups. */
interface StoredGroups {
  readonly rows: readonly UserGroupRow[]
  readonly members: readonly DirectMember[]
  readonly subgroups: readonly UserGroupSubgroupRow[]
  readonly systemGroupIds: ReadonlyMap<SystemGroupName, number>
}

/** Reads user groups in the form in which clients get them. */
@perServer()
export class UserGroupView {
  readonly #stored: SharedValue<StoredGroups>
  readonly #activeRoles: SharedValue<ReadonlyMap<Role, RoleMembers>>

  constructor(
    @inject(UserGroupRepository) private readonly groups: UserGroupRepository,
    @inject(GroupMemberRepository) private readonly members: GroupMemberRepository,
    @inject(ActiveRoleRepository) private readonly roles: ActiveRoleRepository,
    @inject(GroupSettingValues) private readonly settingValues: GroupSettingValues,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(SharedValues) shared: SharedValues,
  ) {
    this.#stored = shared.define('groups', {
      load: (scope) => this.#read(scope),
      changedBy: [...groupChanges, ...userEvents],
      isSmall: ({ rows, members, subgroups }) =>
        rows.length + members.length + subgroups.length <= maxKeptRows,
    })
    this.#activeRoles = shared.define('active_roles', {
      load: (scope) => roles.listRoles(scope, Object.values(Role)),
      changedBy: activeUserChanges,
      isSmall: (byRole) => userCount(byRole) <= maxKeptUsers,
      total: { maxSize: maxKeptUsersInAll, sizeOf: userCount },
    })
  }

  /** Every named group, including deactivated ones, ascending by id. */
  async list(scope: OrganizationScope, waitingPeriodDays: number): Promise<UserGroup[]> {
    const { rows, subgroups } = await this.#stored.in(scope)
    const members = await this.directMembers(scope, waitingPeriodDays)
    const valueOf = await this.settingValues.reader(scope)
    const subgroupIds = new Map<number, number[]>()
    for (const { group_id, subgroup_id } of subgroups) addTo(subgroupIds, group_id, subgroup_id)
    return rows.map((row) =>
      userGroupObject(row, members.get(row.id) ?? [], subgroupIds.get(row.id) ?? [], valueOf),
    )
  }

  async #read(scope: OrganizationScope): Promise<StoredGroups> {
    const [rows, members, subgroups, systemGroupIds] = await scope.readTogether(
      () => this.groups.listNamed(scope),
      () => this.members.listMembers(scope),
      () => this.groups.listSubgroups(scope),
      () => this.groups.systemGroupIds(scope),
    )
    return { rows, members, subgroups, systemGroupIds }
  }

  /**
   * The active direct members of groups, ascending. Members of system groups follow from the users'
   * roles.
   *
   * @param groupIds those whose members have rights, of which deactivated ones have none; undefined
   *   for all groups.
   */
  async directMembers(
    scope: OrganizationScope,
    waitingPeriodDays: number,
    groupIds?: ReadonlySet<number>,
  ): Promise<ReadonlyMap<number, readonly number[]>> {
    const stored = groupIds === undefined ? await this.#stored.in(scope) : undefined
    const rows = stored?.members ?? (await this.members.listMembers(scope, [...(groupIds ?? [])]))
    const custom = new Map<number, number[]>()
    for (const row of rows) addTo(custom, row.group_id, row.user_id)
    const members = new Map<number, readonly number[]>(custom)
    const groupsByRole = new Map<Role, [SystemGroupName, number][]>()
    const systemGroupIds = stored?.systemGroupIds ?? (await this.groups.systemGroupIds(scope))
    for (const [name, id] of systemGroupIds) {
      const role = roleOfSystemGroup(name)
      if (role !== undefined && groupIds?.has(id) !== false) addTo(groupsByRole, role, [name, id])
    }
    const byRole =
      groupIds === undefined
        ? await this.#activeRoles.in(scope)
        : await this.roles.listRoles(scope, [...groupsByRole.keys()])
    const joinedBefore = fullMembersJoinedBefore(waitingPeriodDays, nowSeconds(this.clock))
    for (const [role, { ids, joinedAtMilliseconds }] of byRole) {
      for (const [name, groupId] of groupsByRole.get(role) ?? []) {
        const isFull = (_: number, index: number): boolean =>
          (joinedAtMilliseconds[index] ?? 0) < joinedBefore
        members.set(groupId, name === 'role:fullmembers' ? ids.filter(isFull) : ids)
      }
    }
    return members
  }
}

/** A group on the wire. */
export function userGroupObject(
  row: UserGroupRow,
  members: readonly number[],
  subgroupIds: readonly number[],
  valueOf: (groupId: number) => GroupSettingValue,
): UserGroup {
  const settings = parseJson(row.settings)
  return {
    id: row.id,
    name: row.name ?? '',
    description: row.description,
    creator_id: row.creator_id,
    date_created: row.created_at_seconds,
    is_system_group: row.is_system_group,
    deactivated: row.is_deactivated,
    members: [...members],
    direct_subgroup_ids: [...subgroupIds],
    ...fromKeys(groupSettingNames, (name) => valueOf(settings[name])),
  }
}

function userCount(byRole: ReadonlyMap<Role, RoleMembers>): number {
  return [...byRole.values()].reduce((sum, { ids }) => sum + ids.length, 0)
}
