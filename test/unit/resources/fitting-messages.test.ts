import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import {
  fittingMessages,
  greatestSize,
} from '../../../packages/core/src/resources/messages/reading/fitting-messages.js'

const mebibyte = 1024 * 1024

describe('greatestSize', () => {
  for (const [name, value] of Object.entries({
    'control characters': '\u0000'.repeat(1000),
    'quotes and backslashes': '"\\'.repeat(1000),
    'halves of surrogate pairs': '\ud83d'.repeat(1000),
    'characters of three bytes': '€'.repeat(1000),
    'many empty values': Array.from({ length: 1000 }, () => ({ a: null, b: [], c: {}, d: '' })),
    numbers: [Number.MIN_VALUE, -Number.MAX_VALUE, Number.MAX_SAFE_INTEGER, true],
    nested: { reactions: [{ user: { full_name: 'ü'.repeat(100) } }], flags: ['read', 'starred'] },
  })) {
    it(`is not less than the JSON of ${name}`, () => {
      assert.ok(greatestSize(value) >= Buffer.byteLength(JSON.stringify(value)))
    })
  }
})

describe('fittingMessages', () => {
  const text = 'x'.repeat(mebibyte)
  const list = (count: number, content: string) =>
    Array.from({ length: count }, (_, index) => ({ id: index + 1, content }))

  it('keeps all messages that may be too large, but are not', async () => {
    assert.equal((await fittingMessages(list(15, text), 1)).length, 15)
  })

  it('keeps those nearest to the anchor', async () => {
    const ids = (await fittingMessages(list(40, text), 30)).map(({ id }) => id)
    assert.deepEqual(
      ids,
      Array.from({ length: 15 }, (_, index) => index + 23),
    )
  })

  it('keeps one message of any size', async () => {
    assert.equal((await fittingMessages(list(2, text.repeat(17)), 1)).length, 1)
  })
})
