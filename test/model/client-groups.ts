import {
  put,
  subtract,
  take,
  unite,
  type ClientAnswer,
  type Item,
  type Reducer,
} from './client-answer.js'

const groupsOf = (state: ClientAnswer): Item[] => state['realm_user_groups']

function change(state: ClientAnswer, groupId: number, act: (group: Item) => void): void {
  const group = groupsOf(state).find(({ id }) => id === groupId)
  if (group !== undefined) act(group)
}

/** Whether a user is in a permission group, given by its id or as an anonymous group. */
export function isAllowed(state: ClientAnswer, value: number | Item, userId: number): boolean {
  if (typeof value === 'number') {
    const group = groupsOf(state).find(({ id }) => id === value)
    if (group === undefined) return false
    if (group['members'].includes(userId)) return true
    return group['direct_subgroup_ids'].some((id: number) => isAllowed(state, id, userId))
  }
  if (value['direct_members'].includes(userId)) return true
  return value['direct_subgroups'].some((id: number) => isAllowed(state, id, userId))
}

/** Removes a deactivated user from all groups, also from anonymous groups in settings. */
export function leaveGroups(state: ClientAnswer, userId: number): void {
  const holders = [state, ...groupsOf(state), ...channelsOf(state)]
  for (const holder of holders) {
    for (const value of Object.values(holder)) {
      const members = (value as Item | null)?.['direct_members']
      if (Array.isArray(members)) subtract(members, [userId])
    }
  }
  for (const group of groupsOf(state)) subtract(group['members'], [userId])
}

function channelsOf(state: ClientAnswer): Item[] {
  return ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'].flatMap(
    (name) => state[name] as Item[],
  )
}

export const groupReducers: Readonly<Record<string, Reducer>> = {
  'user_group/add': (state, { group }) => put(groupsOf(state), 'id', group),
  'user_group/update': (state, { group_id, data }) =>
    change(state, group_id, (group) => Object.assign(group, data)),
  'user_group/add_members': (state, { group_id, user_ids }) =>
    change(state, group_id, (group) => unite(group['members'], user_ids)),
  'user_group/remove_members': (state, { group_id, user_ids }) =>
    change(state, group_id, (group) => subtract(group['members'], user_ids)),
  'user_group/add_subgroups': (state, { group_id, direct_subgroup_ids }) =>
    change(state, group_id, (group) => unite(group['direct_subgroup_ids'], direct_subgroup_ids)),
  'user_group/remove_subgroups': (state, { group_id, direct_subgroup_ids }) =>
    change(state, group_id, (group) => subtract(group['direct_subgroup_ids'], direct_subgroup_ids)),
  'user_group/remove': (state, { group_id }) => {
    take(groupsOf(state), 'id', group_id)
  },
}
