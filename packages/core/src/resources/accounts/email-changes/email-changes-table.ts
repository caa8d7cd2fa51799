import { count, id, string, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'
import { limits } from '../../../domain/limits.js'

/** A change of an e-mail address until the user has proved that the new one is theirs. */
export const emailChanges = defineTable('email_changes', {
  columns: {
    id: id(),
    user_id: user({ erasure: 'deleted', because: 'concerns only the user' }),
    old_email: string(limits.maxEmailLength).exported(),
    new_email: string(limits.maxEmailLength).exported(),
    /** SHA-256, hexadecimal: reading the table does not allow confirming a change. */
    key_hash: string(64),
    requested_at_seconds: count().exported(),
  },
  unique: [['key_hash']],
  index: [['organization_id', 'user_id']],
  archive: 'a secret: links in mails do not confirm anything in the new organization',
  exports: { email_change: 'user_id' },
})
export type EmailChangeRow = RowOf<typeof emailChanges>
