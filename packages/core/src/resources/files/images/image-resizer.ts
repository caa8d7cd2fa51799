import type SharpModule from 'sharp'
import { inject } from 'tsyringe'

import { isWholeImage } from '../../../domain/files/whole-images.js'
import { ChatError } from '../../../errors/index.js'
import { BoundedWork } from '../../../kernel/bounded-work.js'
import type { Logger } from '../../../kernel/logger.js'
import { perServer } from '../../../kernel/per-server.js'
import { LoggerToken } from '../../../kernel/tokens.js'
import { maxPixels } from './uploaded-image.js'

const maxSeconds = 10

/**
 * A decode occupies one thread of the pool that SQLite, DNS lookups and file access share, one
 * CPU core, and up to 160 MB of memory.
 */
const decodeBounds = { maxRunning: 1, maxWaiting: 16 }

/** The target shape of an image; sizes in pixels. */
export interface ImageShape {
  readonly width: number
  readonly height: number
  /** `inside`: scaled down to fit, never enlarged; `cover`: exactly this size, cropped. */
  readonly fit: 'inside' | 'cover'
  readonly format: 'webp' | 'png'
  /** Whether an animation stays animated. */
  readonly isAnimated: boolean
}

/** For a trial decode of an image with all its frames. */
const smallest: ImageShape = { width: 1, height: 1, fit: 'cover', format: 'webp', isAnimated: true }

/** An image, or a function that reads it when it is about to be decoded. */
export type ImageSource = Buffer | (() => Promise<Buffer>)

/** Resizes images, one at a time, if the application has installed `sharp`. */
@perServer()
export class ImageResizer {
  readonly #decoding = new BoundedWork(decodeBounds)
  #sharp: Promise<typeof SharpModule | undefined> | undefined

  constructor(@inject(LoggerToken) private readonly logger: Logger) {}

  /** Whether `sharp` is installed. */
  async isAvailable(): Promise<boolean> {
    this.#sharp ??= this.#load()
    return (await this.#sharp) !== undefined
  }

  /**
   * Converts an image to other shapes. Must not be called within a transaction, because it may
   * wait for other images to be decoded.
   *
   * @returns for each shape, undefined if the image cannot be decoded or `sharp` is not installed.
   * @throws {ChatError} `SERVICE_UNAVAILABLE` if too many images are waiting.
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
   * Whether an image can be decoded; without `sharp`, whether it is not truncated.
   *
   * @throws {ChatError} `SERVICE_UNAVAILABLE` if too many images are waiting.
   */
  async isWhole(source: ImageSource): Promise<boolean> {
    if (!(await this.isAvailable())) {
      return this.#decode(async () => isWholeImage(await contentOf(source)))
    }
    const [decoded] = await this.resize(source, [smallest])
    return decoded !== undefined
  }

  /**
   * Converts an image to the shapes in which it is served; without `sharp`, returns it unchanged.
   *
   * @throws {ChatError} `BAD_IMAGE` if it cannot be decoded or is truncated; `SERVICE_UNAVAILABLE`
   *   if too many images are waiting.
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
