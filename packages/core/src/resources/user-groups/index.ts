export {
  GroupSettingUpdate,
  GroupSettingValue,
  GroupSettingValues,
  type GroupSetting,
  type GroupSettingChange,
} from './group-setting-values.js'
export { PermissionGroups } from './permission-groups.js'
export { insertSystemGroups } from './system-groups.js'
export {
  userGroupEvents,
  userGroupMembersAdded,
  userGroupMembersRemoved,
} from './user-group-events.js'
export { userGroupOperations } from './user-group-operations.js'
export {
  UserGroupRepository,
  type GroupSettings,
  type UserGroupRow,
} from './user-group-repository.js'
export { UserGroupSnapshot } from './user-group-snapshot.js'
export { UserGroup, UserGroupView } from './user-group-view.js'
