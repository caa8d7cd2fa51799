import { inject } from 'tsyringe'

import { GroupGraph } from '../../../domain/organizations/permission-groups.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database, type OrganizationScope } from '../../../storage/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { UserGroupAccess } from './user-group-access.js'
import { UserGroupRepository } from './user-group-repository.js'
import { UserGroupView } from './user-group-view.js'
import type { UserGroup } from './user-group-events.js'

/** Reads groups, their members and their subgroups. */
@perServer()
export class UserGroupReading {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UserGroupRepository) private readonly groups: UserGroupRepository,
    @inject(UserGroupAccess) private readonly access: UserGroupAccess,
    @inject(UserGroupView) private readonly view: UserGroupView,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
  ) {}

  /** All groups, ascending by id. */
  async list(actor: Actor, options: { includeDeactivated: boolean }): Promise<UserGroup[]> {
    const scope = this.database.read(actor.organizationId)
    const groups = await this.view.list(scope, await this.#waitingPeriodDays(scope))
    return options.includeDeactivated ? groups : groups.filter((group) => !group.deactivated)
  }

  /**
   * The active members, ascending; includes those of subgroups unless `directOnly`.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such active group.
   */
  async memberIds(actor: Actor, groupId: number, directOnly: boolean): Promise<number[]> {
    const scope = this.database.read(actor.organizationId)
    await this.access.requireActiveGroup(scope, groupId)
    const direct = await this.view.directMembers(scope, await this.#waitingPeriodDays(scope))
    const groupIds = directOnly ? [groupId] : await this.#containedIn(scope, groupId)
    const members = new Set([...groupIds].flatMap((id) => direct.get(id) ?? []))
    return [...members].sort((a, b) => a - b)
  }

  /**
   * Whether a user is an active member, directly or through subgroups unless `directOnly`.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such active group or no such active user.
   */
  async isMember(
    actor: Actor,
    groupId: number,
    userId: number,
    directOnly: boolean,
  ): Promise<boolean> {
    const scope = this.database.read(actor.organizationId)
    await this.access.requireActiveGroup(scope, groupId)
    const isActive = await this.groups.isActiveUser(scope, userId)
    if (isActive === undefined) throw badRequest('USER_UNKNOWN')
    if (!isActive) throw badRequest('USER_INACTIVE')
    return (await this.memberIds(actor, groupId, directOnly)).includes(userId)
  }

  /**
   * The subgroups of a group, ascending; at any depth unless `directOnly`.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such active group.
   */
  async subgroupIds(actor: Actor, groupId: number, directOnly: boolean): Promise<number[]> {
    const scope = this.database.read(actor.organizationId)
    await this.access.requireActiveGroup(scope, groupId)
    if (directOnly) return this.groups.listSubgroupIds(scope, groupId)
    const all = await this.#containedIn(scope, groupId)
    return [...all].filter((id) => id !== groupId).sort((a, b) => a - b)
  }

  async #containedIn(scope: OrganizationScope, groupId: number): Promise<ReadonlySet<number>> {
    return new GroupGraph([], await this.groups.listSubgroups(scope)).containedIn([groupId])
  }

  async #waitingPeriodDays(scope: OrganizationScope): Promise<number> {
    const organization = await this.organizations.require(scope.organizationId)
    return organization.settings.waiting_period_threshold
  }
}
