import type { MigrationContext } from '../../../storage/migrations/migration.js'
import { id, integer, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

/** A user message: a message that a user received, with the user's flags. Clustered by user. */
export const userMessages = defineTable('user_messages', {
  columns: {
    user_id: user({ erasure: 'deleted in batches', because: 'concerns only the user' }),
    message_id: id('messages').exported(),
    /** Mask of `MessageFlag`. */
    flags: integer({ minimum: 0 }).exported(),
  },
  primary: ['user_id', 'message_id'],
  computed: ['unread_message_id', 'starred_message_id', 'mentioning_message_id'],
  create,
  archive: { of: 'message_id' },
  exports: { received_message: 'user_id' },
})
export type UserMessageRow = RowOf<typeof userMessages>

/**
 * The computed columns are null for all but unread, starred and mentioning messages; the indexes
 * omit nulls where they can.
 */
function create(context: MigrationContext): void {
  const { generated, clustered, hasPartialIndexes } = context.dialect.tables
  const name = context.table('user_messages')
  const flagged = (bits: number, wanted: '= 0' | '<> 0') =>
    `INTEGER GENERATED ALWAYS AS (CASE WHEN (flags & ${bits}) ${wanted} THEN message_id END) ${generated}`
  context.raw(
    `CREATE TABLE ${name} (
      organization_id INTEGER NOT NULL,
      user_id INTEGER NOT NULL,
      message_id INTEGER NOT NULL,
      flags INTEGER NOT NULL,
      unread_message_id ${flagged(1, '= 0')},
      starred_message_id ${flagged(2, '<> 0')},
      mentioning_message_id ${flagged(8 + 16 + 32, '<> 0')},
      PRIMARY KEY (user_id, message_id)
    )${clustered}`,
  )
  context.raw(`CREATE INDEX ${name}_message ON ${name} (message_id)`)
  for (const column of ['unread', 'starred', 'mentioning']) {
    const partial = hasPartialIndexes ? ` WHERE ${column}_message_id IS NOT NULL` : ''
    context.raw(
      `CREATE INDEX ${name}_${column} ON ${name} (user_id, ${column}_message_id)${partial}`,
    )
  }
}
