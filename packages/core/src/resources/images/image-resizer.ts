import type SharpModule from 'sharp'
import { inject } from 'tsyringe'

import { isWholeImage } from '../../domain/whole-images.js'
import { ChatError } from '../../errors/index.js'
import type { Logger } from '../../kernel/logger.js'
import { perServer } from '../../kernel/per-server.js'
import { LoggerToken } from '../../kernel/tokens.js'
import { maxPixels } from './uploaded-image.js'

const maxSeconds = 10

/** What an image is to become; sizes in pixels. */
export interface ImageShape {
  readonly width: number
  readonly height: number
  /** `inside`: as large as fits, never larger than it was; `cover`: exactly so large, cut. */
  readonly fit: 'inside' | 'cover'
  readonly format: 'webp' | 'png'
  /** Whether it goes on moving if it did. */
  readonly isAnimated: boolean
}

/** For images, with all their pictures, that are only to be decoded. */
const smallest: ImageShape = { width: 1, height: 1, fit: 'cover', format: 'webp', isAnimated: true }

/** Makes other sizes of images, where the application has installed `sharp`. */
@perServer()
export class ImageResizer {
  #sharp: Promise<typeof SharpModule | undefined> | undefined

  constructor(@inject(LoggerToken) private readonly logger: Logger) {}

  /** Whether there is a `sharp`. */
  async isAvailable(): Promise<boolean> {
    this.#sharp ??= this.#load()
    return (await this.#sharp) !== undefined
  }

  /** @returns undefined if the image cannot be decoded, or there is no `sharp`. */
  async resize(image: Buffer, shape: ImageShape): Promise<Buffer | undefined> {
    this.#sharp ??= this.#load()
    const sharp = await this.#sharp
    if (sharp === undefined) return undefined
    try {
      const { width, height, fit, format } = shape
      const resized = sharp(image, { animated: shape.isAnimated, limitInputPixels: maxPixels })
        .autoOrient()
        .resize({ width, height, fit, withoutEnlargement: fit === 'inside' })
        .timeout({ seconds: maxSeconds })
      return await (format === 'webp' ? resized.webp() : resized.png()).toBuffer()
    } catch (error) {
      this.logger.debug('An image could not be resized', { err: error })
      return undefined
    }
  }

  /** Whether an image can be decoded; where there is no `sharp`, whether it is there to its end. */
  async isWhole(image: Buffer): Promise<boolean> {
    if (!(await this.isAvailable())) return isWholeImage(image)
    return (await this.resize(image, smallest)) !== undefined
  }

  /**
   * The image in the shape in which it is shown; as it is where there is no `sharp`.
   *
   * @throws {ChatError} `BAD_IMAGE` if it cannot be decoded, or is not there to its end.
   */
  async fit(image: Buffer, shape: ImageShape): Promise<Buffer> {
    if (!(await this.isAvailable())) {
      if (!(await isWholeImage(image))) throw new ChatError('BAD_IMAGE')
      return image
    }
    const resized = await this.resize(image, shape)
    if (resized === undefined) throw new ChatError('BAD_IMAGE')
    return resized
  }

  async #load(): Promise<typeof SharpModule | undefined> {
    try {
      return (await import('sharp')).default
    } catch (error) {
      this.logger.info('Images are shown in full size, because sharp is not installed', {
        err: error,
      })
      return undefined
    }
  }
}
