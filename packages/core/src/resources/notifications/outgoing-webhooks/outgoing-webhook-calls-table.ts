import { id, integer, seconds, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

/** A pending call about a message. */
export const outgoingWebhookCalls = defineTable('outgoing_webhook_calls', {
  columns: {
    id: id(),
    bot_id: user({ erasure: 'kept', because: 'belongs to a bot' }),
    message_id: id(),
    attempts: integer().defaultsTo(0),
    /** Time of the next call; during a call, the end of its lease. */
    due_at_seconds: seconds(),
  },
  index: [['due_at_seconds']],
  archive: 'calls under way, which the old server makes',
})
export type OutgoingWebhookCallRow = RowOf<typeof outgoingWebhookCalls>
