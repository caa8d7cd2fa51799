import type { OrganizationState, UserGroup } from './state.js'
import { changeEntry, united, without, type Changes, type Reducers } from './reducer.js'

/** An object whose permissions a user may be named in. */
interface Holder {
  readonly [name: string]: unknown
}

/** An object without a deactivated user in its permissions; the same one if it is in none. */
export function withoutMember<Item extends object>(item: Item, userId: number): Item {
  const changed: Record<string, unknown> = {}
  // Only members of objects are read.
  for (const [name, value] of Object.entries(item as Holder)) {
    if (typeof value !== 'object' || value === null || !('direct_members' in value)) continue
    const { direct_members } = value
    if (!Array.isArray(direct_members) || !direct_members.includes(userId)) continue
    changed[name] = { ...value, direct_members: direct_members.filter((id) => id !== userId) }
  }
  return Object.keys(changed).length === 0 ? item : { ...item, ...changed }
}

/** The values of a map, each without a deactivated user in its permissions. */
export function withoutMemberInAll<Item extends object>(
  items: ReadonlyMap<number, Item>,
  userId: number,
  changes: Changes,
  also: (item: Item) => Item = (item) => item,
): ReadonlyMap<number, Item> {
  let result = items
  for (const [id, item] of items) {
    const changed = also(withoutMember(item, userId))
    if (changed !== item) result = changes.map(result).set(id, changed)
  }
  return result
}

/** A group without a deactivated user among its members. */
export function withoutGroupMember(group: UserGroup, userId: number): UserGroup {
  const members = without(group.members, new Set([userId]))
  return members === group.members ? group : { ...group, members }
}

function withSettings(
  organization: OrganizationState,
  values: Readonly<Record<string, unknown>>,
): OrganizationState {
  const named = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`realm_${name}`, value]),
  )
  const policy = values['message_edit_history_visibility_policy']
  return {
    ...organization,
    ...named,
    ...(policy !== undefined && { realm_allow_edit_history: policy !== 'none' }),
  }
}

/** The organization, its groups, emoji, linkifiers and channel folders. */
export const settingReducers: Reducers = {
  'realm/update': ({ organization }, { property, value }) => ({
    organization: withSettings(organization, { [property]: value }),
  }),
  'realm/update_dict': ({ organization }, { data }) => ({
    organization: withSettings(organization, data),
  }),
  default_streams: ({ organization }, { default_streams }) => ({
    organization: { ...organization, realm_default_streams: default_streams },
  }),
  'realm_emoji/update': (_, { realm_emoji }) => ({ emoji: new Map(Object.entries(realm_emoji)) }),
  realm_linkifiers: (_, { realm_linkifiers }) => ({ linkifiers: realm_linkifiers }),
  'channel_folder/add': ({ folders }, { channel_folder }, changes) => ({
    folders: changes.map(folders).set(channel_folder.id, channel_folder),
  }),
  'channel_folder/update': ({ folders }, { channel_folder_id, data }, changes) => ({
    folders: changeEntry(folders, channel_folder_id, changes, (folder) => ({ ...folder, ...data })),
  }),
  'channel_folder/reorder': ({ folders }, { order }, changes) => ({
    folders: order.reduce(
      (all, id, index) => changeEntry(all, id, changes, (folder) => ({ ...folder, order: index })),
      folders,
    ),
  }),
  'user_group/add': ({ groups }, { group }, changes) => ({
    groups: changes.map(groups).set(group.id, group),
  }),
  'user_group/remove': ({ groups }, { group_id }, changes) => ({
    groups: changeEntry(groups, group_id, changes, (group) => ({ ...group, deactivated: true })),
  }),
  'user_group/update': ({ groups }, { group_id, data }, changes) => ({
    // Properties that a change leaves out are absent, not undefined.
    groups: changeEntry(groups, group_id, changes, (group) => ({ ...group, ...data }) as UserGroup),
  }),
  'user_group/add_members': ({ groups }, { group_id, user_ids }, changes) => ({
    groups: changeEntry(groups, group_id, changes, (group) => ({
      ...group,
      members: united(group.members, user_ids),
    })),
  }),
  'user_group/remove_members': ({ groups }, { group_id, user_ids }, changes) => ({
    groups: changeEntry(groups, group_id, changes, (group) => ({
      ...group,
      members: without(group.members, new Set(user_ids)),
    })),
  }),
  'user_group/add_subgroups': ({ groups }, { group_id, direct_subgroup_ids }, changes) => ({
    groups: changeEntry(groups, group_id, changes, (group) => ({
      ...group,
      direct_subgroup_ids: united(group.direct_subgroup_ids, direct_subgroup_ids),
    })),
  }),
  'user_group/remove_subgroups': ({ groups }, { group_id, direct_subgroup_ids }, changes) => ({
    groups: changeEntry(groups, group_id, changes, (group) => ({
      ...group,
      direct_subgroup_ids: without(group.direct_subgroup_ids, new Set(direct_subgroup_ids)),
    })),
  }),
}
