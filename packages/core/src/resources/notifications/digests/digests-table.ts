import { id, integer, seconds, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

/** The digest of a user for a week; there is at most one row of each user. */
export const digests = defineTable('digests', {
  columns: {
    id: id(),
    user_id: user({ erasure: 'deleted', because: 'belongs to a session or a device' }),
    /** Its local date, in days since 1 January 1970. */
    day: integer(),
    /** When it was sent, or it was decided that none is; null before. */
    decided_at_seconds: seconds().orNull(),
    attempts: integer().defaultsTo(0),
    /** Time of the mail; during an attempt, the end of its lease; later, of the deletion of the row. */
    due_at_seconds: seconds(),
  },
  unique: [['user_id']],
  index: [
    { name: 'digests_org_due', columns: ['organization_id', 'due_at_seconds'] },
    { name: 'digests_due', columns: ['due_at_seconds'] },
  ],
  archive: 'mails that the old server sends',
})
export type DigestRow = RowOf<typeof digests>
