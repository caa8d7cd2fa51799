import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import sharp from 'sharp'

// The public entry point imports the decorator polyfill.
import '../../../packages/core/src/index.js'
import {
  ImageResizer,
  requireImage,
} from '../../../packages/core/src/resources/files/images/index.js'
import { pngOf } from '../../support/uploads.js'

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const small = { width: 1, height: 1, fit: 'inside', format: 'webp', isAnimated: false } as const
const picture = pngOf(400, 400)

describe('ImageResizer', () => {
  it('does not decode images of more than forty million pixels', async () => {
    const resizer = new ImageResizer(silent)

    assert.ok((await resizer.resize(pngOf(8000, 5000), [small]))[0])
    assert.equal((await resizer.resize(pngOf(8000, 5001), [small]))[0], undefined)
  })

  it('counts the pixels of all frames of an animation', async () => {
    const resizer = new ImageResizer(silent)
    const frame = await sharp({
      create: { width: 2100, height: 2100, channels: 3, background: 'red' },
    })
      .png()
      .toBuffer()
    // Equal frames would be merged.
    const other = await sharp(frame).negate().png().toBuffer()
    const animated = async (frames: number) =>
      sharp(
        Array.from({ length: frames }, (_, index) => (index % 2 === 0 ? frame : other)),
        { join: { animated: true } },
      )
        .gif({ effort: 1 })
        .toBuffer()
    const moving = { ...small, isAnimated: true }

    const [still, all] = await resizer.resize(await animated(10), [small, moving])

    assert.ok(still)
    assert.equal(all, undefined)
    assert.ok((await resizer.resize(await animated(2), [moving]))[0])
  })

  it('decodes one image at a time', async () => {
    const resizer = new ImageResizer(silent)
    let reading = 0
    const most = { reading: 0, queued: 0, decoding: 0, decodingWhileReading: 0 }
    // Not their sum: a thread may take an image from the queue between the two numbers.
    const note = (): void => {
      const { queue, process } = sharp.counters()
      most.queued = Math.max(most.queued, queue)
      most.decoding = Math.max(most.decoding, process)
    }
    sharp.queue.on('change', note)

    await Promise.all(
      Array.from({ length: 6 }, async () =>
        resizer.resize(async () => {
          reading += 1
          most.reading = Math.max(most.reading, reading)
          const { queue, process } = sharp.counters()
          most.decodingWhileReading = Math.max(most.decodingWhileReading, queue + process)
          await new Promise(setImmediate)
          reading -= 1
          return picture
        }, [small, small]),
      ),
    )

    sharp.queue.off('change', note)
    assert.equal(most.reading, 1)
    assert.equal(most.decodingWhileReading, 0)
    assert.ok(most.queued <= 1 && most.decoding <= 1, JSON.stringify(most))
  })

  it('rejects images behind a long queue, and continues after failures', async () => {
    const resizer = new ImageResizer(silent)
    const unreadable = async (): Promise<Buffer> => {
      throw new Error('gone')
    }

    const outcomes = await Promise.allSettled([
      resizer.resize(unreadable, [small]),
      ...Array.from({ length: 19 }, async () => resizer.resize(picture, [small])),
    ])
    const later = await resizer.resize(picture, [small])

    const kinds = outcomes.map((outcome) =>
      outcome.status === 'fulfilled' ? 'resized' : (outcome.reason.kind ?? outcome.reason.message),
    )
    assert.deepEqual(kinds, [
      'gone',
      ...Array.from({ length: 16 }, () => 'resized'),
      ...Array.from({ length: 3 }, () => 'SERVICE_UNAVAILABLE'),
    ])
    assert.ok(later[0])
  })
})

describe('requireImage', () => {
  it('rejects images that would use too much memory of clients', () => {
    const wide = pngOf(1, 1)
    wide.writeUInt32BE(40_000_001, 16)

    assert.throws(() => requireImage({ bytes: wide, truncated: false }, 5), /image/i)
    assert.equal(requireImage({ bytes: pngOf(1, 1), truncated: false }, 5).widthPixels, 1)
  })
})
