import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  allEmojiCodes,
  emojiCodeOfName,
  emojiNamesOfCode,
} from '../../../packages/core/src/emoji/index.js'

describe('the emoji table', () => {
  it('knows the names that chat clients use differently from the common sets', () => {
    const expected = {
      '+1': '1f44d',
      thumbs_up: '1f44d',
      heart: '2764',
      smile: '1f642',
      slight_smile: '1f642',
      cat: '1f408',
      x: '274e',
      tada: '1f389',
      octopus: '1f419',
      working_on_it: '1f6e0',
      sunglasses: '1f60e',
      check: '2705',
      hurt: '1f915',
      sick: '1f912',
    }

    for (const [name, code] of Object.entries(expected)) {
      assert.equal(emojiCodeOfName(name), code, name)
    }
    assert.equal(emojiNamesOfCode('1f44d')[0], '+1')
  })

  it('gives every code at least one name that leads back to it', () => {
    for (const code of allEmojiCodes()) {
      const names = emojiNamesOfCode(code)
      assert.ok(names.length > 0)
      for (const name of names) assert.equal(emojiCodeOfName(name), code)
    }
  })

  it('writes codes in lower case, without presentation selectors or skin tones', () => {
    for (const code of allEmojiCodes()) {
      assert.match(code, /^[0-9a-f]{4,5}(?:-[0-9a-f]{4,5})*$/)
      assert.doesNotMatch(code, /fe0f|1f3f[b-f]/)
    }
  })

  it('knows nothing of other names', () => {
    assert.equal(emojiCodeOfName('Octopus'), undefined)
    assert.equal(emojiCodeOfName('constructor'), undefined)
    assert.deepEqual(emojiNamesOfCode('0041'), [])
  })
})
