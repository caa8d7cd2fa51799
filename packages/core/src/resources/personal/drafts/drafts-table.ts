import { id, json, number, string, text, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

export const drafts = defineTable('drafts', {
  columns: {
    id: id(),
    user_id: user({ erasure: 'deleted', because: 'concerns only the user' }),
    type: string<'' | 'stream' | 'private'>(10),
    /** One channel, or users. */
    recipient_ids: json<number[]>().withUsers({ erasure: 'kept', because: "in others' drafts" }),
    topic: string(60),
    /** Markdown. */
    content: text(),
    /** May have a fraction. */
    edited_at_seconds: number(),
  },
  index: [['user_id', 'edited_at_seconds', 'id']],
  archive: { of: 'user_id' },
  exports: {
    draft: ['id', 'type', 'recipient_ids', 'topic', 'content', 'edited_at_seconds'],
  },
})
export type DraftRow = RowOf<typeof drafts>
