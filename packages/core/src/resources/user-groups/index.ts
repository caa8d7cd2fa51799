export { PermissionGroups } from './permission-groups.js'
export { insertSystemGroups } from './system-groups.js'
export {
  UserGroupRepository,
  type GroupSettings,
  type UserGroupRow,
} from './user-group-repository.js'
