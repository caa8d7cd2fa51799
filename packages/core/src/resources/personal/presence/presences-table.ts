import { bigInteger, seconds, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

export const presences = defineTable('presences', {
  columns: {
    user_id: user({ erasure: 'deleted', because: 'concerns only the user' }),
    /** Null for a user who was connected but never active. */
    active_at_seconds: seconds().orNull().exported(),
    connected_at_seconds: seconds().exported(),
    /** Higher than those of all rows that were committed before. */
    update_id: bigInteger(),
  },
  primary: ['user_id'],
  index: [
    ['organization_id', 'update_id'],
    ['organization_id', 'connected_at_seconds'],
  ],
  archive: { of: 'user_id' },
  exports: { presence: 'user_id' },
})
export type PresenceRow = RowOf<typeof presences>
