import { crc32 } from 'node:zlib'

import { EventLoopYielder } from '../../kernel/event-loop-yielder.js'
import { colorTableBytes, imageFactsOf, maxImageParts } from './images.js'

/**
 * Parses an image from its beginning, in small steps; true if it reaches the end of the format.
 * False if there are more than {@link maxImageParts}, of which the data blocks in a GIF are none.
 */
type Walk = Generator<void, boolean, void>

const walks = {
  'image/png': walkPng,
  'image/gif': walkGif,
  'image/jpeg': walkJpeg,
  'image/webp': walkWebp,
} as const

/**
 * Whether an image is complete: its parts have their declared lengths, and valid checksums where
 * the format has them. Nothing is decoded; bytes after the end are ignored.
 *
 * @param image the whole file.
 */
export async function isWholeImage(image: Buffer): Promise<boolean> {
  const facts = imageFactsOf(image)
  if (facts === undefined) return false
  const yielder = new EventLoopYielder()
  const walk = walks[facts.contentType](image)
  for (let step = walk.next(); ; step = walk.next()) {
    if (step.done === true) return step.value
    if (yielder.isDue) await yielder.yield()
  }
}

const pieceBytes = 64 * 1024
/** Number of parts per step, for parts that need only a few reads. */
const partsPerPiece = 1000

function* walkPng(png: Buffer): Walk {
  let hasPixels = false
  let parts = 0
  let at = 8
  while (at + 12 <= png.length) {
    const dataEnd = at + 8 + png.readUInt32BE(at)
    if (dataEnd + 4 > png.length) return false
    const type = png.toString('latin1', at + 4, at + 8)
    let sum = 0
    for (let from = at + 4; from < dataEnd; from += pieceBytes) {
      sum = crc32(png.subarray(from, Math.min(dataEnd, from + pieceBytes)), sum)
      if (dataEnd - from > pieceBytes) yield
    }
    if (sum !== png.readUInt32BE(dataEnd)) return false
    if (type === 'IEND') return hasPixels
    if (type === 'IDAT') hasPixels = true
    at = dataEnd + 4
    parts += 1
    if (parts > maxImageParts) return false
    if (parts % partsPerPiece === 0) yield
  }
  return false
}

function* walkGif(gif: Buffer): Walk {
  let hasPixels = false
  let parts = 0
  let dataBlocks = 0
  let at = 13 + colorTableBytes(gif[10] ?? 0)
  while (at < gif.length) {
    if (gif[at] === 0x3b) return hasPixels
    if (gif[at] === 0x2c) {
      hasPixels = true
      // The descriptor, its color table, and the minimum code size.
      at += 10 + colorTableBytes(gif[at + 9] ?? 0) + 1
    } else if (gif[at] === 0x21) at += 2
    else return false
    for (let size = gif[at] ?? 0; size > 0; size = gif[at] ?? 0) {
      at += size + 1
      dataBlocks += 1
      if (dataBlocks % partsPerPiece === 0) yield
    }
    at += 1
    parts += 1
    if (parts > maxImageParts) return false
    if (parts % partsPerPiece === 0) yield
  }
  return false
}

function* walkJpeg(jpeg: Buffer): Walk {
  let hasPixels = false
  let parts = 0
  let at = 2
  while (at + 1 < jpeg.length) {
    parts += 1
    if (parts > maxImageParts) return false
    if (parts % partsPerPiece === 0) yield
    if (jpeg[at] !== 0xff) return false
    const marker = jpeg[at + 1] ?? 0
    if (marker === 0xd9) return hasPixels
    if (marker === 0xff) {
      // A marker may be preceded by any number of fill bytes.
      at += 1
    } else {
      if (at + 4 > jpeg.length) return false
      at += 2 + jpeg.readUInt16BE(at + 2)
      if (marker === 0xda) {
        hasPixels = true
        at = yield* endOfScan(jpeg, at)
      }
    }
  }
  return false
}

/**
 * Position of the next marker after entropy-coded data, in which 0xff is followed by 0 or by the
 * number of a restart marker.
 */
function* endOfScan(jpeg: Buffer, start: number): Generator<void, number, void> {
  let at = start
  for (let bytes = 1; at < jpeg.length; at += 1, bytes += 1) {
    if (bytes % pieceBytes === 0) yield
    if (jpeg[at] === 0xff) {
      const next = jpeg[at + 1] ?? 0
      if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at
      at += 1
    }
  }
  return at
}

function* walkWebp(webp: Buffer): Walk {
  const end = 8 + webp.readUInt32LE(4)
  if (end > webp.length) return false
  let hasPixels = false
  let parts = 0
  let at = 12
  while (at + 8 <= end) {
    if (/^(?:VP8 |VP8L|ANMF)$/.test(webp.toString('latin1', at, at + 4))) hasPixels = true
    const bytes = webp.readUInt32LE(at + 4)
    at += 8 + bytes + (bytes % 2)
    parts += 1
    if (parts > maxImageParts) return false
    if (parts % partsPerPiece === 0) yield
  }
  return hasPixels && at === end
}
