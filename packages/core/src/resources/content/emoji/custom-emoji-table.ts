import { boolean, id, string, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

export const customEmoji = defineTable('custom_emoji', {
  columns: {
    id: id().exported(),
    name: string(100).exported(),
    author_id: user({ erasure: 'kept', because: 'the item belongs to the organization' }).orNull(),
    is_deactivated: boolean().defaultsTo(false),
    /** The part of the image's address that prevents addresses from being enumerated. */
    image_token: string(40, { pattern: '^[A-Za-z0-9_-]{1,40}$' }),
    content_type: string(40),
  },
  index: [['organization_id', 'name']],
  archive: {},
  exports: { created_emoji: 'author_id' },
})
export type CustomEmojiRow = RowOf<typeof customEmoji>
