import { defineResource } from '../../../resource-definition/resource.js'
import { userGroupEvents } from './user-group-events.js'
import {
  createUserGroup,
  deactivateUserGroup,
  getIsUserGroupMember,
  getUserGroupMembers,
  getUserGroups,
  getUserGroupSubgroups,
  updateUserGroup,
  updateUserGroupMembers,
  updateUserGroupSubgroups,
} from './user-group-operations.js'
import { userGroupSnapshot } from './user-group-snapshot.js'

export { auditMembers } from './group-audit.js'
export {
  GroupChangeStepToken,
  type FullMemberChange,
  type GroupChangeStep,
} from './group-change-steps.js'
export {
  GroupSettingValues,
  isPossibleSystemGroup,
  onlyCreator,
  type GroupSettingChange,
} from './group-setting-values.js'
export { MembershipStepToken, type MembershipStep } from './membership-steps.js'
export { NewcomerGroups } from './newcomer-groups.js'
export { PermissionGroups } from './permission-groups.js'
export { insertSystemGroups } from './system-groups.js'
export {
  userGroupMembersAdded,
  userGroupMembersRemoved,
  userGroupUpdated,
} from './user-group-events.js'
export { UserGroupAccess } from './user-group-access.js'
export { requireGroupName } from './user-group-name.js'
export { UserGroupMembershipService } from './user-group-membership-service.js'
export { ActiveRoleRepository } from './active-role-repository.js'
export { GroupMemberRepository } from './group-member-repository.js'
export { UserGroupRepository } from './user-group-repository.js'
export { UserGroupService } from './user-group-service.js'
export { userGroupMembers } from './user-group-members-table.js'
export { userGroupSubgroups } from './user-group-subgroups-table.js'
export { GroupSettingUpdate, GroupSettingValue } from './user-group-schemas.js'
export { UserGroupView } from './user-group-view.js'

export const userGroups = defineResource({
  operations: [
    getUserGroups,
    createUserGroup,
    updateUserGroup,
    deactivateUserGroup,
    updateUserGroupMembers,
    updateUserGroupSubgroups,
    getUserGroupMembers,
    getIsUserGroupMember,
    getUserGroupSubgroups,
  ],
  events: userGroupEvents,
  snapshot: userGroupSnapshot,
})
