import { imageFactsOf, imageHeadBytes } from '../../../domain/files/images.js'

/** Media types that browsers show and that cannot run scripts. */
export type MediaType =
  | 'image/png'
  | 'image/gif'
  | 'image/jpeg'
  | 'image/webp'
  | 'image/bmp'
  | 'audio/aac'
  | 'audio/flac'
  | 'audio/mp4'
  | 'audio/mpeg'
  | 'audio/ogg'
  | 'audio/wav'
  | 'video/mp4'
  | 'video/webm'

/**
 * Recognizes images, audio and video by their content; the declared type is ignored. SVG is
 * excluded: it is a document, which may have scripts.
 *
 * @param content the whole file.
 */
export function mediaTypeOf(content: Buffer): MediaType | undefined {
  const image = imageFactsOf(content.subarray(0, imageHeadBytes))
  return image?.contentType ?? bitmapType(content) ?? containerType(content) ?? frameType(content)
}

function textAt(content: Buffer, start: number, end: number): string {
  return content.toString('latin1', start, end)
}

function bitmapType(content: Buffer): MediaType | undefined {
  if (content.length < 26 || textAt(content, 0, 2) !== 'BM') return undefined
  // The known header sizes, after the file header.
  return [12, 40, 52, 56, 64, 108, 124].includes(content.readUInt32LE(14)) ? 'image/bmp' : undefined
}

function containerType(content: Buffer): MediaType | undefined {
  const start = textAt(content, 0, 4)
  if (start === 'fLaC') return 'audio/flac'
  if (start === 'OggS') return 'audio/ogg'
  if (start === 'RIFF' && textAt(content, 8, 12) === 'WAVE') return 'audio/wav'
  if (start === '\x1a\x45\xdf\xa3') return 'video/webm'
  if (start.startsWith('ID3')) return 'audio/mpeg'
  if (textAt(content, 4, 8) !== 'ftyp') return undefined
  return textAt(content, 8, 11) === 'M4A' ? 'audio/mp4' : 'video/mp4'
}

/** Recognizes streams without a container, which begin with the header of their first frame. */
function frameType(content: Buffer): MediaType | undefined {
  const [first = 0, second = 0, third = 0] = content
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return undefined
  const layer = (second >> 1) & 3
  if (layer === 0) return (second & 0xf0) === 0xf0 ? 'audio/aac' : undefined
  const isVersionKnown = ((second >> 3) & 3) !== 1
  const isBitRateKnown = third >> 4 !== 15 && third >> 4 !== 0
  return isVersionKnown && isBitRateKnown ? 'audio/mpeg' : undefined
}
