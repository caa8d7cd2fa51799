import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'

import { pack } from 'tar-stream'

import { EntryDigest } from './archive-format.js'

/** Writes the entries of an archive: a compressed tar file, as fast as it is read. */
export class ArchiveWriter {
  readonly #pack = pack()
  readonly #gzip = createGzip()
  readonly #digest = new EntryDigest()
  /** Settles when everything was compressed, or something has failed. */
  readonly #compressing: Promise<void>

  constructor(private readonly modifiedAt: Date) {
    this.#compressing = pipeline(this.#pack, this.#gzip)
    // Those who wait for the end get the error too.
    this.#compressing.catch(() => {})
  }

  get bytes(): Readable {
    return this.#gzip
  }

  /** Writes a small entry. */
  async write(name: string, content: Buffer): Promise<void> {
    await this.stream(name, content.length, [content])
  }

  /** @throws {Error} if the content does not have `size` bytes, or the reader has left. */
  async stream(
    name: string,
    size: number,
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void> {
    this.#digest.begin(name, size)
    const written = new Promise<void>((resolve, reject) => {
      const entry = this.#pack.entry({ name, size, mtime: this.modifiedAt }, (error) => {
        if (error) reject(error)
        else resolve()
      })
      this.#fill(entry, name, size, content).catch(reject)
    })
    await Promise.race([written, this.#compressing])
    if (this.#gzip.destroyed) throw new Error('The archive is not read any more')
  }

  async #fill(
    entry: NodeJS.WritableStream,
    name: string,
    size: number,
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void> {
    let rest = size
    for await (const chunk of content) {
      rest -= chunk.length
      if (rest < 0) break
      this.#digest.update(chunk)
      if (!entry.write(chunk)) await Promise.race([once(entry, 'drain'), this.#compressing])
      if (this.#gzip.destroyed) return
    }
    if (rest !== 0) throw new Error(`The size of ${name} has changed`)
    entry.end()
  }

  /** The digest of all entries up to now. No more entries can be written but the last. */
  digest(): string {
    return this.#digest.hexadecimal()
  }

  /** Writes the last entry, which the digest does not cover. */
  async end(name: string, content: Buffer): Promise<void> {
    const written = new Promise<void>((resolve, reject) => {
      this.#pack.entry({ name, mtime: this.modifiedAt }, content, (error) => {
        if (error) reject(error)
        else resolve()
      })
    })
    await Promise.race([written, this.#compressing])
    this.#pack.finalize()
    await this.#compressing
  }

  fail(error: Error): void {
    this.#pack.destroy(error)
    this.#gzip.destroy(error)
  }
}
