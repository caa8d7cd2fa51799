export { AccountGroups } from './account-groups.js'
export { RoleGroups } from './role-groups.js'
