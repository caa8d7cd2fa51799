import type { ChatState } from '@parley/client'

/** The value of a permission: a group, or users and groups without a group of their own. */
export type GroupSetting =
  | number
  | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }

/** Whether a permission includes the user, directly or by groups in groups. */
export function includesMe(setting: GroupSetting | undefined, state: ChatState): boolean {
  const seen = new Set<number>()
  const isIn = (group: GroupSetting | undefined): boolean => {
    if (typeof group === 'object') {
      const { direct_members, direct_subgroups } = group
      return direct_members.includes(state.me.user_id) || direct_subgroups.some(isIn)
    }
    const known = state.groups.get(group ?? -1)
    if (known === undefined || seen.has(known.id)) return false
    seen.add(known.id)
    return known.members.includes(state.me.user_id) || known.direct_subgroup_ids.some(isIn)
  }
  return isIn(setting)
}
