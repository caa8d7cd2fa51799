import { inject } from 'tsyringe'

import { thumbnailFormats, type ThumbnailFormat } from '../../domain/thumbnails.js'
import { perServer } from '../../kernel/per-server.js'
import { ImageResizer } from '../images/index.js'

/** Larger images have no preview; in bytes. */
export const maxPreviewedBytes = 32 * 1024 * 1024

/** A smaller copy of an image. */
export interface Thumbnail {
  readonly format: ThumbnailFormat
  readonly bytes: Buffer
}

/** Makes the smaller copies of images that clients are told of. */
@perServer()
export class Thumbnailer {
  constructor(@inject(ImageResizer) private readonly resizer: ImageResizer) {}

  /**
   * @returns none where images cannot be resized: they are shown themselves then; undefined if the
   *   image cannot be decoded or is not there to its end.
   */
  async make(image: Buffer, isAnimated: boolean): Promise<readonly Thumbnail[] | undefined> {
    if (!(await this.resizer.isAvailable())) {
      return (await this.resizer.isWhole(image)) ? [] : undefined
    }
    const made: Thumbnail[] = []
    for (const format of thumbnailFormats) {
      if (format.animated && !isAnimated) continue
      const bytes = await this.resizer.resize(image, {
        width: format.max_width,
        height: format.max_height,
        fit: 'inside',
        format: format.format,
        isAnimated: format.animated,
      })
      if (bytes !== undefined) made.push({ format, bytes })
      // Without the moving copy the image itself is shown, which moves as well.
      else if (!format.animated) return undefined
    }
    return made
  }
}
