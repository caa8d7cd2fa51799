import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { limits } from '../../../domain/limits.js'
import { badRequest } from '../../../errors/index.js'
import { defineCommand, defineOperation } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import {
  GroupSettingUpdate,
  GroupSettingValue,
  UserGroup,
  userGroupEvents,
} from './user-group-events.js'
import { UserGroupMembershipService } from './user-group-membership-service.js'
import { UserGroupReading } from './user-group-reading.js'
import { UserGroupService } from './user-group-service.js'
import { UserGroupView } from './user-group-view.js'

export { auditMembers } from './group-audit.js'
export {
  GroupChangeStepToken,
  type FullMemberChange,
  type GroupChangeStep,
  MembershipStepToken,
  type MembershipStep,
} from './group-change-steps.js'
export {
  GroupSettingValues,
  isPossibleSystemGroup,
  onlyCreator,
  type GroupSettingChange,
} from './group-setting-values.js'
export { NewcomerGroups, UserGroupMembershipService } from './user-group-membership-service.js'
export { PermissionGroups } from './permission-groups.js'
export { insertSystemGroups } from './system-groups.js'
export {
  groupChanges,
  userGroupMembersAdded,
  userGroupMembersRemoved,
  userGroupUpdated,
  GroupSettingUpdate,
  GroupSettingValue,
} from './user-group-events.js'
export { UserGroupAccess } from './user-group-access.js'
export { requireGroupName } from './user-group-name.js'
export { ActiveRoleRepository } from './active-role-repository.js'
export { GroupMemberRepository } from './group-member-repository.js'
export { UserGroupRepository } from './user-group-repository.js'
export { UserGroupService } from './user-group-service.js'
export { userGroupMembers, userGroupSubgroups } from './user-groups-table.js'
export { UserGroupView } from './user-group-view.js'

const OptionalIds = Type.Optional(Bounded.ids())
const user_group_id = Bounded.id()
const directOnly = Type.Boolean({ default: false })
const description = Type.String({
  maxLength: limits.maxGroupDescriptionLength,
  contentKind: 'group.description',
})

const newSetting = Type.Optional(GroupSettingValue)
const changedSetting = Type.Optional(GroupSettingUpdate)

const getUserGroups = defineOperation({
  id: 'get-user-groups',
  summary: 'Get all user groups.',
  method: 'GET',
  path: '/user_groups',
  access: 'humanNonGuest',
  params: { include_deactivated_groups: Type.Boolean({ default: false }) },
  response: Type.Object({ user_groups: Type.Array(UserGroup) }),
  errors: ['BAD_REQUEST'],
  service: UserGroupReading,
  async handle(groups, { actor, params }) {
    const options = { includeDeactivated: params.include_deactivated_groups }
    return { user_groups: await groups.list(actor, options) }
  },
})

const createUserGroup = defineOperation({
  id: 'create-user-group',
  summary: 'Create a user group.',
  method: 'POST',
  path: '/user_groups/create',
  access: 'humanNonGuest',
  params: {
    name: Bounded.name({ contentKind: 'group.name' }),
    description,
    members: Bounded.ids(),
    subgroups: OptionalIds,
    can_add_members_group: newSetting,
    can_join_group: newSetting,
    can_leave_group: newSetting,
    can_manage_group: newSetting,
    can_mention_group: newSetting,
    can_remove_members_group: newSetting,
  },
  response: Type.Object({ group_id: Type.Integer() }),
  errors: ['BAD_REQUEST'],
  service: UserGroupService,
  async handle(groups, { actor, params }) {
    const { name, description, members, subgroups = [], ...settings } = params
    const group_id = await groups.create(actor, { name, description, members, subgroups, settings })
    return { group_id }
  },
})

const updateUserGroup = defineCommand({
  id: 'update-user-group',
  summary: "Change a user group's name, description or permission settings, or reactivate it.",
  method: 'PATCH',
  path: '/user_groups/{user_group_id}',
  access: 'humanNonGuest',
  isAdministrative: true,
  params: {
    user_group_id,
    name: Type.Optional(Bounded.name({ contentKind: 'group.name' })),
    description: Type.Optional(description),
    deactivated: Type.Optional(Type.Boolean()),
    can_add_members_group: changedSetting,
    can_join_group: changedSetting,
    can_leave_group: changedSetting,
    can_manage_group: changedSetting,
    can_mention_group: changedSetting,
    can_remove_members_group: changedSetting,
  },
  errors: ['BAD_REQUEST', 'EXPECTATION_MISMATCH'],
  service: UserGroupService,
  async handle(groups, { actor, params }) {
    const { user_group_id, name, description, deactivated, ...settings } = params
    await groups.update(actor, user_group_id, { name, description, deactivated, settings })
  },
})

const deactivateUserGroup = defineCommand({
  id: 'deactivate-user-group',
  summary: 'Deactivate a user group that is not in use.',
  method: 'POST',
  path: '/user_groups/{user_group_id}/deactivate',
  access: 'user',
  isAdministrative: true,
  params: { user_group_id },
  errors: ['BAD_REQUEST', 'CANNOT_DEACTIVATE_GROUP_IN_USE'],
  service: UserGroupService,
  handle: (groups, { actor, params }) => groups.deactivate(actor, params.user_group_id),
})

const updateUserGroupMembers = defineCommand({
  id: 'update-user-group-members',
  summary: 'Add users and subgroups to a user group, and remove them.',
  method: 'POST',
  path: '/user_groups/{user_group_id}/members',
  access: 'humanNonGuest',
  isAdministrative: true,
  params: {
    user_group_id,
    delete: OptionalIds,
    add: OptionalIds,
    delete_subgroups: OptionalIds,
    add_subgroups: OptionalIds,
  },
  errors: ['BAD_REQUEST'],
  service: UserGroupMembershipService,
  async handle(groups, { actor, params }) {
    const change = {
      add: params.add,
      remove: params.delete,
      addSubgroups: params.add_subgroups,
      removeSubgroups: params.delete_subgroups,
    }
    if (Object.values(change).every((ids = []) => ids.length === 0)) {
      throw badRequest('USER_GROUP_NO_CHANGES')
    }
    await groups.change(actor, params.user_group_id, change)
  },
})

const updateUserGroupSubgroups = defineCommand({
  id: 'update-user-group-subgroups',
  summary: 'Add subgroups to a user group, and remove them.',
  method: 'POST',
  path: '/user_groups/{user_group_id}/subgroups',
  access: 'humanNonGuest',
  isAdministrative: true,
  params: { user_group_id, delete: OptionalIds, add: OptionalIds },
  errors: ['BAD_REQUEST'],
  service: UserGroupMembershipService,
  async handle(groups, { actor, params }) {
    const change = { addSubgroups: params.add, removeSubgroups: params.delete }
    if (Object.values(change).every((ids = []) => ids.length === 0)) {
      throw badRequest('NOTHING_TO_ADD_OR_DELETE')
    }
    await groups.change(actor, params.user_group_id, change)
  },
})

const getUserGroupMembers = defineOperation({
  id: 'get-user-group-members',
  summary: 'Get the active members of a user group.',
  method: 'GET',
  path: '/user_groups/{user_group_id}/members',
  access: 'humanNonGuest',
  params: { user_group_id, direct_member_only: directOnly },
  response: Type.Object({ members: Type.Array(Type.Integer()) }),
  errors: ['BAD_REQUEST'],
  service: UserGroupReading,
  async handle(groups, { actor, params }) {
    const { user_group_id, direct_member_only } = params
    return { members: await groups.memberIds(actor, user_group_id, direct_member_only) }
  },
})

const getIsUserGroupMember = defineOperation({
  id: 'get-is-user-group-member',
  summary: 'Get whether a user is a member of a user group.',
  method: 'GET',
  path: '/user_groups/{user_group_id}/members/{user_id}',
  access: 'humanNonGuest',
  params: { user_group_id, user_id: Bounded.id(), direct_member_only: directOnly },
  response: Type.Object({ is_user_group_member: Type.Boolean() }),
  errors: ['BAD_REQUEST'],
  service: UserGroupReading,
  async handle(groups, { actor, params }) {
    const { user_group_id, user_id, direct_member_only } = params
    return {
      is_user_group_member: await groups.isMember(
        actor,
        user_group_id,
        user_id,
        direct_member_only,
      ),
    }
  },
})

const getUserGroupSubgroups = defineOperation({
  id: 'get-user-group-subgroups',
  summary: 'Get the subgroups of a user group.',
  method: 'GET',
  path: '/user_groups/{user_group_id}/subgroups',
  access: 'humanNonGuest',
  params: { user_group_id, direct_subgroup_only: directOnly },
  response: Type.Object({ subgroups: Type.Array(Type.Integer()) }),
  errors: ['BAD_REQUEST'],
  service: UserGroupReading,
  async handle(groups, { actor, params }) {
    const { user_group_id, direct_subgroup_only } = params
    return { subgroups: await groups.subgroupIds(actor, user_group_id, direct_subgroup_only) }
  },
})

/** `realm_user_groups`: includes deactivated groups only for clients that support them. */
const userGroupSnapshot = defineSnapshot({
  keys: { realm_user_groups: Type.Array(UserGroup) },
  fetchType: 'realm_user_groups',
  service: UserGroupView,
  async load(view, context) {
    const { waiting_period_threshold } = context.organization.settings
    const groups = await view.list(context.scope, waiting_period_threshold)
    const showsDeactivated = context.queue.capabilities.include_deactivated_groups === true
    return {
      realm_user_groups: showsDeactivated ? groups : groups.filter((group) => !group.deactivated),
    }
  },
})

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
