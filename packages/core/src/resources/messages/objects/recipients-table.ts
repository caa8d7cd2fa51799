import { id, string, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

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

export const recipientMembers = defineTable('recipient_members', {
  columns: {
    recipient_id: id('recipients').exported(),
    user_id: user({
      erasure: 'kept',
      because: 'who takes part in a direct conversation; its other participants keep it',
    }),
  },
  primary: ['recipient_id', 'user_id'],
  index: [['organization_id', 'user_id']],
  archive: { of: 'recipient_id' },
  exports: { direct_conversation: 'user_id' },
})
export type RecipientMemberRow = RowOf<typeof recipientMembers>
