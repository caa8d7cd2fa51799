import { id, string } from '../../../storage/tables/column.js'
import { defineTable } from '../../../storage/tables/table.js'

/** The recipient of messages: a channel, or a set of users. */
export const recipients = defineTable('recipients', {
  columns: {
    id: id(),
    channel_id: id('channels').orNull(),
    /** SHA-256 of the ascending ids of a direct conversation's participants, hexadecimal. */
    members_hash: string(64).orNull(),
  },
  unique: [['channel_id'], ['organization_id', 'members_hash']],
  archive: {},
})
