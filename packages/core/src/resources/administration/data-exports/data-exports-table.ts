import { bigInteger, id, integer, seconds, string, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

/** An export that an administrator has requested. */
export const dataExports = defineTable('data_exports', {
  columns: {
    id: id(),
    acting_user_id: user({ erasure: 'kept', because: 'the export belongs to the organization' }),
    /** 1 public, 2 standard. */
    export_type: integer(),
    requested_at_seconds: seconds(),
    failed_at_seconds: seconds().orNull(),
    deleted_at_seconds: seconds().orNull(),
    /** The key of the archive in the storage; null until it is complete, and after its deletion. */
    file_key: string(190).orNull(),
    size_bytes: bigInteger().orNull(),
    attempts: integer(),
    /** When it is produced, or expires; {@link neverDue} if nothing remains to be done. */
    due_at_seconds: seconds(),
  },
  unique: [['file_key']],
  index: [['due_at_seconds'], ['organization_id', 'requested_at_seconds']],
  archive: 'earlier exports, whose archives are at the old server',
})
export type DataExportRow = RowOf<typeof dataExports>
