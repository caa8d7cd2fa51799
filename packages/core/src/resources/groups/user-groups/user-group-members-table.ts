import { id, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

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
