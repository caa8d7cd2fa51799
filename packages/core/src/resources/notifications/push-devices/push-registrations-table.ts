import { id, integer, seconds, text } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

/** A registration that the relay has not accepted yet. */
export const pushRegistrations = defineTable('push_registrations', {
  columns: {
    id: id(),
    device_id: id(),
    bouncer_public_key: text(),
    encrypted_push_registration: text(),
    asked_at_seconds: seconds(),
    attempts: integer().defaultsTo(0),
    /** Time of the next attempt; during an attempt, the end of its lease. */
    due_at_seconds: seconds(),
  },
  unique: [['device_id']],
  index: [{ name: 'push_registrations_due', columns: ['organization_id', 'due_at_seconds'] }],
  archive: 'belongs to a device or a session, which registers again with the new server',
})
export type PushRegistrationRow = RowOf<typeof pushRegistrations>
