export {
  GroupChangeStepsToken,
  type FullMemberChange,
  type GroupChangeStep,
} from './group-change-steps.js'
export {
  GroupSettingUpdate,
  GroupSettingValue,
  GroupSettingValues,
  isPossibleSystemGroup,
} from './group-setting-values.js'
export { MembershipStepsToken, type MembershipStep } from './membership-steps.js'
export { PermissionGroups } from './permission-groups.js'
export { insertSystemGroups } from './system-groups.js'
export {
  userGroupEvents,
  userGroupMembersAdded,
  userGroupMembersRemoved,
  userGroupUpdated,
} from './user-group-events.js'
export { requireGroupName } from './user-group-name.js'
export { userGroupOperations } from './user-group-operations.js'
export { UserGroupRepository } from './user-group-repository.js'
export { UserGroupSnapshot, userGroupKeys } from './user-group-snapshot.js'
export { UserGroupView } from './user-group-view.js'
