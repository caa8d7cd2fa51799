import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

const cellsPerSide = 5
/** Width of the margin at each edge, as a share of the side. */
const marginShare = 0.1
const background = [240, 240, 240] as const

/**
 * Draws a picture derived from a text: 5 × 5 cells, mirrored, in one color on light gray.
 *
 * @param seed equal texts have equal pictures.
 * @param sidePixels a multiple of ten.
 * @returns a PNG of two colors.
 */
export function drawIdenticon(seed: string, sidePixels: number): Buffer {
  const digest = createHash('sha256').update(seed).digest()
  const margin = Math.round(sidePixels * marginShare)
  const cell = (sidePixels - 2 * margin) / cellsPerSide
  const bytesPerRow = 1 + Math.ceil(sidePixels / 8)
  const pixels = Buffer.alloc(bytesPerRow * sidePixels)
  for (let y = margin; y < sidePixels - margin; y += 1) {
    const row = Math.floor((y - margin) / cell)
    for (let x = margin; x < sidePixels - margin; x += 1) {
      const column = Math.floor((x - margin) / cell)
      if (!isFilled(digest, row, Math.min(column, cellsPerSide - 1 - column))) continue
      // Each row begins with its filter byte.
      const at = y * bytesPerRow + 1 + (x >> 3)
      pixels[at] = (pixels[at] ?? 0) | (0x80 >> (x & 7))
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(sidePixels, 0)
  header.writeUInt32BE(sidePixels, 4)
  // One bit for each pixel, from a palette.
  header.set([1, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from([...background, ...colorOf(digest)])),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function isFilled(digest: Buffer, row: number, column: number): boolean {
  const bit = row * 3 + column
  return (((digest[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1
}

/** A hue of medium lightness, visible on light and on dark backgrounds. */
function colorOf(digest: Buffer): readonly number[] {
  const hue = digest.readUInt16BE(2) % 360
  const [saturation, lightness] = [0.5, 0.5]
  const amount = saturation * Math.min(lightness, 1 - lightness)
  // https://www.w3.org/TR/css-color-4/#hsl-to-rgb
  return [0, 8, 4].map((offset) => {
    const k = (offset + hue / 30) % 12
    return Math.round(255 * (lightness - amount * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  })
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
