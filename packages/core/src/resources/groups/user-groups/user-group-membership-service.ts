import { inject, injectAll } from 'tsyringe'

import { GroupGraph } from '../../../domain/organizations/permission-groups.js'
import { Quotas } from '../../../domain/quotas.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { type OrganizationScope, type Transaction, UnitOfWork } from '../../../storage/index.js'
import { ActiveUsers } from '../../organization/organizations/index.js'
import type { Joining, NewcomerStep, UserRow } from '../../people/users/index.js'
import { auditMembers, auditSubgroups } from './group-audit.js'
import {
  type GroupChangeStep,
  GroupChangeStepToken,
  type MembershipStep,
  MembershipStepToken,
} from './group-change-steps.js'
import { UserGroupAccess } from './user-group-access.js'
import {
  userGroupMembersAdded,
  userGroupMembersRemoved,
  userGroupSubgroupsAdded,
  userGroupSubgroupsRemoved,
} from './user-group-events.js'
import { UserGroupRepository, type UserGroupRow } from './user-group-repository.js'
import { userGroupMembers, userGroupSubgroups } from './user-groups-table.js'

/** The members and subgroups to add and to remove. */
export interface MembershipChange {
  readonly add?: readonly number[] | undefined
  readonly remove?: readonly number[] | undefined
  readonly addSubgroups?: readonly number[] | undefined
  readonly removeSubgroups?: readonly number[] | undefined
}

/** Changes the members and subgroups of groups, and sends events to all active users. */
@perServer()
export class UserGroupMembershipService {
  constructor(
    @inject(UserGroupRepository) private readonly groups: UserGroupRepository,
    @inject(UserGroupAccess) private readonly access: UserGroupAccess,
    @inject(ActiveUsers) private readonly activeUsers: ActiveUsers,
    @injectAll(MembershipStepToken) private readonly steps: readonly MembershipStep[],
    @injectAll(GroupChangeStepToken) private readonly changeSteps: readonly GroupChangeStep[],
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Applies all changes in one transaction, in the order of {@link MembershipChange}.
   *
   * @throws {ChatError} `BAD_REQUEST` if `actor` does not have the permission, or a change is
   *   invalid.
   */
  async change(actor: Actor, groupId: number, change: MembershipChange): Promise<void> {
    const { add = [], remove = [], addSubgroups = [], removeSubgroups = [] } = change
    await this.unitOfWork.runFor(actor, async (tx) => {
      await this.groups.serializeChanges(tx)
      const group = await this.access.requireGroup(tx, groupId)
      const afterwards = await this.announceChange(tx, group.id)
      if (add.length > 0) await this.#add(tx, actor, group, unique(add))
      if (remove.length > 0) await this.#remove(tx, actor, group, unique(remove))
      if (addSubgroups.length > 0) await this.#addSubgroups(tx, actor, group, unique(addSubgroups))
      if (removeSubgroups.length > 0) {
        await this.#removeSubgroups(tx, actor, group, unique(removeSubgroups))
      }
      for (const emitAfterwards of afterwards) await emitAfterwards()
    })
  }

  /**
   * Adds new users to those of the groups that are active, without messages about it. Permissions
   * were checked before. New users have no clients yet that need events about the channels that the
   * groups show them.
   */
  async addNewcomers(
    tx: Transaction,
    groupIds: readonly number[],
    userIds: readonly number[],
  ): Promise<void> {
    await this.groups.serializeChanges(tx)
    const named = await this.groups.findNamed(tx, groupIds)
    const groups = named.filter((group) => !group.is_deactivated)
    if (groups.length === 0) return
    await tx
      .rows(userGroupMembers)
      .insertMany(groups.flatMap(({ id }) => userIds.map((user_id) => ({ group_id: id, user_id }))))
    const everyone = await this.#everyone(tx)
    for (const group of groups) {
      tx.emit(userGroupMembersAdded(everyone, { ...about(group), user_ids: [...userIds] }))
    }
  }

  /** The active direct members and the direct subgroups of one group, ascending. */
  async direct(
    scope: OrganizationScope,
    groupId: number,
  ): Promise<{ members: number[]; subgroups: number[] }> {
    const members = await this.groups.listMemberIds(scope, groupId)
    const active = new Set(await this.groups.listActiveAmong(scope, members))
    return {
      members: members.filter((id) => active.has(id)),
      subgroups: await this.groups.listSubgroupIds(scope, groupId),
    }
  }

  /**
   * @returns the ids without duplicates.
   * @throws {ChatError} `BAD_REQUEST` if one does not belong to an active user.
   */
  async requireUsers(scope: OrganizationScope, userIds: readonly number[]): Promise<number[]> {
    const ids = unique(userIds)
    const active = new Set(await this.groups.listActiveAmong(scope, ids))
    const unknownId = ids.find((id) => !active.has(id))
    if (unknownId !== undefined) throw badRequest('USER_ID_INVALID', { userId: unknownId })
    return ids
  }

  /**
   * @returns the ids without duplicates.
   * @throws {ChatError} `BAD_REQUEST` if one does not belong to an active group.
   */
  async requireSubgroups(scope: OrganizationScope, groupIds: readonly number[]): Promise<number[]> {
    const ids = unique(groupIds)
    const found = new Map(
      (await this.groups.findNamed(scope, ids)).map((group) => [group.id, group]),
    )
    for (const id of ids) {
      const group = found.get(id)
      if (group === undefined) throw badRequest('USER_GROUP_ID_INVALID', { groupId: id })
      if (group.is_deactivated) throw badRequest('USER_GROUP_DEACTIVATED')
    }
    return ids
  }

  async #add(
    tx: Transaction,
    actor: Actor,
    group: UserGroupRow,
    userIds: readonly number[],
  ): Promise<void> {
    const isOnlyOneself = userIds.length === 1 && userIds[0] === actor.userId
    await this.access.requirePermission(actor, group, [
      'can_add_members_group',
      ...(isOnlyOneself ? (['can_join_group'] as const) : []),
    ])
    await this.requireUsers(tx, userIds)
    const members = new Set(await this.groups.listMemberIds(tx, group.id))
    const present = userIds.find((id) => members.has(id))
    if (present !== undefined) {
      throw badRequest('USER_GROUP_HAS_MEMBER', { userId: present })
    }
    await tx
      .rows(userGroupMembers)
      .insertMany(userIds.map((user_id) => ({ group_id: group.id, user_id })))
    auditMembers(tx, 'user_group.member_added', group.id, userIds)
    tx.emit(userGroupMembersAdded(await this.#everyone(tx), { ...about(group), user_ids: userIds }))
    for (const step of this.steps) await step.membersAdded(tx, actor, group.name ?? '', userIds)
  }

  async #remove(
    tx: Transaction,
    actor: Actor,
    group: UserGroupRow,
    userIds: readonly number[],
  ): Promise<void> {
    await this.requireUsers(tx, userIds)
    const isOnlyOneself = userIds.length === 1 && userIds[0] === actor.userId
    await this.access.requirePermission(actor, group, [
      'can_remove_members_group',
      ...(isOnlyOneself ? (['can_leave_group'] as const) : []),
    ])
    const members = new Set(await this.groups.listMemberIds(tx, group.id))
    const absent = userIds.find((id) => !members.has(id))
    if (absent !== undefined) throw badRequest('USER_GROUP_WITHOUT_MEMBER', { userId: absent })
    await tx.rows(userGroupMembers).delete({ group_id: group.id, user_id: userIds })
    auditMembers(tx, 'user_group.member_removed', group.id, userIds)
    tx.emit(
      userGroupMembersRemoved(await this.#everyone(tx), { ...about(group), user_ids: userIds }),
    )
    for (const step of this.steps) await step.membersRemoved(tx, actor, group.name ?? '', userIds)
  }

  async #addSubgroups(
    tx: Transaction,
    actor: Actor,
    group: UserGroupRow,
    groupIds: readonly number[],
  ): Promise<void> {
    requireActive(group)
    await this.access.requirePermission(actor, group, ['can_add_members_group'])
    await this.requireSubgroups(tx, groupIds)
    const graph = new GroupGraph([], await this.groups.listSubgroups(tx))
    const direct = new Set(graph.directSubgroups(group.id))
    const present = groupIds.find((id) => direct.has(id))
    if (present !== undefined) {
      throw badRequest('USER_GROUP_HAS_SUBGROUP', { groupId: present })
    }
    if (graph.containedIn(groupIds).has(group.id)) {
      throw badRequest('USER_GROUP_CIRCULAR', { groupId: group.id })
    }
    this.quotas.require('subgroupsPerUserGroup', direct.size + groupIds.length)
    await tx
      .rows(userGroupSubgroups)
      .insertMany(groupIds.map((subgroup_id) => ({ group_id: group.id, subgroup_id })))
    auditSubgroups(tx, 'user_group.subgroup_added', group.id, groupIds)
    const data = { ...about(group), direct_subgroup_ids: groupIds }
    tx.emit(userGroupSubgroupsAdded(await this.#everyone(tx), data))
  }

  async #removeSubgroups(
    tx: Transaction,
    actor: Actor,
    group: UserGroupRow,
    groupIds: readonly number[],
  ): Promise<void> {
    requireActive(group)
    await this.access.requirePermission(actor, group)
    await this.requireSubgroups(tx, groupIds)
    const direct = new Set(await this.groups.listSubgroupIds(tx, group.id))
    const absent = groupIds.find((id) => !direct.has(id))
    if (absent !== undefined) {
      throw badRequest('USER_GROUP_WITHOUT_SUBGROUP', { groupId: absent })
    }
    await tx.rows(userGroupSubgroups).delete({ group_id: group.id, subgroup_id: groupIds })
    auditSubgroups(tx, 'user_group.subgroup_removed', group.id, groupIds)
    const data = { ...about(group), direct_subgroup_ids: groupIds }
    tx.emit(userGroupSubgroupsRemoved(await this.#everyone(tx), data))
  }

  /** @returns functions to call after the change and its events. */
  async announceChange(tx: Transaction, groupId: number): Promise<(() => Promise<void>)[]> {
    const afterwards: (() => Promise<void>)[] = []
    for (const step of this.changeSteps) {
      const emitAfterwards = await step.changing(tx, groupId)
      if (emitAfterwards !== undefined) afterwards.push(emitAfterwards)
    }
    return afterwards
  }

  async #everyone(tx: Transaction): Promise<{ audienceId: number }> {
    return { audienceId: await this.activeUsers.audience(tx) }
  }
}

function about(group: UserGroupRow): { group_id: number; isDeactivated?: true } {
  return { group_id: group.id, ...(group.is_deactivated ? { isDeactivated: true } : {}) }
}

function requireActive(group: UserGroupRow): void {
  if (group.is_deactivated) throw badRequest('USER_GROUP_DEACTIVATED')
}

function unique(ids: readonly number[]): number[] {
  return [...new Set(ids)]
}

/** Adds new users to the groups of their invitation. */
@perServer()
export class NewcomerGroups implements NewcomerStep {
  constructor(
    @inject(UserGroupMembershipService) private readonly memberships: UserGroupMembershipService,
  ) {}

  async welcome(tx: Transaction, users: readonly UserRow[], joining?: Joining): Promise<void> {
    if (joining === undefined || joining.groupIds.length === 0) return
    const userIds = users.map(({ id }) => id)
    await this.memberships.addNewcomers(tx, joining.groupIds, userIds)
  }
}
