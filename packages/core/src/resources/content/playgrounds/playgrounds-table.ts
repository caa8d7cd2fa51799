import { id, string, text } from '../../../storage/tables/column.js'
import { defineTable } from '../../../storage/tables/table.js'

export const playgrounds = defineTable('playgrounds', {
  columns: {
    id: id(),
    name: string(200),
    pygments_language: string(40),
    url_template: text(),
  },
  unique: [['organization_id', 'pygments_language', 'name']],
  archive: {},
})
