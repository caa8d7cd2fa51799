import type { Readable } from 'node:stream'

import type { InjectionToken } from 'tsyringe'

/** A range of a file in bytes: `start` is inclusive, `end` is exclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Stores files, such as uploads and emoji images, at a place that the application chooses.
 *
 * A key consists of parts separated by slashes: the id of the organization, the kind of file, and
 * unguessable letters, digits, dots, dashes and underscores. It has at most 190 characters. The
 * file of a key is written once and never changes.
 */
export interface FileStorage {
  /**
   * Stores the bytes of `source`, with back-pressure. If `source` fails, rejects and stores
   * nothing.
   */
  write(key: string, source: AsyncIterable<Uint8Array>): Promise<void>
  /** The bytes of a file, or of a range of it; undefined if the key has no file. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>
  /** Removes a file; does nothing if the key has no file. */
  delete(key: string): Promise<void>
}

export const FileStorageToken: InjectionToken<FileStorage> = Symbol('FileStorage')
