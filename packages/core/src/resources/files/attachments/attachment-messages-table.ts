import { id } from '../../../storage/tables/column.js'
import { defineTable } from '../../../storage/tables/table.js'

export const attachmentMessages = defineTable('attachment_messages', {
  columns: {
    attachment_id: id('attachments'),
    message_id: id('messages'),
  },
  primary: ['attachment_id', 'message_id'],
  index: [['organization_id', 'message_id']],
  archive: { of: 'attachment_id' },
})
