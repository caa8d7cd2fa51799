import { id, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

/** A message that may be shown on a user's devices. */
export const pushedMessages = defineTable('pushed_messages', {
  columns: {
    user_id: user({ erasure: 'deleted in batches', because: 'belongs to a session or a device' }),
    message_id: id(),
  },
  primary: ['user_id', 'message_id'],
  index: [['organization_id']],
  archive: 'belongs to a device or a session, which registers again with the new server',
})
export type PushedMessageRow = RowOf<typeof pushedMessages>
