import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { Database, type OrganizationScope, type Transaction } from '../../../storage/index.js'
import { type FileChunkRow, unkeptFiles, type UnkeptFileRow } from './file-chunks-table.js'

@perServer()
export class FileChunkRepository {
  constructor(@inject(Database) private readonly database: Database) {}

  async insertChunk(tx: Transaction, row: Omit<FileChunkRow, 'organization_id'>): Promise<void> {
    // Not `tx.insert`, which passes rows as JSON on SQLite.
    await tx.raw(
      'INSERT INTO ?? (organization_id, file_key, position, bytes) VALUES (?, ?, ?, ?)',
      [tx.table('file_chunks'), tx.organizationId, row.file_key, row.position, row.bytes],
    )
  }

  /** The chunk that contains a byte, or the last chunk if the file ends before that byte. */
  async findChunk(
    scope: OrganizationScope,
    fileKey: string,
    position: number,
  ): Promise<Pick<FileChunkRow, 'position' | 'bytes'> | undefined> {
    return scope
      .query('file_chunks')
      .where({ file_key: fileKey })
      .where('position', '<=', position)
      .orderBy('position', 'desc')
      .first('position', 'bytes')
  }

  async insertUnkept(
    tx: Transaction,
    fileKeys: readonly string[],
    dueAtSeconds: number,
  ): Promise<void> {
    await tx
      .rows(unkeptFiles)
      .insertMany(fileKeys.map((file_key) => ({ file_key, due_at_seconds: dueAtSeconds })))
  }

  /** The files of one organization that are due. */
  async listDueOf(
    organizationId: number,
    nowSeconds: number,
  ): Promise<Pick<UnkeptFileRow, 'file_key'>[]> {
    return this.database
      .read(organizationId)
      .query('unkept_files')
      .where('due_at_seconds', '<=', nowSeconds)
      .orderBy('file_key')
      .select('file_key')
  }

  /** Up to `limit` files of all organizations that are due. */
  async listDue(
    nowSeconds: number,
    limit: number,
  ): Promise<Pick<UnkeptFileRow, 'file_key' | 'organization_id'>[]> {
    return this.database
      .queryAll('unkept_files')
      .where('due_at_seconds', '<=', nowSeconds)
      .orderBy('due_at_seconds')
      .limit(limit)
      .select('file_key', 'organization_id')
  }
}
