import { string, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

export const userStatuses = defineTable('user_statuses', {
  columns: {
    user_id: user({ erasure: 'deleted', because: 'concerns only the user' }),
    status_text: string(60).exported(),
    /** Empty without an emoji; the code is then empty too. */
    emoji_name: string(100).exported(),
    emoji_code: string(100).exported(),
    reaction_type: string(20).exported(),
  },
  primary: ['user_id'],
  index: [['organization_id']],
  archive: { of: 'user_id' },
  exports: { status: 'user_id' },
})
export type UserStatusRow = RowOf<typeof userStatuses>
