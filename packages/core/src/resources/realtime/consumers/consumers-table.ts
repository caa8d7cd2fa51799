import { bigInteger, id, integer, seconds, string, text } from '../../../storage/tables/column.js'
import { defineServerTable, defineTable, type RowOf } from '../../../storage/tables/table.js'

/** A durable consumer of the log, and the process that handles its events at the moment. */
export const consumers = defineServerTable('consumers', {
  columns: {
    name: string(100),
    /** Identifies the server that holds the lease; null for none. */
    owner: string(40).orNull(),
    leased_until_seconds: seconds(),
    /** Changes with every use of the lease. */
    lease_token: string(40),
    created_at_seconds: seconds(),
  },
  primary: ['name'],
  archive: 'belongs to the server',
})
export type ConsumerRow = RowOf<typeof consumers>

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
