import { id } from '../../../storage/tables/column.js'
import { defineTable } from '../../../storage/tables/table.js'

export const attachmentSchedules = defineTable('attachment_schedules', {
  columns: {
    attachment_id: id('attachments'),
    scheduled_message_id: id('scheduled_messages'),
  },
  primary: ['attachment_id', 'scheduled_message_id'],
  index: [{ name: 'attachment_scheduled', columns: ['organization_id', 'scheduled_message_id'] }],
  archive: { of: 'attachment_id' },
})
