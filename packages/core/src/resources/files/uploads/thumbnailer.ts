import { inject } from 'tsyringe'

import { thumbnailFormats, type ThumbnailFormat } from '../../../domain/files/thumbnails.js'
import { perServer } from '../../../kernel/per-server.js'
import { ImageResizer, type ImageShape, type ImageSource } from '../images/index.js'

/** Larger images get no thumbnail; in bytes. */
export const maxPreviewedBytes = 32 * 1024 * 1024

/** A thumbnail of an image. */
export interface Thumbnail {
  readonly format: ThumbnailFormat
  readonly bytes: Buffer
}

/** Creates the thumbnails of images that clients can request. */
@perServer()
export class Thumbnailer {
  constructor(@inject(ImageResizer) private readonly resizer: ImageResizer) {}

  /**
   * @param source opens the image when it is about to be decoded, because it may be large.
   * @returns an empty list if images cannot be resized, in which case clients get the image itself;
   *   undefined if the image cannot be decoded or is truncated.
   * @throws {ChatError} `SERVICE_UNAVAILABLE` if too many images are waiting to be decoded.
   */
  async make(source: ImageSource, isAnimated: boolean): Promise<readonly Thumbnail[] | undefined> {
    if (!(await this.resizer.isAvailable())) {
      return (await this.resizer.isWhole(source)) ? [] : undefined
    }
    const formats = thumbnailFormats.filter(({ animated }) => isAnimated || !animated)
    const copies = await this.resizer.resize(
      source,
      formats.map(({ max_width: width, max_height: height, format, animated }): ImageShape => ({
        width,
        height,
        fit: 'inside',
        format,
        isAnimated: animated,
      })),
    )
    const made: Thumbnail[] = []
    for (const [index, format] of formats.entries()) {
      const bytes = copies[index]
      if (bytes !== undefined) made.push({ format, bytes })
      // Without an animated thumbnail the image itself is used, which is animated as well.
      else if (!format.animated) return undefined
    }
    return made
  }
}
