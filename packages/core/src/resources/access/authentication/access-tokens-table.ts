import { id, seconds, string, user } from '../../../storage/tables/column.js'
import { defineTable } from '../../../storage/tables/table.js'

export const accessTokens = defineTable('access_tokens', {
  columns: {
    id: id(),
    /** SHA-256 of the token, hexadecimal. */
    token_hash: string(64),
    user_id: user({ erasure: 'deleted', because: 'belongs to a device' }),
    expires_at_seconds: seconds(),
  },
  unique: [['token_hash']],
  index: [['organization_id', 'user_id', 'id']],
  archive: 'belongs to a device, which gets another one from the new server',
})
