import { id } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

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
