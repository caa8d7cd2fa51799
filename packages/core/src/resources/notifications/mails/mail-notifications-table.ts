import { id, integer, seconds, string, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'
import type { NotificationReason } from '../notified-recipients/index.js'

/** A message of which a user is or was notified by mail. */
export const mailNotifications = defineTable('mail_notifications', {
  columns: {
    id: id(),
    user_id: user({ erasure: 'deleted in batches', because: 'belongs to a session or a device' }),
    message_id: id(),
    reason: string<NotificationReason>(30),
    /** The first message of the mail that was sent; null before. */
    mail_id: id().orNull(),
    attempts: integer().defaultsTo(0),
    /** Time of the mail; during an attempt, the end of its lease; later, of the deletion of the row. */
    due_at_seconds: seconds(),
  },
  unique: [['user_id', 'message_id']],
  index: [
    { name: 'mail_notifications_org_due', columns: ['organization_id', 'due_at_seconds'] },
    { name: 'mail_notifications_due', columns: ['due_at_seconds'] },
  ],
  archive: 'mails that the old server sends',
})
export type MailNotificationRow = RowOf<typeof mailNotifications>
