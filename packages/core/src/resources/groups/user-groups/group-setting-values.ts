import { createHash } from 'node:crypto'

import { inject } from 'tsyringe'

import type { PermissionSettingDefinition } from '../../../domain/organizations/organization-settings.js'
import { creatorIdOf, type Actor } from '../../../domain/users/actor.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import { SharedValues, type SharedValue } from '../../organization/organizations/index.js'
import { userEvents } from '../../people/users/index.js'
import {
  anonymousGroupAdded,
  groupChanges,
  type AnonymousGroup,
  type GroupSettingUpdate,
  type GroupSettingValue,
} from './user-group-events.js'
import { GroupMemberRepository } from './group-member-repository.js'
import { UserGroupRepository, type UserGroupRow } from './user-group-repository.js'
import { userGroupMembers, userGroupSubgroups } from './user-groups-table.js'

/** Anonymous groups with more ids of groups and members are read for each call. */
const maxKeptIds = 20_000

/** A setting that allows only the creator of an object; for the application's own objects, no one. */
export function onlyCreator(actor: Actor): GroupSettingValue {
  const id = creatorIdOf(actor)
  return { direct_members: id === null ? [] : [id], direct_subgroups: [] }
}

/** A permission setting: its name on the wire, and its definition. */
export interface GroupSetting {
  readonly name: string
  readonly definition: PermissionSettingDefinition
}

/** A changed setting: the id of its new group, and its value on the wire. */
export interface GroupSettingChange {
  readonly groupId: number
  readonly value: GroupSettingValue
}

/** The same for a setting that had another value. */
export interface ChangedGroupSetting extends GroupSettingChange {
  readonly oldValue: GroupSettingValue
}

/** Converts between the group ids of permission settings and their values on the wire. */
@perServer()
export class GroupSettingValues {
  readonly #anonymous: SharedValue<ReadonlyMap<number, AnonymousGroup>>

  constructor(
    @inject(UserGroupRepository) private readonly groups: UserGroupRepository,
    @inject(GroupMemberRepository) private readonly members: GroupMemberRepository,
    @inject(SharedValues) shared: SharedValues,
  ) {
    this.#anonymous = shared.define('anonymous_groups', {
      load: (scope) => members.listAnonymous(scope),
      changedBy: [...groupChanges, ...userEvents],
      isSmall: (groups) => sizeOf(groups) <= maxKeptIds,
    })
  }

  /** @returns a function that returns the value of a group id, as `scope` sees it now. */
  async reader(scope: OrganizationScope): Promise<(groupId: number) => GroupSettingValue> {
    // Other reads may find settings that are newer than the kept ones.
    const anonymous = await (scope.isCommittedState
      ? scope.memoize('values of settings', () => this.#anonymous.in(scope))
      : this.members.listAnonymous(scope))
    return (groupId) => anonymous.get(groupId) ?? groupId
  }

  /**
   * The id of the group for a value in a request; creates an anonymous group if needed.
   *
   * @throws {ChatError} `BAD_REQUEST` or `SYSTEM_GROUP_REQUIRED` if the setting cannot have the
   *   value.
   */
  async store(
    tx: Transaction,
    setting: GroupSetting,
    value: GroupSettingValue,
  ): Promise<GroupSettingChange> {
    return this.#store(tx, setting, await this.#normalize(tx, value))
  }

  /**
   * @param currentGroupId the group of the current value.
   * @returns undefined if the setting already has the value.
   * @throws {ChatError} `EXPECTATION_MISMATCH` if the current value is not the expected one,
   *   `BAD_REQUEST` or `SYSTEM_GROUP_REQUIRED` if the setting cannot have the new one.
   */
  async change(
    tx: Transaction,
    setting: GroupSetting,
    currentGroupId: number,
    update: GroupSettingUpdate,
  ): Promise<ChangedGroupSetting | undefined> {
    const current = (await this.reader(tx))(currentGroupId)
    if (update.old !== undefined && !isSame(await this.#normalize(tx, update.old), current)) {
      throw new ChatError('EXPECTATION_MISMATCH', { fields: { field_name: 'old' } })
    }
    const newValue = await this.#normalize(tx, update.new)
    if (isSame(newValue, current)) return undefined
    return { ...(await this.#store(tx, setting, newValue)), oldValue: current }
  }

  /**
   * The ids of the groups for many values. All users and groups in the values must exist. The
   * number of statements does not grow with the number of values.
   */
  async storeAll(
    tx: Transaction,
    values: readonly GroupSettingValue[],
  ): Promise<ReadonlyMap<GroupSettingValue, number>> {
    const nobodyId = await this.groups.findSystemGroupId(tx, 'role:nobody')
    const normalized = values.map((value) => [value, normalizedValue(value, nobodyId)] as const)
    const anonymous = new Map(
      normalized.flatMap(([, value]) =>
        typeof value === 'number' ? [] : [[valueHash(value), value]],
      ),
    )
    const ids = await this.groups.insertManyAnonymous(tx, [...anonymous.keys()])
    const idOf = (hash: string) => present(ids.get(hash), 'the anonymous group of each value')
    const parts = [...anonymous].map(([hash, value]) => ({ ...value, group_id: idOf(hash) }))
    await tx
      .rows(userGroupMembers)
      .insertMany(
        parts.flatMap(({ group_id, direct_members }) =>
          direct_members.map((user_id) => ({ group_id, user_id })),
        ),
      )
    await tx
      .rows(userGroupSubgroups)
      .insertMany(
        parts.flatMap(({ group_id, direct_subgroups }) =>
          direct_subgroups.map((subgroup_id) => ({ group_id, subgroup_id })),
        ),
      )
    return new Map(
      normalized.map(([value, stored]) => [
        value,
        typeof stored === 'number' ? stored : idOf(valueHash(stored)),
      ]),
    )
  }

  async #normalize(scope: OrganizationScope, value: GroupSettingValue): Promise<GroupSettingValue> {
    if (typeof value === 'number') return value
    return normalizedValue(value, await this.groups.findSystemGroupId(scope, 'role:nobody'))
  }

  async #store(
    tx: Transaction,
    setting: GroupSetting,
    value: GroupSettingValue,
  ): Promise<GroupSettingChange> {
    if (typeof value !== 'number')
      return { groupId: await this.#anonymousGroupId(tx, setting, value), value }
    const [group] = await this.groups.findNamed(tx, [value])
    if (group === undefined) throw badRequest('USER_GROUP_UNKNOWN')
    requireActive(group)
    requirePossible(setting, group)
    return { groupId: group.id, value }
  }

  /** Anonymous groups never change, so settings with equal values share one. */
  async #anonymousGroupId(
    tx: Transaction,
    { name, definition }: GroupSetting,
    value: AnonymousGroup,
  ): Promise<number> {
    if (definition.requiresSystemGroup === true) throw systemGroupRequired(name)
    const { direct_members, direct_subgroups } = value
    const active = new Set(await this.groups.listActiveAmong(tx, direct_members))
    const unknownId = direct_members.find((id) => !active.has(id))
    if (unknownId !== undefined) throw badRequest('USER_ID_INVALID', { userId: unknownId })
    const found = new Map(
      (await this.groups.findNamed(tx, direct_subgroups)).map((group) => [group.id, group]),
    )
    for (const id of direct_subgroups) {
      const group = found.get(id)
      if (group === undefined) throw badRequest('USER_GROUP_ID_INVALID', { groupId: id })
      requireActive(group)
    }

    const hash = valueHash(value)
    return (await this.groups.findByValueHash(tx, hash)) ?? this.#insert(tx, value, hash)
  }

  async #insert(
    tx: Transaction,
    { direct_members, direct_subgroups }: AnonymousGroup,
    hash: string,
  ): Promise<number> {
    const groupId = await this.groups.insertAnonymous(tx, hash)
    await tx
      .rows(userGroupMembers)
      .insertMany(direct_members.map((user_id) => ({ group_id: groupId, user_id })))
    await tx
      .rows(userGroupSubgroups)
      .insertMany(direct_subgroups.map((subgroup_id) => ({ group_id: groupId, subgroup_id })))
    tx.emit(anonymousGroupAdded({ groupId }))
    return groupId
  }
}

function sizeOf(groups: ReadonlyMap<number, AnonymousGroup>): number {
  const sizes = [...groups.values()].map((group) => Object.values(group).flat().length)
  return sizes.reduce((sum, size) => sum + size, groups.size)
}

function requireActive(group: UserGroupRow): void {
  if (group.is_deactivated) throw badRequest('USER_GROUP_DEACTIVATED')
}

/** @throws {ChatError} if the setting cannot have this named group as its value. */
function requirePossible({ name, definition }: GroupSetting, group: UserGroupRow): void {
  if (definition.requiresSystemGroup === true && !group.is_system_group) {
    throw systemGroupRequired(name)
  }
  if (!group.is_system_group) return
  if (isPossibleSystemGroup(definition, group.name ?? '')) return
  throw badRequest('USER_GROUP_NOT_POSSIBLE', { setting: name, group: String(group.name) })
}

/** Whether a setting can have the system group of this name as its value. */
export function isPossibleSystemGroup(
  definition: PermissionSettingDefinition,
  groupName: string,
): boolean {
  const { allowsNobody, allowsEveryone, allowedSystemGroups = [] } = definition
  if (groupName === 'role:internet') return false
  if (groupName === 'role:nobody' && !allowsNobody) return false
  if (groupName === 'role:everyone' && !allowsEveryone) return false
  return (
    allowedSystemGroups.length === 0 || allowedSystemGroups.some((other) => other === groupName)
  )
}

function systemGroupRequired(settingName: string): ChatError {
  return new ChatError('SYSTEM_GROUP_REQUIRED', { fields: { setting_name: settingName } })
}

/** Canonical form, used as a map key. */
function normalizedValue(value: GroupSettingValue, nobodyId: number): GroupSettingValue {
  if (typeof value === 'number') return value
  const direct_members = ascending(value.direct_members)
  const direct_subgroups = ascending(value.direct_subgroups)
  if (direct_members.length > 0) return { direct_members, direct_subgroups }
  const [first, ...more] = direct_subgroups
  if (first === undefined) return nobodyId
  return more.length === 0 ? first : { direct_members, direct_subgroups }
}

function valueHash({ direct_members, direct_subgroups }: AnonymousGroup): string {
  return createHash('sha256')
    .update(`${direct_members.join(',')}/${direct_subgroups.join(',')}`)
    .digest('hex')
}

function ascending(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}

function isSame(one: GroupSettingValue, other: GroupSettingValue): boolean {
  if (typeof one === 'number' || typeof other === 'number') return one === other
  return (
    ascending(one.direct_members).join() === ascending(other.direct_members).join() &&
    ascending(one.direct_subgroups).join() === ascending(other.direct_subgroups).join()
  )
}
