import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { randomToken } from '../../../kernel/random.js'
import type { ByteRange, FileStorage } from './file-storage.js'

const keyPattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/

/** Stores files in a folder, which all processes of the server must share. */
export class FolderStorage implements FileStorage {
  constructor(private readonly folder: string) {}

  async write(key: string, source: AsyncIterable<Uint8Array>): Promise<void> {
    const path = this.#pathOf(key)
    // Renamed once complete, so that readers never get a partial file.
    const partPath = `${path}.${randomToken(6)}.part`
    await mkdir(dirname(path), { recursive: true })
    try {
      await pipeline(source, createWriteStream(partPath, { flags: 'wx', mode: 0o600 }))
      await rename(partPath, path)
    } catch (error) {
      await rm(partPath, { force: true })
      throw error
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable | undefined> {
    try {
      const file = await open(this.#pathOf(key))
      if (range === undefined) return file.createReadStream()
      // Node's `end` is inclusive, so that it cannot express an empty range.
      if (range.start < range.end) {
        return file.createReadStream({ start: range.start, end: range.end - 1 })
      }
      await file.close()
      return Readable.from([])
    } catch (error) {
      const code = typeof error === 'object' && error !== null && 'code' in error && error.code
      if (code === 'ENOENT') return undefined
      throw error
    }
  }

  async delete(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true })
  }

  #pathOf(key: string): string {
    if (!keyPattern.test(key)) throw new Error(`Not the key of a file: ${key}`)
    return join(this.folder, ...key.split('/'))
  }
}
