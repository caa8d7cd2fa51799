import { string, user } from '../../../storage/tables/column.js'
import { defineTable } from '../../../storage/tables/table.js'

export const pushIdentities = defineTable('push_identities', {
  columns: {
    /** 0 for the organization itself. */
    user_id: user({ erasure: 'deleted', because: 'belongs to a session or a device' }),
    /** The UUID of the user or the organization at the relay. */
    uuid: string(36),
  },
  primary: ['organization_id', 'user_id'],
  archive: 'belongs to a device or a session, which registers again with the new server',
})
