import { string, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

export const userStatuses = defineTable('user_statuses', {
  columns: {
    user_id: user({ erasure: 'deleted', because: 'concerns only the user' }),
    status_text: string(60),
    /** Empty without an emoji; the code is then empty too. */
    emoji_name: string(100),
    emoji_code: string(100),
    reaction_type: string(20),
  },
  primary: ['user_id'],
  index: [['organization_id']],
  archive: { of: 'user_id' },
  exports: {
    status: ['status_text', 'emoji_name', 'emoji_code', 'reaction_type'],
  },
})
export type UserStatusRow = RowOf<typeof userStatuses>
