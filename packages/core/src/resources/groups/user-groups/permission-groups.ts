import { inject } from 'tsyringe'

import {
  organizationPermissions,
  type OrganizationPermission,
} from '../../../domain/organizations/organization-settings.js'
import { GroupGraph, systemGroupsOf } from '../../../domain/organizations/permission-groups.js'
import { isApplication, Role, type Actor } from '../../../domain/users/actor.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import type { OrganizationScope } from '../../../storage/index.js'
import {
  OrganizationService,
  SharedValues,
  type SharedRows,
  type SharedValue,
} from '../../organization/organizations/index.js'
import { groupChanges } from './user-group-events.js'
import { UserGroupRepository } from './user-group-repository.js'
import { userGroups } from './user-groups-table.js'

/**
 * Checks permissions: whether a user is in a group, at any depth. The groups are cached per
 * organization until the event log contains a change of them.
 */
@perServer()
export class PermissionGroups {
  readonly #graphs: SharedValue<GroupGraph>
  /** The named and anonymous groups of which users are direct members. */
  readonly #directGroups: SharedRows<readonly number[]>

  constructor(
    @inject(UserGroupRepository) private readonly groups: UserGroupRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(SharedValues) shared: SharedValues,
  ) {
    this.#graphs = shared.define('user_groups', {
      load: (scope) => this.#load(scope),
      changedBy: groupChanges,
    })
    this.#directGroups = shared.defineRows<readonly number[]>('direct_groups', {
      load: (scope, userIds) => groups.groupIdsByUser(scope, userIds),
      changedBy: groupChanges,
    })
  }

  async graph(organizationId: number): Promise<GroupGraph> {
    return this.#graphs.of(organizationId)
  }

  /** Whether `actor` is in the group with this id, directly or through others. */
  async includes(groupId: number, actor: Actor): Promise<boolean> {
    return (await this.groupsOf(actor)).has(groupId)
  }

  /** Every group that `actor` is in, directly or through others. */
  async groupsOf(actor: Actor): Promise<ReadonlySet<number>> {
    const graph = await this.graph(actor.organizationId)
    // Every setting allows the application.
    if (isApplication(actor)) return graph.ids
    const direct = await this.#directGroups.committed(actor.organizationId, [actor.userId])
    const organization = await this.organizations.require(actor.organizationId)
    const own = systemGroupsOf(
      actor,
      organization.settings.waiting_period_threshold,
      nowSeconds(this.clock),
    ).map((name) => graph.systemGroupId(name))
    return graph.containing([...own, ...(direct.get(actor.userId) ?? [])])
  }

  /** Whether the organization's permission setting includes `actor`. */
  async allows(actor: Actor, permission: OrganizationPermission): Promise<boolean> {
    const definition = organizationPermissions[permission]
    if (!definition.allowsEveryone && actor.role === Role.guest) return false
    const organization = await this.organizations.require(actor.organizationId)
    return this.includes(organization.permissions[permission], actor)
  }

  async #load(scope: OrganizationScope): Promise<GroupGraph> {
    const [rows, edges] = await Promise.all([
      scope.rows(userGroups).list({}, 'id'),
      this.groups.listSubgroups(scope),
    ])
    const nodes = rows.map((row) => ({
      id: row.id,
      name: row.name,
      isSystemGroup: row.is_system_group,
      isDeactivated: row.is_deactivated,
    }))
    return new GroupGraph(nodes, edges)
  }
}
