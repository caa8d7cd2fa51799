import { defineResource } from '../../../resource-definition/resource.js'
import { FullMemberRounds } from './full-member-rounds.js'

export { AccountGroups, RoleGroups } from './role-groups.js'
export { FullMembers } from './full-members.js'

export const roleGroups = defineResource({
  backgroundWork: [FullMemberRounds],
})
