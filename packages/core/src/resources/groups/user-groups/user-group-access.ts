import { inject } from 'tsyringe'

import {
  groupPermissions,
  type GroupPermission,
} from '../../../domain/organizations/organization-settings.js'
import { isGuest, type Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { parseJson, type OrganizationScope } from '../../../storage/index.js'
import { PermissionGroups } from './permission-groups.js'
import { UserGroupRepository, type UserGroupRow } from './user-group-repository.js'

/** Looks up the groups that requests name, and checks permissions on them. */
@perServer()
export class UserGroupAccess {
  constructor(
    @inject(UserGroupRepository) private readonly groups: UserGroupRepository,
    @inject(PermissionGroups) private readonly permissions: PermissionGroups,
  ) {}

  /** @throws {ChatError} `BAD_REQUEST` if there is no such group. */
  async requireGroup(scope: OrganizationScope, groupId: number): Promise<UserGroupRow> {
    const [group] = await this.groups.findNamed(scope, [groupId])
    if (group === undefined) throw badRequest('USER_GROUP_UNKNOWN')
    return group
  }

  /** @throws {ChatError} `BAD_REQUEST` if there is no such group, or it is deactivated. */
  async requireActiveGroup(scope: OrganizationScope, groupId: number): Promise<UserGroupRow> {
    const group = await this.requireGroup(scope, groupId)
    if (group.is_deactivated) throw badRequest('USER_GROUP_DEACTIVATED')
    return group
  }

  /** @throws {ChatError} `BAD_REQUEST` as {@link requireActiveGroup}, for the first such group. */
  async requireActiveGroups(
    scope: OrganizationScope,
    groupIds: readonly number[],
  ): Promise<UserGroupRow[]> {
    const found = await this.groups.findNamed(scope, groupIds)
    if (found.length < new Set(groupIds).size) throw badRequest('USER_GROUP_UNKNOWN')
    if (found.some((group) => group.is_deactivated)) throw badRequest('USER_GROUP_DEACTIVATED')
    return found
  }

  /**
   * @param sufficient settings of the group, any of which gives the permission; managing the group
   *   does too.
   * @throws {ChatError} `BAD_REQUEST` if `actor` does not have the permission, or it is a system
   *   group.
   */
  async requirePermission(
    actor: Actor,
    group: UserGroupRow,
    sufficient: readonly GroupPermission[] = [],
  ): Promise<void> {
    if (await this.#isPermitted(actor, group, sufficient)) return
    throw badRequest('INSUFFICIENT_PERMISSION')
  }

  /** The ids of the active groups for which {@link requirePermission} would not fail. */
  async filterPermitted(
    scope: OrganizationScope,
    actor: Actor,
    groupIds: readonly number[],
    sufficient: readonly GroupPermission[],
  ): Promise<number[]> {
    const permitted: number[] = []
    for (const group of await this.groups.findNamed(scope, groupIds)) {
      if (group.is_deactivated) continue
      if (await this.#isPermitted(actor, group, sufficient)) permitted.push(group.id)
    }
    return permitted
  }

  async #isPermitted(
    actor: Actor,
    group: UserGroupRow,
    sufficient: readonly GroupPermission[],
  ): Promise<boolean> {
    if (group.is_system_group) return false
    if (await this.permissions.allows(actor, 'can_manage_all_groups')) return true
    const settings = parseJson(group.settings)
    const mine = await this.permissions.groupsOf(actor)
    return (['can_manage_group', ...sufficient] as const).some((name) => {
      const { allowsEveryone } = groupPermissions[name]
      return (allowsEveryone || !isGuest(actor)) && mine.has(settings[name])
    })
  }

  /** @throws {ChatError} `BAD_REQUEST` if `actor` may not create groups. */
  async requireCreation(actor: Actor): Promise<void> {
    if (await this.permissions.allows(actor, 'can_create_groups')) return
    throw badRequest('INSUFFICIENT_PERMISSION')
  }
}
