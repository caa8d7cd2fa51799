import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { requestedBytes } from '../../../packages/core/src/domain/files/byte-ranges.js'
import {
  contentTypeOf,
  isShownInPlace,
} from '../../../packages/core/src/domain/files/content-types.js'
import { imageFactsOf } from '../../../packages/core/src/domain/files/images.js'
import {
  decodeFileName,
  sanitizeFileName,
} from '../../../packages/core/src/resources/files/uploads/upload-service.js'
import { movingGif, pngOf } from '../../support/uploads.js'

const bytes = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part as number[]),
    ),
  )

/** A JPEG's first segments: EXIF with an orientation, then the frame of 300 × 200. */
const jpegHead = (orientation: number, littleEndian: boolean): Buffer => {
  const short = (value: number): number[] => (littleEndian ? [value, 0] : [0, value])
  const long = (value: number): number[] => (littleEndian ? [value, 0, 0, 0] : [0, 0, 0, value])
  const tag = littleEndian ? [0x12, 0x01] : [0x01, 0x12]
  const exif = bytes(
    'Exif\0\0',
    littleEndian ? 'II*\0' : 'MM\0*',
    long(8),
    short(1),
    [...tag, ...short(3), ...long(1), ...short(orientation), 0, 0],
    long(0),
  )
  return bytes(
    [0xff, 0xd8, 0xff, 0xe1, 0, exif.length + 2],
    exif.toString('latin1'),
    [0xff, 0xc0, 0, 17, 8, 0, 200, 1, 44, 3],
    '............',
  )
}

describe('images', () => {
  const size = (head: Buffer) => {
    const facts = imageFactsOf(head)
    return facts && [facts.contentType, facts.widthPixels, facts.heightPixels, facts.isAnimated]
  }

  it('have their size and whether they are animated', () => {
    // Programs say of every GIF that it is to be repeated.
    const oneFrame = Buffer.concat([movingGif.subarray(0, -24), Buffer.from([0x3b])])
    assert.deepEqual(size(pngOf(640, 480)), ['image/png', 640, 480, false])
    assert.deepEqual(size(movingGif), ['image/gif', 1, 1, true])
    assert.deepEqual(size(oneFrame), ['image/gif', 1, 1, false])
    // The second frame of a long one may be after the bytes that are there.
    assert.deepEqual(size(oneFrame.subarray(0, -1)), ['image/gif', 1, 1, true])
    const lossy = bytes('RIFF....WEBPVP8 ', [0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 64, 1, 240, 0])
    const extended = bytes('RIFF....WEBPVP8X', [10, 0, 0, 0, 2, 0, 0, 0, 63, 1, 0, 239, 0, 0])
    assert.deepEqual(size(lossy), ['image/webp', 320, 240, false])
    assert.deepEqual(size(extended), ['image/webp', 320, 240, true])
  })

  it('are rotated according to their EXIF orientation', () => {
    assert.deepEqual(size(jpegHead(1, true)), ['image/jpeg', 300, 200, false])
    assert.deepEqual(size(jpegHead(6, true)), ['image/jpeg', 200, 300, false])
    assert.deepEqual(size(jpegHead(8, false)), ['image/jpeg', 200, 300, false])
  })

  it('are parsed in bounded time with invalid metadata', () => {
    const lie = bytes('Exif\0\0II*\0', [8, 0, 0, 0, 0xff, 0xff])
    const segment = bytes([0xff, 0xe1, 0, lie.length + 2], lie.toString('latin1'))
    const jpeg = Buffer.concat([bytes([0xff, 0xd8]), ...Array<Buffer>(20_000).fill(segment)])
    const before = process.cpuUsage().user

    assert.equal(imageFactsOf(jpeg), undefined)
    assert.ok(process.cpuUsage().user - before < 1e6)
  })

  it('have no other formats, and may be truncated anywhere', () => {
    for (const whole of [pngOf(4, 4), movingGif, jpegHead(6, true), Buffer.from('<svg/>')]) {
      for (let end = 0; end < whole.length; end += 1) imageFactsOf(whole.subarray(0, end))
    }
    assert.equal(imageFactsOf(Buffer.from('<svg/>')), undefined)
    assert.equal(imageFactsOf(pngOf(0, 4)), undefined)
  })
})

describe('file names', () => {
  it('lose characters that are invalid in an address', () => {
    const names = {
      'a b - c.txt': 'a-b-c.txt',
      '../../etc/passwd': '....etcpasswd',
      '<b>"\'.html': 'b.html',
      '\u0000\u202e': 'uploaded-file',
      '.': 'uploaded-file',
      日本語: '日本語',
    }
    for (const [name, expected] of Object.entries(names)) {
      assert.equal(sanitizeFileName(name), expected)
    }
  })

  it('are truncated, but keep their extension', () => {
    const name = sanitizeFileName(`${'x'.repeat(400)}.tar`)

    assert.equal(name.length, 150)
    assert.ok(name.endsWith('x.tar'))
  })

  it('may be percent-encoded', () => {
    assert.equal(decodeFileName('gr%C3%BCn.txt'), 'grün.txt')
    assert.equal(decodeFileName('100%.txt'), '100%.txt')
    assert.equal(decodeFileName(''), 'uploaded-file')
    // Nor half a surrogate pair, nor a character that no text has.
    assert.equal(decodeFileName('a%00b\ud800\n.txt'), 'ab.txt')
    assert.equal(decodeFileName('%00'), 'uploaded-file')
  })
})

describe('content types', () => {
  it('are those that clients send, or those of the name', () => {
    assert.equal(contentTypeOf('a.mp3', 'application/octet-stream'), 'audio/mpeg')
    assert.equal(contentTypeOf('a.mp3', 'audio/x-mine'), 'audio/x-mine')
    assert.equal(contentTypeOf('a.leaf', 'text/plain'), 'text/plain')
    assert.equal(contentTypeOf('a.flac', ''), 'audio/flac')
    assert.equal(contentTypeOf('a.epub', ''), 'application/epub+zip')
    assert.equal(contentTypeOf('a', ''), 'application/octet-stream')
    assert.equal(contentTypeOf('a.constructor', ''), 'application/octet-stream')
    assert.equal(contentTypeOf('a', 'text/html\r\nX: y'), 'application/octet-stream')
  })

  it('are displayed inline only if they cannot contain scripts', () => {
    for (const type of ['image/png', 'audio/mpeg', 'video/mp4', 'text/plain']) {
      assert.ok(isShownInPlace(type), type)
    }
    for (const type of [
      'text/html',
      'image/svg+xml',
      'application/pdf',
      'application/xml',
      'application/xhtml+xml',
      'text/plain; x',
    ]) {
      assert.ok(!isShownInPlace(type), type)
    }
  })
})

describe('byte ranges', () => {
  it('are parsed as specified in RFC 9110', () => {
    assert.deepEqual(requestedBytes('bytes=0-0', 5), { start: 0, end: 1 })
    assert.deepEqual(requestedBytes('bytes=-99', 5), { start: 0, end: 5 })
    assert.equal(requestedBytes('bytes=-0', 5), 'unsatisfiable')
    assert.equal(requestedBytes('bytes=0-', 0), 'unsatisfiable')
    for (const whole of [undefined, '', 'bytes=-', 'bytes=3-2', 'bytes=a-b', 'bytes=1-2,3-4']) {
      assert.equal(requestedBytes(whole, 5), undefined, whole)
    }
  })
})
