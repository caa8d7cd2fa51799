import { id } from '../../../storage/tables/column.js'
import { defineTable } from '../../../storage/tables/table.js'

/**
 * A message that has moved to another channel once. Users without a user message have received it
 * if they received the message in the one channel, and received the other channel when it moved.
 */
export const movedMessages = defineTable('moved_messages', {
  columns: {
    message_id: id(),
    organization_id: id(),
    /** Where it is. */
    channel_id: id(),
    /** Where it was sent. */
    sent_channel_id: id(),
    /** The newest message of the organization when it moved. */
    moved_after_message_id: id(),
  },
  primary: ['message_id'],
  index: [
    { name: 'moved_messages_channel', columns: ['channel_id', 'moved_after_message_id'] },
    { name: 'moved_messages_sent', columns: ['sent_channel_id', 'message_id'] },
    { name: 'moved_messages_organization', columns: ['organization_id', 'moved_after_message_id'] },
  ],
  archive: 'all user messages are in an archive',
})
