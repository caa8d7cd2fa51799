import { createHash, type Hash } from 'node:crypto'

import type { ArchivedRow } from './archived-tables.js'

/** Of the format; increases when older versions cannot read an archive any more. */
export const archiveVersion = 1
export const archiveFormat = 'parley-organization'

/** The names of the entries of an archive. */
export const manifestName = 'manifest.json'
export const endName = 'end.json'
export const rowsName = (number: number, table: string): string =>
  `rows/${String(number).padStart(6, '0')}-${table}.ndjson`
export const rowsPattern = /^rows\/[0-9]{6,12}-([a-z_]+)\.ndjson$/
export const fileName = (key: string): string => `files/${key.slice(key.indexOf('/') + 1)}`
export const filePattern = /^files\/([A-Za-z0-9_-][A-Za-z0-9._/-]{0,180})$/

/** A new entry of rows begins when the last one has this many bytes; a row may have more. */
export const rowBytesPerEntry = 1024 * 1024
/** Entries of rows are read as a whole: more is refused. */
export const maxRowBytesPerEntry = 64 * 1024 * 1024
/** The image of an emoji, a user or the organization, or a thumbnail. */
export const maxImageBytes = 64 * 1024 * 1024

/** The content of an archive. */
export type ArchiveType = 'full' | 'standard' | 'public'

/** The first entry of an archive. */
export interface ArchiveManifest {
  readonly format: typeof archiveFormat
  readonly version: typeof archiveVersion
  readonly type: ArchiveType
  readonly exported_at_seconds: number
  /** The row of the organization. */
  readonly organization: ArchivedRow
}

/** The last entry of an archive. */
export interface ArchiveEnd {
  /** The digest of all entries before; see {@link EntryDigest}. */
  readonly sha256: string
  /** The number of rows by table. */
  readonly rows: Readonly<Record<string, number>>
  readonly files: number
}

/** SHA-256 of the names, lengths and bytes of all entries, in their order. */
export class EntryDigest {
  readonly #hash: Hash = createHash('sha256')

  begin(name: string, size: number): void {
    this.#hash.update(`${name}\0${size}\0`)
  }

  update(bytes: Uint8Array): void {
    this.#hash.update(bytes)
  }

  hexadecimal(): string {
    return this.#hash.digest('hex')
  }
}
