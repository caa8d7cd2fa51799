import {
  bigInteger,
  boolean,
  id,
  integer,
  seconds,
  string,
  text,
  user,
} from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

export const attachments = defineTable('attachments', {
  columns: {
    id: id().exported(),
    owner_id: user({
      erasure: 'anonymized',
      because: 'files that a remaining message links to; others are deleted',
    }),
    /** The unguessable part of the address: two path segments. */
    folder: string(40, { pattern: '^[A-Za-z0-9_-]{1,20}/[A-Za-z0-9_-]{1,36}$' }).exported(),
    /** The name in the address. */
    path_name: string(255).exported(),
    /** As its owner named it. */
    name: text().exported(),
    content_type: string(255).exported(),
    size_bytes: bigInteger().exported(),
    created_at_seconds: seconds().exported(),
    /** Null if it is not known to be an image. */
    image_width: integer({ minimum: 0 }).orNull(),
    image_height: integer({ minimum: 0 }).orNull(),
    is_animated: boolean().defaultsTo(false),
    /** The time since which no message links to it; null while one does. */
    unlinked_since_seconds: seconds().orNull(),
  },
  unique: [['organization_id', 'folder']],
  index: [['unlinked_since_seconds'], ['organization_id', 'owner_id']],
  archive: {},
  exports: { file: 'owner_id' },
})
export type AttachmentRow = RowOf<typeof attachments>

export const attachmentMessages = defineTable('attachment_messages', {
  columns: {
    attachment_id: id('attachments'),
    message_id: id('messages'),
  },
  primary: ['attachment_id', 'message_id'],
  index: [['organization_id', 'message_id']],
  archive: { of: 'attachment_id' },
})

export const attachmentSchedules = defineTable('attachment_schedules', {
  columns: {
    attachment_id: id('attachments'),
    scheduled_message_id: id('scheduled_messages'),
  },
  primary: ['attachment_id', 'scheduled_message_id'],
  index: [{ name: 'attachment_scheduled', columns: ['organization_id', 'scheduled_message_id'] }],
  archive: { of: 'attachment_id' },
})
