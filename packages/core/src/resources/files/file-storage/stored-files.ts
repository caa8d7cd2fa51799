import type { Readable } from 'node:stream'

import { inject } from 'tsyringe'

import { ChatError } from '../../../errors/index.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import type { Logger } from '../../../kernel/logger.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken, LoggerToken } from '../../../kernel/tokens.js'
import { UnitOfWork, type Transaction } from '../../../storage/index.js'
import { DatabaseStorage } from './database-storage.js'
import { FileChunkRepository } from './file-chunk-repository.js'
import { FileStorageToken, type ByteRange, type FileStorage } from './file-storage.js'
import { unkeptFiles } from './file-chunks-table.js'

/** How long a file may remain unconfirmed after its upload began. */
const maxWritingSeconds = 24 * 60 * 60
const filesPerRound = 100

/**
 * The files that rows of the database refer to.
 *
 * A transaction cannot cover both rows and files. Each file is therefore listed in `unkept_files`
 * before it is written and when it is discarded. Listed files are removed when they are due, even
 * if the process that listed them has ended.
 */
@perServer()
export class StoredFiles {
  constructor(
    @inject(FileStorageToken) private readonly storage: FileStorage,
    @inject(DatabaseStorage) private readonly database: DatabaseStorage,
    @inject(FileChunkRepository) private readonly notes: FileChunkRepository,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {}

  /**
   * Writes a file, which is removed after a day unless {@link keep} is called.
   *
   * @throws {ChatError} `SERVICE_UNAVAILABLE` if the storage refuses the file, for example because it
   *   is full; the error of `source`.
   */
  async write(
    organizationId: number,
    key: string,
    source: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const dueAtSeconds = nowSeconds(this.clock) + maxWritingSeconds
    await this.unitOfWork.run(organizationId, (tx) =>
      this.notes.insertUnkept(tx, [key], dueAtSeconds),
    )
    let sourceFailure: { readonly reason: unknown } | undefined
    const watched = (async function* () {
      try {
        yield* source
      } catch (reason) {
        sourceFailure = { reason }
        throw reason
      }
    })()
    try {
      await this.storage.write(key, watched)
    } catch (error) {
      await this.unitOfWork.run(organizationId, (tx) =>
        tx.rows(unkeptFiles).delete({ file_key: [key] }),
      )
      if (sourceFailure !== undefined) throw sourceFailure.reason
      this.logger.error('A file could not be stored', { err: error })
      throw new ChatError('SERVICE_UNAVAILABLE', { cause: error })
    }
  }

  /** Stores a small file in the database if `tx` commits, even if other files are elsewhere. */
  async writeWithin(tx: Transaction, key: string, file: Buffer): Promise<void> {
    await this.database.writeWithin(tx, key, file)
  }

  /** Confirms written files, if `tx` commits. */
  async keep(tx: Transaction, keys: readonly string[]): Promise<void> {
    await tx.rows(unkeptFiles).delete({ file_key: keys })
  }

  /** Discards files, if `tx` commits; they are removed later. */
  async discard(tx: Transaction, keys: readonly string[]): Promise<void> {
    await this.notes.insertUnkept(tx, keys, nowSeconds(this.clock))
  }

  /** Removes a file that was written and never confirmed. */
  async abandon(organizationId: number, key: string): Promise<void> {
    await this.storage.delete(key)
    if (this.storage !== this.database) await this.database.delete(key)
    await this.unitOfWork.run(organizationId, (tx) =>
      tx.rows(unkeptFiles).delete({ file_key: [key] }),
    )
  }

  async read(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const found = await this.storage.read(key, range)
    if (found !== undefined || this.storage === this.database) return found
    return this.database.read(key, range)
  }

  /** Removes the files of one organization that are due. */
  async sweepOf(organizationId: number): Promise<void> {
    const due = await this.notes.listDueOf(organizationId, nowSeconds(this.clock))
    for (const { file_key } of due) await this.abandon(organizationId, file_key)
  }

  /** Removes the files that are due in `unkept_files`. */
  async sweep(stopping: AbortSignal): Promise<void> {
    for (;;) {
      const due = await this.notes.listDue(nowSeconds(this.clock), filesPerRound)
      for (const { file_key, organization_id } of due) {
        if (stopping.aborted) return
        await this.abandon(organization_id, file_key)
      }
      if (due.length < filesPerRound) return
    }
  }
}
