import { createHash } from 'node:crypto'

import { inject } from 'tsyringe'
import { Type, type Static } from 'typebox'

import { Bounded } from '../../domain/bounded-schemas.js'
import type { PermissionSettingDefinition } from '../../domain/organization-settings.js'
import { badRequest, ChatError } from '../../errors/index.js'
import { perServer } from '../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../storage/index.js'
import { UserGroupRepository, type UserGroupRow } from './user-group-repository.js'

const AnonymousGroup = Type.Object(
  { direct_members: Bounded.ids(), direct_subgroups: Bounded.ids() },
  { additionalProperties: false },
)

/** Who has a permission: the id of a named group, or users and groups put together for it. */
export const GroupSettingValue = Type.Union([Bounded.id(), AnonymousGroup])
export type GroupSettingValue = Static<typeof GroupSettingValue>

/** A new value, and optionally what the client believes to be the present one. */
export const GroupSettingUpdate = Type.Object(
  { new: GroupSettingValue, old: Type.Optional(GroupSettingValue) },
  { additionalProperties: false },
)
export type GroupSettingUpdate = Static<typeof GroupSettingUpdate>

/** A permission setting by its name on the wire, and what it may be set to. */
export interface GroupSetting {
  readonly name: string
  readonly definition: PermissionSettingDefinition
}

/** What a setting was changed to: the group that stands for it, and how clients see it. */
export interface GroupSettingChange {
  readonly groupId: number
  readonly value: GroupSettingValue
}

/** Turns the groups that permission settings name into what clients see, and back. */
@perServer()
export class GroupSettingValues {
  constructor(@inject(UserGroupRepository) private readonly groups: UserGroupRepository) {}

  /** Reads all groups at once. @returns the value that a group's id stands for. */
  async reader(scope: OrganizationScope): Promise<(groupId: number) => GroupSettingValue> {
    const [rows, members, subgroups] = [
      await this.groups.listNameless(scope),
      await this.groups.listMembers(scope),
      await this.groups.listSubgroups(scope),
    ]
    const nameless = new Map(
      rows.map(({ id }) => [
        id,
        { direct_members: [] as number[], direct_subgroups: [] as number[] },
      ]),
    )
    for (const { group_id, user_id } of members)
      nameless.get(group_id)?.direct_members.push(user_id)
    for (const { group_id, subgroup_id } of subgroups) {
      nameless.get(group_id)?.direct_subgroups.push(subgroup_id)
    }
    return (groupId) => nameless.get(groupId) ?? groupId
  }

  /**
   * The group that stands for a value that a client wants; makes a nameless one where needed.
   *
   * @throws {ChatError} `BAD_REQUEST` or `SYSTEM_GROUP_REQUIRED` if the setting cannot have it.
   */
  async store(
    tx: Transaction,
    setting: GroupSetting,
    value: GroupSettingValue,
  ): Promise<GroupSettingChange> {
    return this.#store(tx, setting, await this.#normalize(tx, value))
  }

  /**
   * @param currentGroupId the group that stands for the present value.
   * @returns undefined if the setting has that value already.
   * @throws {ChatError} `EXPECTATION_MISMATCH` if the present value is not the expected one,
   *   `BAD_REQUEST` or `SYSTEM_GROUP_REQUIRED` if the setting cannot have the new one.
   */
  async change(
    tx: Transaction,
    setting: GroupSetting,
    currentGroupId: number,
    update: GroupSettingUpdate,
  ): Promise<GroupSettingChange | undefined> {
    const current = (await this.reader(tx))(currentGroupId)
    if (update.old !== undefined && !isSame(await this.#normalize(tx, update.old), current)) {
      throw new ChatError('EXPECTATION_MISMATCH', { fields: { field_name: 'old' } })
    }
    const wanted = await this.#normalize(tx, update.new)
    return isSame(wanted, current) ? undefined : this.#store(tx, setting, wanted)
  }

  /**
   * The groups that stand for many values whose users and groups are known to exist, in the same
   * order. A number of statements that does not grow with the values.
   */
  async storeAll(tx: Transaction, values: readonly GroupSettingValue[]): Promise<number[]> {
    const nobodyId = await this.groups.findSystemGroupId(tx, 'role:nobody')
    const normalized = values.map((value) => normalizedValue(value, nobodyId))
    const nameless = new Map(
      normalized.flatMap((value) => (typeof value === 'number' ? [] : [[valueHash(value), value]])),
    )
    const ids = await this.groups.insertManyNameless(tx, [...nameless.keys()])
    const parts = [...nameless].map(([hash, value]) => ({
      ...value,
      group_id: ids.get(hash) as number,
    }))
    await this.groups.insertMembers(
      tx,
      parts.flatMap(({ group_id, direct_members }) =>
        direct_members.map((user_id) => ({ group_id, user_id })),
      ),
    )
    await this.groups.insertSubgroups(
      tx,
      parts.flatMap(({ group_id, direct_subgroups }) =>
        direct_subgroups.map((subgroup_id) => ({ group_id, subgroup_id })),
      ),
    )
    return normalized.map((value) =>
      typeof value === 'number' ? value : (ids.get(valueHash(value)) as number),
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
      return { groupId: await this.#nameless(tx, setting, value), value }
    const [group] = await this.groups.findNamed(tx, [value])
    if (group === undefined) throw badRequest('Invalid user group')
    requireActive(group)
    requirePossible(setting, group)
    return { groupId: group.id, value }
  }

  /** Nameless groups never change, so settings with equal values share one. */
  async #nameless(
    tx: Transaction,
    { name, definition }: GroupSetting,
    value: Static<typeof AnonymousGroup>,
  ): Promise<number> {
    if (definition.requiresSystemGroup === true) throw systemGroupRequired(name)
    const { direct_members, direct_subgroups } = value
    const active = new Set(await this.groups.listActiveAmong(tx, direct_members))
    const stranger = direct_members.find((id) => !active.has(id))
    if (stranger !== undefined) throw badRequest(`Invalid user ID: ${stranger}`)
    const found = new Map(
      (await this.groups.findNamed(tx, direct_subgroups)).map((group) => [group.id, group]),
    )
    for (const id of direct_subgroups) {
      const group = found.get(id)
      if (group === undefined) throw badRequest(`Invalid user group ID: ${id}`)
      requireActive(group)
    }

    const hash = valueHash(value)
    return (await this.groups.findByValueHash(tx, hash)) ?? this.#insert(tx, value, hash)
  }

  async #insert(
    tx: Transaction,
    { direct_members, direct_subgroups }: Static<typeof AnonymousGroup>,
    hash: string,
  ): Promise<number> {
    let groupId: number
    try {
      groupId = await this.groups.insertNameless(tx, hash)
    } catch (error) {
      // Somebody else put the same users and groups together at the same moment.
      const winner = tx.dialect.isUniqueViolation(error)
        ? await this.groups.findByValueHash(tx, hash)
        : undefined
      if (winner === undefined) throw error
      return winner
    }
    await this.groups.insertMembers(
      tx,
      direct_members.map((user_id) => ({ group_id: groupId, user_id })),
    )
    await this.groups.insertSubgroups(
      tx,
      direct_subgroups.map((subgroup_id) => ({ group_id: groupId, subgroup_id })),
    )
    tx.emit({ kind: '@groups', data: { groupId }, audience: {} })
    return groupId
  }
}

function requireActive(group: UserGroupRow): void {
  if (group.is_deactivated) throw badRequest('User group is deactivated.')
}

/** @throws {ChatError} if the setting cannot be given to this named group. */
function requirePossible({ name, definition }: GroupSetting, group: UserGroupRow): void {
  if (definition.requiresSystemGroup === true && !group.is_system_group) {
    throw systemGroupRequired(name)
  }
  if (!group.is_system_group) return
  if (isPossibleSystemGroup(definition, group.name ?? '')) return
  throw badRequest(`'${name}' setting cannot be set to '${group.name}' group.`)
}

/** Whether a setting can be given to the system group of this name. */
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

/** The form under which equal values are equal. */
function normalizedValue(value: GroupSettingValue, nobodyId: number): GroupSettingValue {
  if (typeof value === 'number') return value
  const direct_members = ascending(value.direct_members)
  const direct_subgroups = ascending(value.direct_subgroups)
  if (direct_members.length > 0) return { direct_members, direct_subgroups }
  const [first, ...more] = direct_subgroups
  if (first === undefined) return nobodyId
  return more.length === 0 ? first : { direct_members, direct_subgroups }
}

function valueHash({ direct_members, direct_subgroups }: Static<typeof AnonymousGroup>): string {
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
