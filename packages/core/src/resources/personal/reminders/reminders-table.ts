import { id, seconds, text, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

export const reminders = defineTable('reminders', {
  columns: {
    id: id().exported(),
    user_id: user({ erasure: 'deleted', because: 'concerns only the user' }),
    message_id: id().exported(),
    note: text().exported(),
    deliver_at_seconds: seconds().exported(),
    /** When it is due; null if sending failed. */
    due_at_seconds: seconds().orNull(),
  },
  index: [['user_id', 'deliver_at_seconds'], ['due_at_seconds']],
  archive: { of: 'user_id' },
  exports: { reminder: 'user_id' },
})
export type ReminderRow = RowOf<typeof reminders>
