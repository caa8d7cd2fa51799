import type { MigrationContext } from '../../../storage/migrations/migration.js'
import { id, integer, string } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'
import { maxWordLength } from '../../../domain/texts/search-words.js'

/** A word by which searches find a message; on SQLite, the table is one of FTS5 instead. */
export const messageWords = defineTable('message_words', {
  columns: {
    message_id: id(),
    /** One of `indexedWords`. */
    word: string(maxWordLength),
    /** One of `places`. */
    place: integer(),
  },
  primary: ['message_id', 'word'],
  create,
  isOfSearchIndex: true,
  archive: 'the search index is built anew',
})
export type MessageWordRow = RowOf<typeof messageWords>

function create(context: MigrationContext): void {
  const name = context.table('message_words')
  const { hasFullTextTables, tables } = context.dialect
  if (hasFullTextTables) {
    // Without texts and positions. Words are separated by spaces, and have no other ASCII
    // characters than letters and digits.
    context.raw(
      `CREATE VIRTUAL TABLE ${name} USING fts5(
        words, content='', contentless_delete=1, detail=none, tokenize='ascii'
      )`,
    )
    return
  }
  context.raw(
    `CREATE TABLE ${name} (
      organization_id INTEGER NOT NULL,
      message_id INTEGER NOT NULL,
      word VARCHAR(64)${tables.collation} NOT NULL,
      place SMALLINT NOT NULL,
      PRIMARY KEY (message_id, word)
    )${tables.ending}`,
  )
  context.raw(`CREATE INDEX ${name}_word ON ${name} (organization_id, word, message_id)`)
}
