import type { ChatState, UserGroup } from '@parley/client'

import { includesMe, includesMember } from './permission.js'

/** The user's rights in a group; the server decides again. */
export interface GroupRights {
  readonly manages: boolean
  readonly addsMembers: boolean
  readonly removesMembers: boolean
  readonly joins: boolean
  readonly leaves: boolean
}

export function groupRights(group: UserGroup, state: ChatState): GroupRights {
  const { me, organization } = state
  if (group.is_system_group || me.is_guest) {
    return {
      manages: false,
      addsMembers: false,
      removesMembers: false,
      joins: false,
      leaves: false,
    }
  }
  const manages =
    includesMember(organization.realm_can_manage_all_groups, state) ||
    includesMember(group.can_manage_group, state)
  const addsMembers = manages || includesMember(group.can_add_members_group, state)
  const removesMembers = manages || includesMember(group.can_remove_members_group, state)
  const isMember = group.members.includes(me.user_id)
  return {
    manages,
    addsMembers,
    removesMembers,
    joins: !isMember && (addsMembers || includesMember(group.can_join_group, state)),
    leaves: isMember && (removesMembers || includesMe(group.can_leave_group, state)),
  }
}

export function mayCreateGroups(state: ChatState): boolean {
  return includesMember(state.organization.realm_can_create_groups, state)
}
