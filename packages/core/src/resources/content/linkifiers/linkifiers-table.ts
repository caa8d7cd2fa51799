import { id, integer, text } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

export const linkifiers = defineTable('linkifiers', {
  columns: {
    id: id(),
    pattern: text(),
    url_template: text(),
    /** Ascending in matching order. */
    position: integer(),
  },
  index: [['organization_id', 'position']],
  archive: {},
})
export type LinkifierRow = RowOf<typeof linkifiers>
