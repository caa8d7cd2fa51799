import { imageFactsOf, type ImageFacts } from '../../../domain/images.js'
import { badRequest, ChatError } from '../../../errors/index.js'

/** The most pixels, over all frames of an animation, that are decoded: about 160 MB. */
export const maxPixels = 40_000_000

/** An image from a request. */
export interface UploadedImage {
  readonly bytes: Buffer
  /** Whether the image exceeded the size limit and was cut off. */
  readonly truncated: boolean
}

/**
 * @param what the name of the image in the error message.
 * @throws {ChatError} `BAD_REQUEST` unless there is exactly one image.
 */
export function requireOneImage(images: readonly UploadedImage[], what: string): UploadedImage {
  const [image, ...more] = images
  if (image === undefined || more.length > 0) {
    throw badRequest(`You must upload exactly one ${what}.`)
  }
  return image
}

/**
 * Reads the type and the size of an uploaded image from its bytes.
 *
 * @param message of the `BAD_IMAGE` error, if not the default message.
 * @throws {ChatError} `BAD_REQUEST` if the file is too large; `BAD_IMAGE` if it is not an image
 *   or has too many pixels.
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

/** Whether an image would take too much memory to decode, on the server or in clients. */
export function hasTooManyPixels({ widthPixels, heightPixels }: ImageFacts): boolean {
  return widthPixels * heightPixels > maxPixels
}
