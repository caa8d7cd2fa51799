import { id, json, number, string, text, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'
import { limits } from '../../../domain/limits.js'

export const drafts = defineTable('drafts', {
  columns: {
    id: id().exported(),
    user_id: user({ erasure: 'deleted', because: 'concerns only the user' }),
    type: string<'' | 'stream' | 'private'>(10).exported(),
    /** One channel, or users. */
    recipient_ids: json<number[]>()
      .withUsers({ erasure: 'kept', because: "in others' drafts" })
      .exported(),
    topic: string(limits.maxTopicLength).exported(),
    /** Markdown. */
    content: text().exported(),
    /** May have a fraction. */
    edited_at_seconds: number().exported(),
  },
  index: [['user_id', 'edited_at_seconds', 'id']],
  archive: { of: 'user_id' },
  exports: { draft: 'user_id' },
})
export type DraftRow = RowOf<typeof drafts>
