import { inject } from 'tsyringe'
import { Type, type Static } from 'typebox'

import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import {
  chunksOf,
  closed,
  defineFileSection,
  FileId,
  type FileLoading,
  FileSeconds,
  type FileSectionLoader,
  inOrderOfIds,
} from '../file-sections/index.js'
import { SavedSnippetRepository } from './saved-snippet-repository.js'

const FileSnippet = Type.Object(
  {
    id: Type.Optional(FileId),
    user_id: FileId,
    title: Type.String({ minLength: 1, maxLength: 60 }),
    content: Type.String({ minLength: 1, maxLength: 10_000 }),
    created_at_seconds: Type.Optional(FileSeconds),
  },
  closed,
)
type FileSnippet = Static<typeof FileSnippet>

/** Stores the saved snippets of an organization file. */
@perServer()
class SavedSnippetFileLoader implements FileSectionLoader<FileSnippet> {
  constructor(@inject(SavedSnippetRepository) private readonly snippets: SavedSnippetRepository) {}

  async load(
    tx: Transaction,
    items: readonly FileSnippet[],
    { createdAtSeconds }: FileLoading,
  ): Promise<void> {
    const rows = items.map((item) => ({ created_at_seconds: createdAtSeconds, ...item }))
    for (const chunk of chunksOf(inOrderOfIds(rows))) await this.snippets.insertMany(tx, chunk)
  }
}

export const savedSnippetFile = defineFileSection({
  key: 'saved_snippets',
  summary: 'Texts that users keep to insert them into messages.',
  item: FileSnippet,
  table: 'saved_snippets',
  loader: SavedSnippetFileLoader,
  async check(items, check) {
    const id = check.once()
    for await (const { place, item } of items) {
      if (item.id !== undefined) id(`${place}/id`, item.id)
      check.requireKnown(`${place}/user_id`, 'user', item.user_id)
      if (item.title.trim() === '') check.report(`${place}/title`, 'cannot be blank')
      if (item.content.trim() === '') check.report(`${place}/content`, 'cannot be blank')
    }
  },
})
