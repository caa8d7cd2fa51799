import { bigInteger, id, integer, seconds, string, text } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'
import { consumers } from './consumers-table.js'

/** An event that a consumer could not handle; its content is in the log only. */
export const consumerParkedEvents = defineTable('consumer_parked_events', {
  columns: {
    id: id(),
    consumer: string(consumers.columns.name.maxLength),
    organization_id: id(),
    seq: bigInteger(),
    attempts: integer(),
    /** The text of the last error. */
    error: text(),
    parked_at_seconds: seconds(),
    /** When it is tried again; null if not. */
    due_at_seconds: seconds().orNull(),
  },
  unique: [['consumer', 'organization_id', 'seq']],
  index: [['organization_id']],
  archive: 'the event log begins anew; clients register again',
})
export type ConsumerParkedEventRow = RowOf<typeof consumerParkedEvents>
