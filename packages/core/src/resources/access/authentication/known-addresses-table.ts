import { integer, string } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

export const knownAddresses = defineTable('known_addresses', {
  columns: {
    organization_id: integer(),
    /** SHA-256 of the login name and the address group, hexadecimal. */
    login_hash: string(64),
    user_id: integer().withUsers({
      erasure: 'deleted',
      because: 'belongs to a session or a device',
    }),
    /** The time of the last sign-in with that name from that group; UNIX seconds. */
    used_at_seconds: integer().exported(),
  },
  primary: ['organization_id', 'login_hash'],
  index: [['organization_id', 'user_id', 'used_at_seconds']],
  archive: 'protects the login of the old server',
  exports: { known_address: 'user_id' },
})
export type KnownAddressRow = RowOf<typeof knownAddresses>
