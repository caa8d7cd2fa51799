import type SharpModule from 'sharp'
import { inject } from 'tsyringe'

import { isWholeImage } from '../../domain/whole-images.js'
import { ChatError } from '../../errors/index.js'
import { BoundedWork } from '../../kernel/bounded-work.js'
import type { Logger } from '../../kernel/logger.js'
import { perServer } from '../../kernel/per-server.js'
import { LoggerToken } from '../../kernel/tokens.js'
import { maxPixels } from './uploaded-image.js'

const maxSeconds = 10

/**
 * A decode takes a thread of the pool that SQLite, name lookups and files use too, a processor, and
 * up to 160 MB of memory.
 */
const decodeBounds = { maxRunning: 1, maxWaiting: 16 }

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

/** An image, or what reads it once it is about to be decoded. */
export type ImageSource = Buffer | (() => Promise<Buffer>)

/** Makes other sizes of images, one image at a time, where the application has installed `sharp`. */
@perServer()
export class ImageResizer {
  readonly #decoding = new BoundedWork(decodeBounds)
  #sharp: Promise<typeof SharpModule | undefined> | undefined

  constructor(@inject(LoggerToken) private readonly logger: Logger) {}

  /** Whether there is a `sharp`. */
  async isAvailable(): Promise<boolean> {
    this.#sharp ??= this.#load()
    return (await this.#sharp) !== undefined
  }

  /**
   * The image in other shapes. Never called within a transaction: others may be decoded first.
   *
   * @returns for each shape, undefined if the image cannot be decoded, or there is no `sharp`.
   * @throws {ChatError} `SERVICE_UNAVAILABLE` if too many images are waiting already.
   */
  async resize<const Shapes extends readonly ImageShape[]>(
    source: ImageSource,
    shapes: Shapes,
  ): Promise<{ [Index in keyof Shapes]: Buffer | undefined }>
  async resize(
    source: ImageSource,
    shapes: readonly ImageShape[],
  ): Promise<(Buffer | undefined)[]> {
    this.#sharp ??= this.#load()
    const sharp = await this.#sharp
    if (sharp === undefined) return shapes.map(() => undefined)
    return this.#decode(async () => {
      const image = await contentOf(source)
      const resized: (Buffer | undefined)[] = []
      for (const shape of shapes) resized.push(await this.#resizeOne(sharp, image, shape))
      return resized
    })
  }

  /**
   * Whether an image can be decoded; where there is no `sharp`, whether it is there to its end.
   *
   * @throws {ChatError} `SERVICE_UNAVAILABLE` if too many images are waiting already.
   */
  async isWhole(source: ImageSource): Promise<boolean> {
    if (!(await this.isAvailable())) {
      return this.#decode(async () => isWholeImage(await contentOf(source)))
    }
    const [decoded] = await this.resize(source, [smallest])
    return decoded !== undefined
  }

  /**
   * The image in the shapes in which it is shown; as it is where there is no `sharp`.
   *
   * @throws {ChatError} `BAD_IMAGE` if it cannot be decoded, or is not there to its end;
   *   `SERVICE_UNAVAILABLE` if too many images are waiting already.
   */
  async fit<const Shapes extends readonly ImageShape[]>(
    image: Buffer,
    shapes: Shapes,
  ): Promise<{ [Index in keyof Shapes]: Buffer }>
  async fit(image: Buffer, shapes: readonly ImageShape[]): Promise<Buffer[]> {
    if (!(await this.isAvailable())) {
      if (!(await this.isWhole(image))) throw new ChatError('BAD_IMAGE')
      return shapes.map(() => image)
    }
    const resized: readonly (Buffer | undefined)[] = await this.resize(image, shapes)
    return resized.map((copy) => {
      if (copy === undefined) throw new ChatError('BAD_IMAGE')
      return copy
    })
  }

  async #decode<Result>(decode: () => Promise<Result>): Promise<Result> {
    if (this.#decoding.isFull) throw new ChatError('SERVICE_UNAVAILABLE')
    return this.#decoding.run(decode)
  }

  async #resizeOne(
    sharp: typeof SharpModule,
    image: Buffer,
    { width, height, fit, format, isAnimated }: ImageShape,
  ): Promise<Buffer | undefined> {
    try {
      const resized = sharp(image, { animated: isAnimated, limitInputPixels: maxPixels })
        .autoOrient()
        .resize({ width, height, fit, withoutEnlargement: fit === 'inside' })
        .timeout({ seconds: maxSeconds })
      return await (format === 'webp' ? resized.webp() : resized.png()).toBuffer()
    } catch (error) {
      this.logger.debug('An image could not be resized', { err: error })
      return undefined
    }
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

async function contentOf(source: ImageSource): Promise<Buffer> {
  return typeof source === 'function' ? source() : source
}
