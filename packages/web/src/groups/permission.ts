import type { ChatState, UserGroup } from '@parley/client'

/** The value of a permission setting: a group, or users and groups. */
export type GroupSetting =
  | number
  | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }

/** Users and groups that are chosen, by their ids. */
export interface Chosen {
  readonly users: readonly number[]
  readonly groups: readonly number[]
}

export const nobody: Chosen = { users: [], groups: [] }

/** Whether a permission setting includes the user of the client, also through groups. */
export function includesMe(setting: GroupSetting | undefined, state: ChatState): boolean {
  if (setting === undefined) return false
  const { users, groups } = chosenOf(setting, state)
  if (users.includes(state.me.user_id)) return true
  return [...containedGroups(groups, state)].some((id) =>
    state.groups.get(id)?.members.includes(state.me.user_id),
  )
}

/** The same for a setting that never includes guests, whatever groups they are in. */
export function includesMember(setting: GroupSetting | undefined, state: ChatState): boolean {
  return !state.me.is_guest && includesMe(setting, state)
}

/** These groups and all that they contain, at any depth. */
function containedGroups(ids: Iterable<number>, state: ChatState): ReadonlySet<number> {
  const found = new Set(ids)
  // A set also iterates over values that are added meanwhile, so each group is visited once.
  for (const id of found) {
    for (const subgroup of state.groups.get(id)?.direct_subgroup_ids ?? []) found.add(subgroup)
  }
  return found
}

/** The users who are chosen, themselves or through groups. */
export function usersOf({ users, groups }: Chosen, state: ChatState): number[] {
  const found = new Set(users)
  for (const id of containedGroups(groups, state)) {
    for (const member of state.groups.get(id)?.members ?? []) found.add(member)
  }
  return [...found]
}

/** Whether a group is, or contains, the other one. */
export function containsGroup(id: number, other: number, state: ChatState): boolean {
  return containedGroups([id], state).has(other)
}

/** Whether a group is that of a role. */
export function isRole(group: UserGroup | undefined, name: string): boolean {
  return group?.is_system_group === true && group.name === name
}

/** The users and groups of a setting. The group of nobody is the same as nothing. */
export function chosenOf(setting: GroupSetting, state: ChatState): Chosen {
  if (typeof setting === 'number') {
    return isRole(state.groups.get(setting), 'role:nobody')
      ? nobody
      : { users: [], groups: [setting] }
  }
  return { users: setting.direct_members, groups: setting.direct_subgroups }
}

export function settingOf({ users, groups }: Chosen): GroupSetting {
  const [only] = groups
  return users.length === 0 && groups.length === 1 && only !== undefined
    ? only
    : { direct_members: users, direct_subgroups: groups }
}
