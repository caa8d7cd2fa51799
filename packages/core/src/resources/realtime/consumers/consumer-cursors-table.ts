import { bigInteger, id, integer, seconds, string } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'
import { consumers } from './consumers-table.js'

/** How far a consumer has handled the log of one organization. */
export const consumerCursors = defineTable('consumer_cursors', {
  columns: {
    consumer: string(consumers.columns.name.maxLength),
    organization_id: id(),
    /** Everything up to this entry is handled, parked or of no interest. */
    cursor_seq: bigInteger(),
    /** Failed attempts at the next event. */
    attempts: integer(),
    /** When the next event may be tried again. */
    due_at_seconds: seconds(),
    /** Number of entries that were deleted before they were handled. */
    missed: bigInteger(),
  },
  primary: ['consumer', 'organization_id'],
  index: [['organization_id']],
  archive: 'the event log begins anew; clients register again',
})
export type ConsumerCursorRow = RowOf<typeof consumerCursors>
