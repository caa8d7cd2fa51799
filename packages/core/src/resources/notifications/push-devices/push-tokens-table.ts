import { id, integer, string, text, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

/** A device's token at a push service. */
export const pushTokens = defineTable('push_tokens', {
  columns: {
    id: id().exported(),
    user_id: user({ erasure: 'deleted', because: 'belongs to a session or a device' }),
    /** 1 APNs, 2 FCM. */
    kind: integer<1 | 2>().exported(),
    token: text(),
    /** SHA-256, hexadecimal; of the lower-case token for APNs, whose tokens are case-insensitive. */
    token_hash: string(64),
    /** The origin at which the device reached the server. */
    realm_url: string(500).exported(),
  },
  unique: [['user_id', 'kind', 'token_hash']],
  index: [['organization_id', 'user_id']],
  archive: 'belongs to a device or a session, which registers again with the new server',
  exports: { push_token: 'user_id' },
})
export type PushTokenRow = RowOf<typeof pushTokens>
