import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

import { extract } from 'tar-stream'

import { endName, EntryDigest } from './archive-format.js'

/** An archive that cannot be loaded. No part of it was stored. */
export class OrganizationArchiveError extends TypeError {
  constructor(
    /** Problems, each beginning with its place: the name of a file in the archive, and a line. */
    readonly problems: readonly string[],
  ) {
    super(`The archive of the organization is wrong: ${problems.join('; ')}`)
    this.name = 'OrganizationArchiveError'
  }
}

/** A file in an archive. Its content must be read before the next one. */
export interface ArchiveEntry {
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly content: AsyncIterable<Uint8Array>
}

/** Reads the entries of an archive as they arrive. */
export class ArchiveReader {
  readonly #digest = new EntryDigest()

  constructor(private readonly source: AsyncIterable<Uint8Array>) {}

  /** @throws {OrganizationArchiveError} if the bytes are not those of a complete archive. */
  async *entries(): AsyncGenerator<ArchiveEntry, void, undefined> {
    const files = extract()
    const reading = pipeline(this.source, createGunzip(), files)
    // The iteration fails too.
    reading.catch(() => {})
    try {
      for await (const entry of files) {
        const { name, size = 0, type } = entry.header
        if (type !== 'file') throw new OrganizationArchiveError([`${name}: is not a file`])
        const isLast = name === endName
        if (!isLast) this.#digest.begin(name, size)
        yield { name, size, content: isLast ? entry : this.#digested(entry) }
      }
      await reading
    } catch (error) {
      if (isNotAnArchive(error)) {
        throw new OrganizationArchiveError([`is damaged or incomplete: ${error.message}`])
      }
      throw error
    } finally {
      files.destroy()
      await reading.catch(() => {})
    }
  }

  /** The digest of the entries that were read, without the last one. */
  digest(): string {
    return this.#digest.hexadecimal()
  }

  async *#digested(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      this.#digest.update(chunk)
      yield chunk
    }
  }
}

/** Errors of the decompression and of the tar format; others are those of the source. */
function isNotAnArchive(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  if (typeof code === 'string') return code.startsWith('Z_')
  return /tar header|Unexpected end of data/i.test(error.message)
}
