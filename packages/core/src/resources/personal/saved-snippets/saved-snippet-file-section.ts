import { Type } from 'typebox'

import { closed, FileId, FileSeconds } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { savedSnippets } from './saved-snippets-table.js'

const FileSnippet = Type.Object(
  {
    id: Type.Optional(FileId),
    user_id: FileId,
    title: Type.String({ minLength: 1, maxLength: savedSnippets.columns.title.maxLength }),
    content: Type.String({ minLength: 1, maxLength: 10_000 }),
    created_at_seconds: Type.Optional(FileSeconds),
  },
  closed,
)

export const savedSnippetFile = defineFileSection({
  key: 'saved_snippets',
  summary: 'Saved snippets: texts that users can insert into messages.',
  item: FileSnippet,
  rowsOf: savedSnippets,
  rows:
    ({ createdAtSeconds }) =>
    (item) => ({ created_at_seconds: createdAtSeconds, ...item }),
  async check(items, check) {
    for await (const { place, item } of items) {
      check.requireKnown(`${place}/user_id`, 'user', item.user_id)
      if (item.title.trim() === '') check.report(`${place}/title`, 'cannot be blank')
      if (item.content.trim() === '') check.report(`${place}/content`, 'cannot be blank')
    }
  },
})
