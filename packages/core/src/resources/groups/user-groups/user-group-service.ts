import { inject } from 'tsyringe'

import {
  changesBetween,
  createdValues,
  type AuditChanges,
} from '../../../domain/organizations/audit-actions.js'
import {
  groupPermissions,
  type GroupPermission,
  type PermissionSettingDefinition,
} from '../../../domain/organizations/organization-settings.js'
import { Quotas } from '../../../domain/quotas.js'
import { creatorIdOf, type Actor } from '../../../domain/users/actor.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { fromKeysInTurn } from '../../../kernel/objects.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { parseJson, toJson, UnitOfWork, type Transaction } from '../../../storage/index.js'
import { ActiveUsers } from '../../organization/organizations/index.js'
import { auditMembers, auditSubgroups } from './group-audit.js'
import { GroupSettingValues, onlyCreator } from './group-setting-values.js'
import { GroupUses } from './group-uses.js'
import { UserGroupAccess } from './user-group-access.js'
import {
  userGroupAdded,
  userGroupRemoved,
  userGroupSubgroupsAdded,
  userGroupUpdated,
  type UserGroupChange,
  type GroupSettingUpdate,
  type GroupSettingValue,
} from './user-group-events.js'
import { UserGroupMembershipService } from './user-group-membership-service.js'
import { requireGroupName } from './user-group-name.js'
import { UserGroupRepository, type UserGroupRow } from './user-group-repository.js'
import {
  userGroups,
  type GroupSettings,
  userGroupMembers,
  userGroupSubgroups,
} from './user-groups-table.js'
import { groupSettingNames, userGroupObject } from './user-group-view.js'

/** The parameters of a new group. */
export interface NewUserGroup {
  /** The application's id of its group. */
  readonly externalId?: string
  readonly name: string
  readonly description: string
  readonly members: readonly number[]
  readonly subgroups: readonly number[]
  readonly settings: Partial<Record<GroupPermission, GroupSettingValue>>
}

/** The changes of a group. */
export interface UserGroupUpdate {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly deactivated?: boolean | undefined
  readonly settings: Partial<Record<GroupPermission, GroupSettingUpdate>>
}

/** Creates, changes, deactivates and reactivates groups, and sends events to all active users. */
@perServer()
export class UserGroupService {
  constructor(
    @inject(UserGroupRepository) private readonly groups: UserGroupRepository,
    @inject(UserGroupAccess) private readonly access: UserGroupAccess,
    @inject(UserGroupMembershipService) private readonly membership: UserGroupMembershipService,
    @inject(GroupSettingValues) private readonly settingValues: GroupSettingValues,
    @inject(GroupUses) private readonly uses: GroupUses,
    @inject(ActiveUsers) private readonly activeUsers: ActiveUsers,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * @returns the new group's id.
   * @throws {ChatError} `BAD_REQUEST` if `actor` may not create groups, or a value is invalid.
   */
  async create(actor: Actor, request: NewUserGroup): Promise<number> {
    await this.access.requireCreation(actor)
    return this.unitOfWork.runFor(actor, async (tx) => {
      await this.groups.serializeChanges(tx)
      const members = await this.membership.requireUsers(tx, request.members)
      const name = requireGroupName(request.name)
      const settings = await this.#newSettings(tx, actor, request.settings)
      await this.#requireFreeName(tx, name)
      this.quotas.require('userGroupsPerOrganization', (await this.groups.countNamed(tx)) + 1)
      const subgroups = await this.membership.requireSubgroups(tx, request.subgroups)
      this.quotas.require('subgroupsPerUserGroup', subgroups.length)

      const row = {
        name,
        description: request.description,
        ...(request.externalId !== undefined && { external_id: request.externalId }),
        is_system_group: false,
        is_deactivated: false,
        creator_id: creatorIdOf(actor),
        created_at_seconds: nowSeconds(this.clock),
        settings: toJson(settings),
      }
      const id = await tx.rows(userGroups).insert(row)
      await this.#requireQuota(tx, request.description)
      await tx
        .rows(userGroupMembers)
        .insertMany(members.map((user_id) => ({ group_id: id, user_id })))
      await tx
        .rows(userGroupSubgroups)
        .insertMany(subgroups.map((subgroup_id) => ({ group_id: id, subgroup_id })))

      tx.audit({ action: 'user_group.created', objectId: id, changes: createdValues({ name }) })
      auditMembers(tx, 'user_group.member_added', id, members)
      auditSubgroups(tx, 'user_group.subgroup_added', id, subgroups)
      const audience = { audienceId: await this.activeUsers.audience(tx) }
      const valueOf = await this.settingValues.reader(tx)
      const stored = { ...row, id, organization_id: tx.organizationId }
      const ascending = [...members].sort((a, b) => a - b)
      tx.emit(userGroupAdded(audience, { group: userGroupObject(stored, ascending, [], valueOf) }))
      if (subgroups.length > 0) {
        tx.emit(userGroupSubgroupsAdded(audience, { group_id: id, direct_subgroup_ids: subgroups }))
      }
      return id
    })
  }

  /**
   * Changes name, description and settings, and reactivates.
   *
   * @throws {ChatError} `BAD_REQUEST` if `actor` does not have the permission;
   *   `EXPECTATION_MISMATCH` if a setting does not have the expected value.
   */
  async update(actor: Actor, groupId: number, request: UserGroupUpdate): Promise<void> {
    const { name, description, deactivated, settings } = request
    const isEmpty = [name, description, deactivated, ...Object.values(settings)].every(
      (value) => value === undefined,
    )
    if (isEmpty) throw badRequest('USER_GROUP_NO_NEW_DATA')
    await this.unitOfWork.runFor(actor, async (tx) => {
      await this.groups.serializeChanges(tx)
      const group = await this.access.requireGroup(tx, groupId)
      await this.access.requirePermission(actor, group)
      const isReactivated = deactivated === false && group.is_deactivated
      if (isReactivated) await this.#reactivate(tx, group)
      const isDeactivated = group.is_deactivated && !isReactivated
      const permissions = await this.#changeSettings(tx, group, settings)
      const texts = [
        ...(await this.#rename(tx, group, name)),
        ...(await this.#describe(tx, group, description)),
      ]
      const changes = [...texts, ...permissions.changes]
      if (changes.length === 0) return
      tx.audit({
        action: 'user_group.updated',
        objectId: group.id,
        changes: {
          ...changesBetween<UserGroupRow>(group, Object.assign({}, ...texts)),
          ...permissions.audited,
        },
      })
      const audience = { audienceId: await this.activeUsers.audience(tx) }
      for (const data of changes) {
        const mark = isDeactivated ? { isDeactivated: true as const } : {}
        tx.emit(userGroupUpdated(audience, { group_id: group.id, data, ...mark }))
      }
    })
  }

  /**
   * @throws {ChatError} `BAD_REQUEST` if `actor` does not have the permission, or the group is
   *   already deactivated; `CANNOT_DEACTIVATE_GROUP_IN_USE` if the group is in use.
   */
  async deactivate(actor: Actor, groupId: number): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      await this.groups.serializeChanges(tx)
      const group = await this.access.requireGroup(tx, groupId)
      await this.access.requirePermission(actor, group)
      if (group.is_deactivated) throw badRequest('USER_GROUP_DEACTIVATED')
      const objections = await this.uses.objections(tx, group.id)
      if (objections.length > 0) {
        throw new ChatError('CANNOT_DEACTIVATE_GROUP_IN_USE', { fields: { objections } })
      }
      const afterwards = await this.membership.announceChange(tx, group.id)
      await tx.rows(userGroups).update({ id: group.id }, { is_deactivated: true })
      tx.audit({ action: 'user_group.deactivated', objectId: group.id })
      const audience = { audienceId: await this.activeUsers.audience(tx) }
      const data = { deactivated: true }
      tx.emit(userGroupUpdated(audience, { group_id: group.id, data, isDeactivated: true }))
      tx.emit(userGroupRemoved(audience, { group_id: group.id }))
      for (const emitAfterwards of afterwards) await emitAfterwards()
    })
  }

  async #reactivate(tx: Transaction, group: UserGroupRow): Promise<void> {
    const afterwards = await this.membership.announceChange(tx, group.id)
    await tx.rows(userGroups).update({ id: group.id }, { is_deactivated: false })
    tx.audit({ action: 'user_group.reactivated', objectId: group.id })
    const audience = { audienceId: await this.activeUsers.audience(tx) }
    const valueOf = await this.settingValues.reader(tx)
    const { members, subgroups } = await this.membership.direct(tx, group.id)
    const active = { ...group, is_deactivated: false }
    const object = userGroupObject(active, members, subgroups, valueOf)
    const data = { deactivated: false }
    tx.emit(userGroupUpdated(audience, { group_id: group.id, data, isDeactivated: true }))
    tx.emit(userGroupAdded(audience, { group: object, isReactivated: true }))
    for (const emitAfterwards of afterwards) await emitAfterwards()
  }

  async #rename(
    tx: Transaction,
    group: UserGroupRow,
    text: string | undefined,
  ): Promise<UserGroupChange[]> {
    if (text === undefined || text.trim() === group.name) return []
    const name = requireGroupName(text)
    await this.#requireFreeName(tx, name)
    await tx.rows(userGroups).update({ id: group.id }, { name })
    return [{ name }]
  }

  async #describe(
    tx: Transaction,
    group: UserGroupRow,
    description: string | undefined,
  ): Promise<UserGroupChange[]> {
    if (description === undefined || description === group.description) return []
    await tx.rows(userGroups).update({ id: group.id }, { description })
    await this.#requireQuota(tx, description)
    return [{ description }]
  }

  /** @param description that was stored. */
  async #requireQuota(tx: Transaction, description: string): Promise<void> {
    if (description === '') return
    this.quotas.require('descriptionBytesPerList', await this.groups.descriptionBytes(tx))
  }

  async #changeSettings(
    tx: Transaction,
    group: UserGroupRow,
    updates: UserGroupUpdate['settings'],
  ): Promise<{ readonly changes: UserGroupChange[]; readonly audited: AuditChanges }> {
    const settings = parseJson(group.settings)
    const audited: Record<string, AuditChanges[string]> = {}
    const changes: UserGroupChange[] = []
    for (const name of groupSettingNames) {
      const update = updates[name]
      if (update === undefined) continue
      const setting = { name, definition: groupPermissions[name] }
      const change = await this.settingValues.change(tx, setting, settings[name], update)
      if (change === undefined) continue
      settings[name] = change.groupId
      changes.push({ [name]: change.value })
      audited[name] = { old: change.oldValue, new: change.value }
    }
    if (changes.length > 0) {
      await tx.rows(userGroups).update({ id: group.id }, { settings: toJson(settings) })
    }
    return { changes, audited }
  }

  async #newSettings(
    tx: Transaction,
    actor: Actor,
    newValues: NewUserGroup['settings'],
  ): Promise<GroupSettings> {
    const creator = onlyCreator(actor)
    const systemIds: ReadonlyMap<string, number> = await this.groups.systemGroupIds(tx)
    return fromKeysInTurn(groupSettingNames, async (name) => {
      const definition: PermissionSettingDefinition = groupPermissions[name]
      // A default that is not the name of a system group means the creator.
      const fallback = systemIds.get(definition.default) ?? creator
      const value = newValues[name] ?? fallback
      return (await this.settingValues.store(tx, { name, definition }, value)).groupId
    })
  }

  async #requireFreeName(tx: Transaction, name: string): Promise<void> {
    if (!(await tx.rows(userGroups).has({ name }))) return
    throw badRequest('USER_GROUP_NAME_TAKEN', { name })
  }
}
