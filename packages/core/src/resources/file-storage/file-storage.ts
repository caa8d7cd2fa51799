import type { Readable } from 'node:stream'

import type { InjectionToken } from 'tsyringe'

/** A part of a file: from `start` up to, and not including, `end`; both in bytes. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Keeps files, such as uploads and the images of emoji, wherever the application wants them.
 *
 * A key is made of parts with slashes between them: the organization's id, what kind of file it
 * is, and unguessable letters, digits, dots, dashes and underscores; at most 190 characters. The
 * file of a key is written once and never changed.
 */
export interface FileStorage {
  /**
   * Keeps the bytes of `source`, which is read as fast as they can be kept. When `source` fails, so
   * does this, and nothing is kept.
   */
  write(key: string, source: AsyncIterable<Uint8Array>): Promise<void>
  /** The bytes of a file, or of a part of it; undefined if there is none of that key. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>
  /** Removes a file; does nothing if there is none of that key. */
  delete(key: string): Promise<void>
}

export const FileStorageToken: InjectionToken<FileStorage> = Symbol('FileStorage')
