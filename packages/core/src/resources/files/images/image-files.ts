import { buffer } from 'node:stream/consumers'

import { inject } from 'tsyringe'

import { imageFactsOf } from '../../../domain/files/images.js'
import { perServer } from '../../../kernel/per-server.js'
import { StoredFiles } from '../file-storage/index.js'
import type { ShownImage } from './shown-image-operations.js'

/** Reads small images that are stored as files. */
@perServer()
export class ImageFiles {
  constructor(@inject(StoredFiles) private readonly files: StoredFiles) {}

  async find(key: string): Promise<ShownImage | undefined> {
    const stream = await this.files.read(key)
    if (stream === undefined) return undefined
    const content = await buffer(stream)
    return { content, contentType: imageFactsOf(content)?.contentType ?? 'image/png' }
  }
}
