import { id } from '../../../storage/tables/column.js'
import { defineTable } from '../../../storage/tables/table.js'

/**
 * How far the search index of an organization is. On SQLite, a row exists only until the index
 * has the messages that it lacks; on MySQL always.
 */
export const searchBacklogs = defineTable('search_backlogs', {
  columns: {
    /** The index has the messages up to this one, and on MySQL no others, or a part of the next one. */
    indexed_message_id: id(),
  },
  primary: ['organization_id'],
  archive: 'the search index is built anew',
})
