import { id, seconds, string, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

/** A message that was sent with a client's own id, or a key of the application. */
export const messageLocalIds = defineTable('message_local_ids', {
  columns: {
    /** The sender. */
    user_id: user({ erasure: 'deleted', because: 'belongs to a session or a device' }),
    /**
     * SHA-256 of the sender, the queue and the client's id; or of the caller and the application's
     * key. Hexadecimal.
     */
    local_id_hash: string(64),
    /** SHA-256 of the parameters that the application's key belongs to; null for a client's id. */
    params_hash: string(64).orNull(),
    /** It may be deleted by now. */
    message_id: id(),
    sent_at_seconds: seconds(),
  },
  primary: ['organization_id', 'local_id_hash'],
  index: [{ name: 'message_local_ids_time', columns: ['organization_id', 'sent_at_seconds'] }],
  archive: 'prevents that clients of the old server send a message twice',
})
export type MessageLocalIdRow = RowOf<typeof messageLocalIds>
