import type { ChatState, UserGroup } from '@parley/client'

import type { Chosen } from './permission.js'
import { groupTexts, roleNames } from './group-texts.js'

/** The name of a group as it is shown; those of roles are in words. */
export function groupName(group: UserGroup | undefined): string {
  if (group === undefined) return groupTexts.unknownGroup
  return (group.is_system_group ? roleNames.get(group.name) : undefined) ?? group.name
}

/** The names of all that is chosen, groups first. */
export function namesOf({ users, groups }: Chosen, state: ChatState): string[] {
  return [
    ...groups.map((id) => groupName(state.groups.get(id))),
    ...users.map((id) => state.users.get(id)?.full_name ?? groupTexts.unknownUser),
  ]
}
