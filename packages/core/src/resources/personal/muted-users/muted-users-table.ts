import { seconds, user } from '../../../storage/tables/column.js'
import { defineTable } from '../../../storage/tables/table.js'

export const mutedUsers = defineTable('muted_users', {
  columns: {
    user_id: user({ erasure: 'deleted', because: 'concerns only the user' }),
    muted_user_id: user({ erasure: 'kept', because: "in others' lists" }).exported(),
    muted_at_seconds: seconds().exported(),
  },
  primary: ['user_id', 'muted_user_id'],
  index: [['organization_id', 'muted_user_id']],
  archive: { of: 'user_id' },
  exports: { muted_user: 'user_id' },
})
