import { bigInteger, bytes, id, seconds, string } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

export const fileChunks = defineTable('file_chunks', {
  columns: {
    file_key: string(190),
    /** The offset of the chunk in the file, in bytes. */
    position: bigInteger(),
    /** Null for an empty file. */
    bytes: bytes().orNull(),
  },
  primary: ['organization_id', 'file_key', 'position'],
  archive: 'the bytes of files are files in the archive',
})
export type FileChunkRow = RowOf<typeof fileChunks>

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
