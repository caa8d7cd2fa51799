import type { Readable } from 'node:stream'

import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { fileKeyOf } from '../../files/attachments/index.js'
import { avatarKeyOf } from '../../files/avatars/index.js'
import { StoredFiles } from '../../files/file-storage/index.js'
import type { UserRow } from '../../people/users/index.js'
import type { ExportedRow } from './export-repository.js'
import type { ExportedRecord } from './user-export.js'

/** A multiple of three bytes, so that the base64 texts of a file can be joined. */
const chunkBytes = 192 * 1024

/** Reads the files of a user for an export. */
@perServer()
export class ExportedFiles {
  constructor(@inject(StoredFiles) private readonly files: StoredFiles) {}

  /** The bytes of an uploaded file; none if it was deleted meanwhile. */
  async *chunksOf(organizationId: number, file: ExportedRow): AsyncGenerator<ExportedRecord> {
    const key = fileKeyOf(organizationId, String(file['folder']))
    for await (const chunk of base64ChunksOf(await this.files.read(key))) {
      yield { type: 'file_chunk', file_id: file['id'], ...chunk }
    }
  }

  /** The user's picture, in its larger size. */
  async *pictureOf({ organization_id, avatar_name }: UserRow): AsyncGenerator<ExportedRecord> {
    if (avatar_name === null) return
    const key = avatarKeyOf(organization_id, avatar_name, true)
    for await (const chunk of base64ChunksOf(await this.files.read(key))) {
      yield { type: 'avatar_chunk', ...chunk }
    }
  }
}

async function* base64ChunksOf(
  stream: Readable | undefined,
): AsyncGenerator<{ readonly position: number; readonly base64: string }> {
  let position = 0
  let waiting = Buffer.alloc(0)
  const source: AsyncIterable<Uint8Array> | readonly Uint8Array[] = stream ?? []
  for await (const bytes of source) {
    waiting = Buffer.concat([waiting, bytes])
    while (waiting.length >= chunkBytes) {
      yield { position, base64: waiting.subarray(0, chunkBytes).toString('base64') }
      position += chunkBytes
      waiting = waiting.subarray(chunkBytes)
    }
  }
  if (waiting.length > 0) yield { position, base64: waiting.toString('base64') }
}
