import { seconds, string } from '../../../storage/tables/column.js'
import { defineServerTable, type RowOf } from '../../../storage/tables/table.js'

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
