import { imageFactsOf, type ImageFacts } from '../../domain/images.js'
import { badRequest, ChatError } from '../../errors/index.js'

/** Images, or animations with all their frames, of more pixels are not decoded: some 160 MB. */
export const maxPixels = 40_000_000

/** An image as a request brings it. */
export interface UploadedImage {
  readonly bytes: Buffer
  /** Whether there was more of it than is taken. */
  readonly truncated: boolean
}

/**
 * @param what it is called in the answer where it is missing.
 * @throws {ChatError} `BAD_REQUEST` unless there is exactly one.
 */
export function requireOneImage(images: readonly UploadedImage[], what: string): UploadedImage {
  const [image, ...more] = images
  if (image === undefined || more.length > 0) {
    throw badRequest(`You must upload exactly one ${what}.`)
  }
  return image
}

/**
 * What an uploaded file says about itself.
 *
 * @param message of the answer if it is no image, where the usual one is not meant.
 * @throws {ChatError} `BAD_REQUEST` if it is too large, `BAD_IMAGE` if it is no image, or of
 *   more pixels than are decoded.
 */
export function requireImage(
  { bytes, truncated }: UploadedImage,
  maxMebibytes: number,
  message?: string,
): ImageFacts {
  if (truncated) {
    throw badRequest(`Uploaded file is larger than the allowed limit of ${maxMebibytes} MiB`)
  }
  const facts = imageFactsOf(bytes)
  if (facts !== undefined && !hasTooManyPixels(facts)) return facts
  throw new ChatError('BAD_IMAGE', message === undefined ? {} : { message })
}

/** Whether an image would take too much memory to decode, here or where it is shown. */
export function hasTooManyPixels({ widthPixels, heightPixels }: ImageFacts): boolean {
  return widthPixels * heightPixels > maxPixels
}
