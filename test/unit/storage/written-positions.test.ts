import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

// Dynamic imports, because the tests do not otherwise depend on the internals of the core.
await import('@parley/core')
const { WrittenPositions } = await import('../../../packages/core/src/storage/written-positions.js')

const reader = 7
const positions = () => new WrittenPositions({ joined: { transaction: undefined } } as never)

describe('the positions of written user messages', () => {
  it('are behind from a read that misses something until that is written', () => {
    const known = positions()
    assert.equal(known.isBehind(reader), false)

    known.noteMissing(reader, 20)
    assert.equal(known.isBehind(reader), true)
    known.set(reader, 20)

    assert.equal(known.isBehind(reader), false)
    assert.equal(known.get(reader), 20)
  })

  it('stay behind after a write that began before another message came', () => {
    const known = positions()
    known.noteMissing(reader, 20)
    known.noteMissing(reader, 21)

    known.set(reader, 20)

    assert.equal(known.isBehind(reader), true)
  })
})
