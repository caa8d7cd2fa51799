import type { GroupPermission } from '../../../domain/organizations/organization-settings.js'
import { boolean, id, seconds, shortJson, string, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

export type GroupSettings = Record<GroupPermission, number>

/** A named group, or an anonymous one, which has no settings. */
export const userGroups = defineTable('user_groups', {
  columns: {
    id: id().exported(),
    /** The application's id, if it decides who the members are. */
    external_id: string(190).orNull().defaultsTo(null),
    /** Null for anonymous groups, which hold a permission setting's value. */
    name: string(400).orNull().exported(),
    description: string(4096).exported(),
    is_system_group: boolean(),
    is_deactivated: boolean().defaultsTo(false),
    creator_id: user({ erasure: 'kept', because: 'the item belongs to the organization' }).orNull(),
    created_at_seconds: seconds().orNull().exported(),
    settings: shortJson<Partial<GroupSettings>>('group ids'),
    /** Hash of an anonymous group's members, so that equal values share one group. */
    value_hash: string(64).orNull().defaultsTo(null),
  },
  unique: [
    ['organization_id', 'name'],
    ['organization_id', 'value_hash'],
    ['organization_id', 'external_id'],
  ],
  archive: {},
  exports: { created_group: 'creator_id' },
})
export type StoredUserGroupRow = RowOf<typeof userGroups>

export const userGroupMembers = defineTable('user_group_members', {
  columns: {
    group_id: id('user_groups').exported(),
    user_id: user({
      erasure: 'deleted',
      because: 'concerns only the user; a permission that names the account keeps it',
    }),
  },
  primary: ['group_id', 'user_id'],
  index: [['organization_id', 'user_id']],
  archive: { of: 'group_id' },
  exports: { group: 'user_id' },
})
export type UserGroupMemberRow = RowOf<typeof userGroupMembers>

export const userGroupSubgroups = defineTable('user_group_subgroups', {
  columns: {
    group_id: id('user_groups'),
    subgroup_id: id('user_groups'),
  },
  primary: ['group_id', 'subgroup_id'],
  index: [['organization_id']],
  archive: { of: 'group_id' },
})
export type UserGroupSubgroupRow = RowOf<typeof userGroupSubgroups>
