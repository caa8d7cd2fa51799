import { Readable } from 'node:stream'

import type { FileStorage } from '@parley/core'

/** Keeps files in memory, and can fail to delete them. */
export class BreakableStorage implements FileStorage {
  isBroken = false
  readonly files = new Map<string, Buffer>()

  async write(key: string, source: AsyncIterable<Uint8Array>): Promise<void> {
    const chunks: Uint8Array[] = []
    for await (const chunk of source) chunks.push(chunk)
    this.files.set(key, Buffer.concat(chunks))
  }

  async read(key: string): Promise<Readable | undefined> {
    const bytes = this.files.get(key)
    return bytes && Readable.from([bytes])
  }

  async delete(key: string): Promise<void> {
    if (this.isBroken) throw new Error('The storage is broken')
    this.files.delete(key)
  }
}
