import {
  id,
  integer,
  json,
  seconds,
  shortJson,
  string,
  user,
} from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'
import type { QueuedNotification } from './queued-notification.js'

/** A notification for all of a user's devices of one family. */
export const pushNotifications = defineTable('push_notifications', {
  columns: {
    id: id(),
    user_id: user({ erasure: 'deleted in batches', because: 'belongs to a session or a device' }),
    family: string<'e2ee' | 'legacy'>(6),
    /** JSON. */
    notice: json<QueuedNotification>(),
    /** The ids of the devices that already have it; null if there are none. */
    accepted_device_ids: shortJson<readonly number[]>().orNull(),
    attempts: integer().defaultsTo(0),
    /** Time of the next attempt; during an attempt, the end of its lease. */
    due_at_seconds: seconds(),
  },
  index: [{ name: 'push_notifications_due', columns: ['organization_id', 'due_at_seconds'] }],
  archive: 'belongs to a device or a session, which registers again with the new server',
})
export type PushNotificationRow = RowOf<typeof pushNotifications>

/** A message that may be shown on a user's devices. */
export const pushedMessages = defineTable('pushed_messages', {
  columns: {
    user_id: user({ erasure: 'deleted in batches', because: 'belongs to a session or a device' }),
    message_id: id(),
  },
  primary: ['user_id', 'message_id'],
  index: [['organization_id']],
  archive: 'belongs to a device or a session, which registers again with the new server',
})
export type PushedMessageRow = RowOf<typeof pushedMessages>
