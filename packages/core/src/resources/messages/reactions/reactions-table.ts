import { id, string, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

export const reactions = defineTable('reactions', {
  columns: {
    id: id(),
    message_id: id('messages').exported(),
    user_id: user({
      erasure: 'anonymized',
      because: "part of the message; deleted with `messages: 'delete'`",
    }),
    /** `unicode_emoji`, `realm_emoji` or `service_extra_emoji`; the type sent to clients may differ. */
    reaction_type: string(20).exported(),
    emoji_code: string(100).exported(),
    emoji_name: string(100).exported(),
  },
  unique: [
    { name: 'reactions_emoji', columns: ['message_id', 'reaction_type', 'emoji_code', 'user_id'] },
  ],
  archive: { of: 'message_id' },
  exports: { reaction: 'user_id' },
  isScannedForExports: true,
})
export type ReactionRow = RowOf<typeof reactions>
