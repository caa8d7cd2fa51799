import { id, seconds, string, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

export const socketTickets = defineTable('socket_tickets', {
  columns: {
    /** SHA-256 of the ticket, hexadecimal. */
    ticket_hash: string(64),
    organization_id: id(),
    user_id: user({ erasure: 'deleted', because: 'belongs to a session or a device' }),
    expires_at_seconds: seconds(),
    /** The event queue that the ticket opens; null for a new one. */
    queue_id: string(80).orNull(),
    /** SHA-256 of the API key that requested the ticket, hexadecimal; null if a session did. */
    api_key_hash: string(64).orNull(),
  },
  primary: ['ticket_hash'],
  index: [['expires_at_seconds']],
  archive: 'belongs to a device or a session, which registers again with the new server',
})
export type SocketTicketRow = RowOf<typeof socketTickets>
