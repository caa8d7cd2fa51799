import { id, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

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
