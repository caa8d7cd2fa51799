import { id, seconds, string, text, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

export const savedSnippets = defineTable('saved_snippets', {
  columns: {
    id: id().exported(),
    user_id: user({ erasure: 'deleted', because: 'concerns only the user' }),
    title: string(60).exported(),
    /** Markdown. */
    content: text().exported(),
    created_at_seconds: seconds().exported(),
  },
  index: [['user_id', 'id']],
  archive: { of: 'user_id' },
  exports: { saved_snippet: 'user_id' },
})
export type SavedSnippetRow = RowOf<typeof savedSnippets>
