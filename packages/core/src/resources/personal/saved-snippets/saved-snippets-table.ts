import { id, seconds, string, text, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

export const savedSnippets = defineTable('saved_snippets', {
  columns: {
    id: id(),
    user_id: user({ erasure: 'deleted', because: 'concerns only the user' }),
    title: string(60),
    /** Markdown. */
    content: text(),
    created_at_seconds: seconds(),
  },
  index: [['user_id', 'id']],
  archive: { of: 'user_id' },
  exports: {
    saved_snippet: ['id', 'title', 'content', 'created_at_seconds'],
  },
})
export type SavedSnippetRow = RowOf<typeof savedSnippets>
