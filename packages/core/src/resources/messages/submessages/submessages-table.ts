import { id, longText, string, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

export const submessages = defineTable('submessages', {
  columns: {
    id: id(),
    message_id: id('messages').exported(),
    sender_id: user({
      erasure: 'anonymized',
      because: "votes and the like, part of the message; deleted with `messages: 'delete'`",
    }),
    msg_type: string(100).exported(),
    /** JSON. */
    content: longText().exported(),
  },
  index: [['message_id']],
  archive: { of: 'message_id' },
  exports: { submessage: 'sender_id' },
  isScannedForExports: true,
})
export type SubmessageRow = RowOf<typeof submessages>
