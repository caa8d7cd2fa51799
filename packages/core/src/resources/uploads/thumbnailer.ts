import type SharpModule from 'sharp'
import { inject } from 'tsyringe'

import { thumbnailFormats, type ThumbnailFormat } from '../../domain/thumbnails.js'
import type { Logger } from '../../kernel/logger.js'
import { perServer } from '../../kernel/per-server.js'
import { LoggerToken } from '../../kernel/tokens.js'

/** Larger images have no preview; in bytes. */
export const maxPreviewedBytes = 32 * 1024 * 1024
const maxSeconds = 10

/** A smaller copy of an image. */
export interface Thumbnail {
  readonly format: ThumbnailFormat
  readonly bytes: Buffer
}

/** Makes smaller copies of images, where the application has installed `sharp`. */
@perServer()
export class Thumbnailer {
  #sharp: Promise<typeof SharpModule | undefined> | undefined

  constructor(@inject(LoggerToken) private readonly logger: Logger) {}

  /**
   * @returns none where there is no `sharp`: the images themselves are shown then; undefined if the
   *   image cannot be decoded.
   */
  async make(image: Buffer, isAnimated: boolean): Promise<readonly Thumbnail[] | undefined> {
    this.#sharp ??= this.#load()
    const sharp = await this.#sharp
    if (sharp === undefined) return []
    const made: Thumbnail[] = []
    for (const format of thumbnailFormats) {
      if (format.animated && !isAnimated) continue
      try {
        const bytes = await sharp(image, { animated: format.animated })
          .autoOrient()
          .resize({
            width: format.max_width,
            height: format.max_height,
            fit: 'inside',
            withoutEnlargement: true,
          })
          .webp()
          .timeout({ seconds: maxSeconds })
          .toBuffer()
        made.push({ format, bytes })
      } catch (error) {
        this.logger.debug('An image could not be made smaller', { error })
        // Without the moving copy the image itself is shown, which moves as well.
        if (!format.animated) return undefined
      }
    }
    return made
  }

  async #load(): Promise<typeof SharpModule | undefined> {
    try {
      return (await import('sharp')).default
    } catch (error) {
      this.logger.info('Images are shown in full size, because sharp is not installed', { error })
      return undefined
    }
  }
}
