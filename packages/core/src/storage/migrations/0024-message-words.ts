import type { Migration } from './migration.js'

/**
 * The words of messages and their topics, for searches. Messages that were stored before have none.
 */
export const messageWords: Migration = {
  name: '0024-message-words',
  up(context) {
    const { dialect } = context
    const name = context.table('message_words')
    context.raw(
      `CREATE TABLE ${name} (
        organization_id INTEGER NOT NULL,
        message_id INTEGER NOT NULL,
        word VARCHAR(64) NOT NULL,
        is_in_content BOOLEAN NOT NULL,
        PRIMARY KEY (message_id, word)
      )${
        dialect.name === 'sqlite'
          ? ' WITHOUT ROWID'
          : ' ENGINE=InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin'
      }`,
    )
    context.raw(`CREATE INDEX ${name}_word ON ${name} (organization_id, word, message_id)`)
  },
}
