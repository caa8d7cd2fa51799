import { id, seconds, string } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

export const unkeptFiles = defineTable('unkept_files', {
  columns: {
    file_key: string(190),
    organization_id: id(),
    due_at_seconds: seconds(),
  },
  primary: ['file_key'],
  index: [['due_at_seconds']],
  archive: 'files that are about to be deleted',
})
export type UnkeptFileRow = RowOf<typeof unkeptFiles>
