import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

// The composition brings what decorators need.
import '../../../packages/core/src/index.js'
import { ImageResizer, requireImage } from '../../../packages/core/src/resources/images/index.js'
import { pngOf } from '../../support/uploads.js'

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const small = { width: 1, height: 1, fit: 'inside', format: 'webp', isAnimated: false } as const

describe('ImageResizer', () => {
  it('does not decode images of a hundred million pixels, however few bytes they have', async () => {
    const resizer = new ImageResizer(silent)

    assert.ok(await resizer.resize(pngOf(1_000, 100), small))
    assert.equal(await resizer.resize(pngOf(10_001, 10_000), small), undefined)
  })
})

describe('requireImage', () => {
  it('takes none that would fill the memory of whoever shows it', () => {
    const wide = pngOf(1, 1)
    wide.writeUInt32BE(100_000_001, 16)

    assert.throws(() => requireImage({ bytes: wide, truncated: false }, 5), /image/i)
    assert.equal(requireImage({ bytes: pngOf(1, 1), truncated: false }, 5).widthPixels, 1)
  })
})
