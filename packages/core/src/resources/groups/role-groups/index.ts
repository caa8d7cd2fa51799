export { AccountGroups } from './account-groups.js'
export { FullMemberRounds } from './full-member-rounds.js'
export { FullMembers } from './full-members.js'
export { RoleGroups } from './role-groups.js'
