import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import {
  colorTableBytes,
  imageFactsOf,
  maxImageParts,
} from '../../../packages/core/src/domain/files/images.js'
import { isWholeImage } from '../../../packages/core/src/domain/files/whole-images.js'
// The public entry point imports the decorator polyfill.
import '../../../packages/core/src/index.js'
import { ImageResizer } from '../../../packages/core/src/resources/files/images/index.js'
import { Thumbnailer } from '../../../packages/core/src/resources/files/uploads/thumbnailer.js'
import { movingGif, pngOf } from '../../support/uploads.js'

// Noise of 16 x 16 pixels; images of 4 x 4, three frames and one.
const baselineJpeg = Buffer.from(
  '/9j/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5mo' +
    'q6T/wAALCAAQABABAREA/8QAFwAAAwEAAAAAAAAAAAAAAAAAAAECA//EACcQAAIBAgQEBwAAAAAAAAAAAAECAxEhABIx' +
    'UQQTIiMUM0FicZHR/9oACAEBAAA/AKj6ouXFl4iNV8p+l0H5cbi1Bho2btwtzFFvDzijAe0/A9KgbYzYl1EkiidAaiaG' +
    'gdTrcb6bUwHuoQ2XjIhYkWkUaX+jrrvj/9k=',
  'base64',
)

const progressiveJpeg = Buffer.from(
  '/9j/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71////m8H////6/+b9' +
    '//j/wgALCAAQABABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAAAQD/2gAIAQEAAAABkP/EABQQAQAAAAAAAAAAAAAAAAAA' +
    'ACD/2gAIAQEAAQUCH//EABoQAAICAwAAAAAAAAAAAAAAAAABUWEhUpH/2gAIAQEABj8CmjHGTaNkf//EABwQAAEEAwEA' +
    'AAAAAAAAAAAAAAEAESExQVGB8f/aAAgBAQABPyEUwgMrCGidBkOYdFY9F//aAAgBAQAAABCf/8QAGxAAAQUBAQAAAAAA' +
    'AAAAAAAAAQARITFRgfD/2gAIAQEAAT8QlFGw8ONRPU9ucCJgQEXEAG62sRmdgWRAeY3er//Z',
  'base64',
)

const movingWebp = Buffer.from(
  'UklGRo4BAABXRUJQVlA4WAoAAAASAAAAAwAAAwAAQU5JTQYAAAD/////AABBTk1GcAAAAAAAAAAAAAMAAAMAAGQAAAJW' +
    'UDhMWAAAAC8DwAAQf6CmbQPmrjQBlD/SglDINgIksHsAzp/sQBSyjQDHBHYPwDGcQrYR4JjA7gE4qysD/hNoWwIE2pbA' +
    'thHYtnsEQCQAEW3yyRcbXLDFBZ8i+h89KGdBTk1GdAAAAAAAAAAAAAMAAAMAAMgAAAJWUDhMWwAAAC8DwAAQf6CYkSTo' +
    'tf6SA7BHISyEgrZtGP4s224AXgAoZCMJ8ll/pAW4pwCK2raBIJb/vwB2GEAZSgnomQHpFqRb0DMD3uuZAUEAxIcFLR48' +
    'adJiQUpE/wNrLB4AQU5NRm4AAAAAAAAAAAADAAADAAAsAQACVlA4TFYAAAAvA8AAEH+gkI0kKOuveQBfFc5BUds2EH+O' +
    'fRbADgNQyEYSZLP+UAtwTwEUspEEAa6/wQLcU4AyJAlUW+iZAeiZeQlAJACRffHJFltcsMUFlyL6H4tFvA==',
  'base64',
)

const stillWebp = Buffer.from(
  'UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoEAAQADMDOJaQAA3AA/t9WAAA=',
  'base64',
)

const images = {
  png: pngOf(300, 200),
  gif: movingGif,
  'baseline JPEG': baselineJpeg,
  'progressive JPEG': progressiveJpeg,
  'moving WebP': movingWebp,
  'still WebP': stillWebp,
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const small = { width: 1, height: 1, fit: 'inside', format: 'webp', isAnimated: false } as const

/** An application without `sharp`. */
class WithoutSharp extends ImageResizer {
  override isAvailable(): Promise<boolean> {
    return Promise.resolve(false)
  }
}

/** The formats with a part of each that may be repeated, and where. */
const repeatable: Readonly<Record<string, { image: Buffer; at: number; part: Buffer }>> = {
  PNG: { image: images.png, at: 33, part: Buffer.from('\0\0\0\0teXt\xae\x0f\x83\x65', 'latin1') },
  GIF: {
    image: movingGif,
    at: 13 + colorTableBytes(movingGif[10] ?? 0),
    part: Buffer.from([0x21, 0xfe, 0]),
  },
  JPEG: { image: baselineJpeg, at: 2, part: Buffer.from([0xff, 0xfe, 0, 2]) },
  WebP: { image: movingWebp, at: 30, part: Buffer.from('none\0\0\0\0') },
}

function withParts(format: string, count: number): Buffer {
  const { image, at, part } = repeatable[format] ?? assert.fail()
  const parts = Array<Buffer>(count).fill(part)
  const repeated = Buffer.concat([image.subarray(0, at), ...parts, image.subarray(at)])
  if (format === 'WebP') repeated.writeUInt32LE(repeated.length - 8, 4)
  return repeated
}

describe('an image', () => {
  for (const format of Object.keys(repeatable)) {
    it(`may have many parts, but no more than the limit (${format})`, async () => {
      const [many, tooMany] = [maxImageParts - 100, maxImageParts + 1].map((count) =>
        withParts(format, count),
      ) as [Buffer, Buffer]
      assert.equal(await isWholeImage(many), true)
      assert.equal(await isWholeImage(tooMany), false)
      // The size of a WebP image is in its first chunk, so that the others are not read.
      assert.equal(imageFactsOf(tooMany) === undefined, format !== 'WebP')
    })
  }
})

describe('a complete image', () => {
  for (const [format, image] of Object.entries(images)) {
    it(`is not truncated anywhere (${format})`, async () => {
      assert.equal(await isWholeImage(image), true)
      assert.equal(await isWholeImage(Buffer.concat([image, Buffer.from('more')])), true)
      for (let end = 0; end < image.length; end += 1) {
        assert.equal(await isWholeImage(image.subarray(0, end)), false, `${end} bytes`)
      }
    })

    it(`is decoded if possible, and otherwise read to its end (${format})`, async () => {
      const half = image.subarray(0, Math.max(44, Math.floor(image.length / 2)) - 4)
      assert.equal(imageFactsOf(half)?.contentType, imageFactsOf(image)?.contentType)

      for (const resizer of [new ImageResizer(silent), new WithoutSharp(silent)]) {
        assert.deepEqual([await resizer.isWhole(image), await resizer.isWhole(half)], [true, false])
        const [copy] = await resizer.fit(image, [small])
        assert.ok(copy.length > 0)
        await assert.rejects(resizer.fit(half, [small]), { code: 'BAD_IMAGE' })
        const thumbnails = new Thumbnailer(resizer)
        assert.notEqual(await thumbnails.make(image, false), undefined)
        assert.equal(await thumbnails.make(half, false), undefined)
      }
    })
  }

  it('has the checksums of its PNG chunks', async () => {
    const damaged = Buffer.from(images.png)
    damaged[60] = (damaged[60] ?? 0) ^ 1

    assert.equal(await isWholeImage(damaged), false)
  })

  it('has pixels', async () => {
    const { png } = images
    const withoutPixels = Buffer.concat([png.subarray(0, 33), png.subarray(png.length - 12)])

    assert.equal(await isWholeImage(withoutPixels), false)
    assert.equal(await isWholeImage(Buffer.from('GIF89a\x04\0\x04\0\0\0\0\x3b', 'latin1')), false)
  })

  it('is checked in bounded time, whatever its content', async () => {
    const large = 4 * 1024 * 1024
    const fill = (head: Buffer, bytes: readonly number[]) => {
      const image = Buffer.alloc(large, Buffer.from(bytes))
      head.copy(image)
      return image
    }
    const start = process.cpuUsage().user
    let ticks = 0
    const counting = setInterval(() => (ticks += 1))

    for (const image of [
      fill(images['baseline JPEG'].subarray(0, 200), [0xff, 0]),
      fill(movingGif.subarray(0, -1), [0x21, 1]),
      fill(movingGif.subarray(0, -1), [0x21, 0, 0]),
      fill(images.png.subarray(0, 33), [0]),
      fill(images['moving WebP'].subarray(0, 30), [0]),
    ]) {
      assert.equal(await isWholeImage(image), false)
    }
    clearInterval(counting)
    assert.ok(process.cpuUsage().user - start < 5e6)
    // The event loop continues meanwhile.
    assert.ok(ticks > 0)
  })
})
