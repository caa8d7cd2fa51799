import { Readable } from 'node:stream'

import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { Database, UnitOfWork, type Transaction } from '../../../storage/index.js'
import { FileChunkRepository } from './file-chunk-repository.js'
import type { ByteRange, FileStorage } from './file-storage.js'
import { fileChunks } from './file-chunks-table.js'

/** Far below the maximum packet size of every database; see MySQL's `max_allowed_packet`. */
const chunkBytes = 512 * 1024

/** Stores files in the database, in chunks. All processes of a server share the database. */
@perServer()
export class DatabaseStorage implements FileStorage {
  constructor(
    @inject(FileChunkRepository) private readonly chunks: FileChunkRepository,
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  async write(key: string, source: AsyncIterable<Uint8Array>): Promise<void> {
    let waiting: Uint8Array[] = []
    let waitingBytes = 0
    let position = 0
    const flush = async (): Promise<void> => {
      const bytes = waitingBytes === 0 ? null : Buffer.concat(waiting)
      const row = { file_key: key, position, bytes }
      await this.unitOfWork.run(organizationOf(key), (tx) => this.chunks.insertChunk(tx, row), {
        skipWriteLock: true,
      })
      position += waitingBytes
      waiting = []
      waitingBytes = 0
    }
    try {
      for await (const chunk of source) {
        waiting.push(chunk)
        waitingBytes += chunk.length
        if (waitingBytes >= chunkBytes) await flush()
      }
      if (waitingBytes > 0 || position === 0) await flush()
    } catch (error) {
      if (position > 0) await this.delete(key)
      throw error
    }
  }

  /** Stores a whole file if `tx` commits. */
  async writeWithin(tx: Transaction, key: string, file: Buffer): Promise<void> {
    const size = Math.max(file.length, 1)
    for (let position = 0; position < size; position += chunkBytes) {
      const bytes = file.subarray(position, position + chunkBytes)
      const row = { file_key: key, position, bytes: bytes.length === 0 ? null : bytes }
      await this.chunks.insertChunk(tx, row)
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const scope = this.database.read(organizationOf(key))
    const start = range?.start ?? 0
    const first = await this.chunks.findChunk(scope, key, start)
    if (first === undefined) return undefined
    const { chunks } = this
    const end = range?.end ?? Number.MAX_SAFE_INTEGER
    return Readable.from(
      (async function* () {
        let at = start
        let chunk: typeof first | undefined = first
        while (chunk?.bytes && at < end) {
          const { bytes, position } = chunk
          const part = bytes.subarray(at - position, end - position)
          if (part.length === 0) return
          yield part
          at += part.length
          chunk = at < end ? await chunks.findChunk(scope, key, at) : undefined
        }
      })(),
      { objectMode: false },
    )
  }

  async delete(key: string): Promise<void> {
    await this.unitOfWork.run(
      organizationOf(key),
      (tx) => tx.rows(fileChunks).delete({ file_key: key }),
      {
        skipWriteLock: true,
      },
    )
  }
}

function organizationOf(key: string): number {
  return Number.parseInt(key, 10)
}
