/**
 * Properties of an image that are read from its first bytes.
 *
 * Packages that read sizes do not detect animations, which decide how an image is resized.
 */
export interface ImageFacts {
  readonly contentType: 'image/png' | 'image/gif' | 'image/jpeg' | 'image/webp'
  /** As it is displayed, after rotation by its EXIF orientation. */
  readonly widthPixels: number
  readonly heightPixels: number
  readonly isAnimated: boolean
}

/** Number of leading bytes of an image that suffice to recognize it. */
export const imageHeadBytes = 512 * 1024

/**
 * Maximum number of an image's parts: chunks, segments or blocks. Images with more are not
 * recognized, because reading them could hold the event loop; real ones have some thousands.
 */
export const maxImageParts = 20_000

/**
 * Recognizes the formats that every browser shows, by their content; the name and type that a
 * client declares are ignored.
 *
 * @param head the first {@link imageHeadBytes} of the file, or all of it.
 */
export function imageFactsOf(head: Buffer): ImageFacts | undefined {
  const facts = pngFacts(head) ?? gifFacts(head) ?? jpegFacts(head) ?? webpFacts(head)
  return facts !== undefined && facts.widthPixels > 0 && facts.heightPixels > 0 ? facts : undefined
}

function hasText(bytes: Buffer, text: string, at: number): boolean {
  return bytes.toString('latin1', at, at + text.length) === text
}

function pngFacts(head: Buffer): ImageFacts | undefined {
  if (head.length < 33 || !hasText(head, '\x89PNG\r\n\x1a\n', 0) || !hasText(head, 'IHDR', 12)) {
    return undefined
  }
  let isAnimated = false
  let parts = 0
  for (let at = 8; at + 8 <= head.length && !hasText(head, 'IDAT', at + 4);) {
    parts += 1
    if (parts > maxImageParts) return undefined
    if (hasText(head, 'acTL', at + 4)) isAnimated = true
    at += 12 + head.readUInt32BE(at)
  }
  return {
    contentType: 'image/png',
    widthPixels: head.readUInt32BE(16),
    heightPixels: head.readUInt32BE(20),
    isAnimated,
  }
}

function gifFacts(head: Buffer): ImageFacts | undefined {
  if (head.length <= 13 || !(hasText(head, 'GIF87a', 0) || hasText(head, 'GIF89a', 0))) {
    return undefined
  }
  const isAnimated = hasSecondFrame(head)
  if (isAnimated === undefined) return undefined
  return {
    contentType: 'image/gif',
    widthPixels: head.readUInt16LE(6),
    heightPixels: head.readUInt16LE(8),
    isAnimated,
  }
}

const gifExtension = 0x21
const gifImage = 0x2c
const gifEnd = 0x3b

/**
 * If the second frame could be after the bytes that are there: whether the GIF is to be repeated.
 * Undefined if it has too many blocks.
 */
function hasSecondFrame(gif: Buffer): boolean | undefined {
  let isRepeated = false
  let at = 13 + colorTableBytes(gif[10] ?? 0)
  let frames = 0
  let parts = 0
  while (at + 10 < gif.length) {
    parts += 1
    if (parts > maxImageParts) return undefined
    if (gif[at] === gifImage) {
      frames += 1
      if (frames > 1) return true
      at = endOfSubBlocks(gif, at + 11 + colorTableBytes(gif[at + 9] ?? 0))
    } else if (gif[at] === gifExtension) {
      if (hasText(gif, 'NETSCAPE2.0', at + 3)) isRepeated = true
      at = endOfSubBlocks(gif, at + 2)
    } else return false
  }
  return isRepeated && gif[at] !== gifEnd
}

/** The size of a GIF's color table, in bytes, from its flags. */
export function colorTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
}

function endOfSubBlocks(gif: Buffer, start: number): number {
  let at = start
  for (let size = gif[at] ?? 0; size > 0; size = gif[at] ?? 0) at += size + 1
  return at + 1
}

function jpegFacts(head: Buffer): ImageFacts | undefined {
  if (!hasText(head, '\xff\xd8\xff', 0)) return undefined
  let isSideways = false
  let at = 2
  let parts = 0
  while (at + 9 < head.length && head[at] === 0xff) {
    parts += 1
    if (parts > maxImageParts) return undefined
    const marker = head[at + 1] ?? 0
    const length = head.readUInt16BE(at + 2)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) {
      const height = head.readUInt16BE(at + 5)
      const width = head.readUInt16BE(at + 7)
      return {
        contentType: 'image/jpeg',
        widthPixels: isSideways ? height : width,
        heightPixels: isSideways ? width : height,
        isAnimated: false,
      }
    }
    if (marker === 0xe1 && hasText(head, 'Exif\0\0', at + 4)) {
      isSideways = exifOrientation(head.subarray(at + 10, at + 2 + length)) >= 5
    }
    // A marker may be preceded by any number of fill bytes.
    at += marker === 0xff ? 1 : 2 + length
  }
  return undefined
}

const orientationTag = 0x0112
const directoryEntryBytes = 12

/** Reads the EXIF orientation; values from 5 on swap width and height. */
function exifOrientation(tiff: Buffer): number {
  const isLittle = hasText(tiff, 'II', 0)
  const short = (at: number): number => {
    if (at + 2 > tiff.length) return 0
    return isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
  }
  if (tiff.length < 10) return 1
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  // Limited by the remaining bytes: an image may have many directories with wrong counts.
  const maxCount = Math.max(0, Math.floor((tiff.length - directory - 2) / directoryEntryBytes))
  const count = Math.min(short(directory), maxCount)
  for (let index = 0; index < count; index += 1) {
    const entry = directory + 2 + index * directoryEntryBytes
    if (short(entry) === orientationTag) return short(entry + 8)
  }
  return 1
}

function webpFacts(head: Buffer): ImageFacts | undefined {
  if (head.length < 30 || !hasText(head, 'RIFF', 0) || !hasText(head, 'WEBPVP8', 8)) {
    return undefined
  }
  const contentType = 'image/webp'
  if (hasText(head, 'X', 15)) {
    return {
      contentType,
      widthPixels: 1 + head.readUIntLE(24, 3),
      heightPixels: 1 + head.readUIntLE(27, 3),
      isAnimated: ((head[20] ?? 0) & 2) !== 0,
    }
  }
  const isLossless = hasText(head, 'L', 15)
  const sizes = isLossless ? head.readUInt32LE(21) : head.readUInt32LE(26)
  const widthPixels = isLossless ? 1 + (sizes & 0x3fff) : sizes & 0x3fff
  const heightPixels = isLossless ? 1 + ((sizes >>> 14) & 0x3fff) : (sizes >>> 16) & 0x3fff
  return { contentType, widthPixels, heightPixels, isAnimated: false }
}
