import { imageFactsOf, type ImageFacts } from '../../../domain/files/images.js'
import { badRequest, ChatError, namedText } from '../../../errors/index.js'

/** The most pixels, over all frames of an animation, that are decoded: about 160 MB. */
export const maxPixels = 40_000_000

/** An image from a request. */
export interface UploadedImage {
  readonly bytes: Buffer
  /** Whether the image exceeded the size limit and was cut off. */
  readonly truncated: boolean
}

/** The text that names the image in an error. */
export type ImageWord = 'IMAGE_FILE' | 'IMAGE_AVATAR' | 'IMAGE_ICON' | 'IMAGE_LOGO'

/**
 * @param what names the image in the error.
 * @throws {ChatError} `BAD_REQUEST` unless there is exactly one image.
 */
export function requireOneImage(images: readonly UploadedImage[], what: ImageWord): UploadedImage {
  const [image, ...more] = images
  if (image === undefined || more.length > 0) {
    throw badRequest('IMAGE_MISSING', { what: namedText(what) })
  }
  return image
}

/**
 * Reads the type and the size of an uploaded image from its bytes.
 *
 * @param text of the `BAD_IMAGE` error, if not the default text.
 * @throws {ChatError} `BAD_REQUEST` if the file is too large; `BAD_IMAGE` if it is not an image
 *   or has too many pixels.
 */
export function requireImage(
  { bytes, truncated }: UploadedImage,
  maxMebibytes: number,
  text?: 'EMOJI_IMAGE_INVALID',
): ImageFacts {
  if (truncated) {
    throw badRequest('IMAGE_TOO_LARGE', { limit: maxMebibytes })
  }
  const facts = imageFactsOf(bytes)
  if (facts !== undefined && !hasTooManyPixels(facts)) return facts
  throw new ChatError('BAD_IMAGE', text === undefined ? {} : { text: namedText(text) })
}

/** Whether an image would take too much memory to decode, on the server or in clients. */
export function hasTooManyPixels({ widthPixels, heightPixels }: ImageFacts): boolean {
  return widthPixels * heightPixels > maxPixels
}
