import { boolean, count, id } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

/**
 * On MySQL, a message that was edited or deleted: the index has words of a former content, and
 * searches do not use those that it has of this message.
 */
export const messagesToReindex = defineTable('messages_to_reindex', {
  columns: {
    message_id: id(),
    /** Whether its former words are removed, so that the index has no others than present ones. */
    is_cleared: boolean(),
    /**
     * Number of changes since the message is in the table. In a cluster, where locks are those of one
     * node, an indexer of another one only conflicts with a row that has really changed.
     */
    changes: count(),
  },
  primary: ['organization_id', 'message_id'],
  isOfSearchIndex: true,
  archive: 'the search index is built anew',
})
export type MessageToReindexRow = RowOf<typeof messagesToReindex>
