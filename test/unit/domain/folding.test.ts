import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { topicKey } from '../../../packages/core/src/domain/messages/topics.js'
import {
  codePointLength,
  foldCase,
  takeCodePoints,
  toWellFormed,
} from '../../../packages/core/src/domain/texts/folding.js'

describe('folding', () => {
  it('treats texts as equal that differ in case or in how accents are encoded', () => {
    const [composed, decomposed] = ['\u00c4pfel \u1e69', 'A\u0308pfel s\u0323\u0307']

    assert.notEqual(composed, decomposed)
    assert.equal(foldCase(composed), foldCase(decomposed))
    assert.equal(foldCase(decomposed.toUpperCase()), foldCase(composed))
    assert.equal(topicKey(composed), topicKey(decomposed))
    assert.notEqual(foldCase('Apfel'), foldCase('\u00c4pfel'))
  })

  it('counts and truncates code points, not UTF-16 code units', () => {
    const text = 'a\u{1f600}b\u{1f601}'

    assert.equal(codePointLength(text), 4)
    assert.deepEqual(
      [1, 2, 3, 4, 5].map((count) => takeCodePoints(text, count)),
      ['a', 'a\u{1f600}', 'a\u{1f600}b', text, text],
    )
    assert.equal(codePointLength('\ud83da'), 2)
  })

  it('replaces unpaired surrogates', () => {
    assert.equal(toWellFormed('a\ud83db\u{1f600}\ude00'), 'a\ufffdb\u{1f600}\ufffd')
  })
})
