import { id, integer, user } from '../../../storage/tables/column.js'
import { defineTable } from '../../../storage/tables/table.js'

/** Messages of a channel that a user received, and of which no user message is written. */
export const unwrittenIntervals = defineTable('unwritten_intervals', {
  columns: {
    user_id: user({
      erasure: 'deleted',
      because: 'which messages of left channels the user has received',
    }),
    channel_id: id(),
    /** The messages have higher ids than this. */
    after_message_id: id(),
    until_message_id: id(),
    /** Of the user messages to be written; mask of `MessageFlag`. */
    flags: integer(),
  },
  primary: ['user_id', 'channel_id', 'after_message_id'],
  index: [['channel_id']],
  archive: 'all user messages are in an archive',
})
