import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import {
  allEmojiCodes,
  emojiCodeOfName,
  emojiNamesOfCode,
} from '../../../packages/core/src/emoji/index.js'

/** The generator's input: the code, main name and further names of each emoji. */
function clientLines(): string[][] {
  return readFileSync(new URL('../../../scripts/emoji-names.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(' '))
}

describe('the emoji table', () => {
  it('maps every name of chat clients to the same emoji as they do', () => {
    const lines = clientLines()

    const wrong = lines.flatMap(([code, ...names]) =>
      names
        .filter((name) => emojiCodeOfName(name) !== code)
        .map((name) => `${name} is not ${code}`),
    )
    assert.deepEqual(wrong, [])
    assert.deepEqual(
      lines.filter(([code = '', main]) => emojiNamesOfCode(code)[0] !== main),
      [],
    )
  })

  it('contains all names of chat clients', () => {
    const text = clientLines()
      .map((line) => line.join(' '))
      .join('\n')

    assert.equal(
      createHash('sha256').update(text).digest('hex'),
      '10d81cad2ff9cdfe1474a2752eaa6b0064d88d4e49e4640850957a95d1235a1f',
    )
  })

  it('maps names of chat clients to their emoji, not to those of other sets', () => {
    const expected = {
      sunset: '1f306',
      camel: '1f42b',
      whale: '1f433',
      pin: '1f4cd',
      hot: '1f525',
      up_button: '1f53c',
      clock: '1f557',
      disco: '1f57a',
      high_five: '1f590',
      speech_bubble: '1f5e8',
      grinning_face_with_smiling_eyes: '1f601',
      tired: '1f614',
      anxious: '1f62c',
      gasp: '1f62e-200d-1f4a8',
      stop: '1f91a',
      swimming: '1f97d',
      mauritius: '1f9a4',
      slow: '1f9a5',
      medical: '1fa7b',
      russia: '1fa86',
      oil: '1fa94',
      metal: '1fa99',
      bathroom: '1faa5',
      yes: '1fae1',
      beach_umbrella: '26f1',
      all_good: '2705',
      email: '2709',
      down: '2b07',
      smile: '1f642',
      working_on_it: '1f6e0',
      '+1': '1f44d',
    }

    for (const [name, code] of Object.entries(expected)) {
      assert.equal(emojiCodeOfName(name), code, name)
      const others = allEmojiCodes().filter((other) => emojiNamesOfCode(other).includes(name))
      assert.deepEqual(others, [code])
    }
  })

  it('contains emoji whose usual names are those of other emoji in clients', () => {
    const expected = {
      '1f3ab': 'pass',
      '1f3d5': 'campsite',
      '1f4ab': 'seeing_stars',
      '1f4f0': 'headlines',
      '1f687': 'subway',
      '1f68a': 'oncoming_tram',
    }

    for (const [code, name] of Object.entries(expected)) {
      assert.equal(emojiNamesOfCode(code)[0], name)
      assert.equal(emojiCodeOfName(name), code)
    }
  })

  it('maps at least one name to every code', () => {
    for (const code of allEmojiCodes()) {
      const names = emojiNamesOfCode(code)
      assert.ok(names.length > 0)
      for (const name of names) assert.equal(emojiCodeOfName(name), code)
    }
  })

  it('contains codes in lower case, without presentation selectors or skin tones', () => {
    for (const code of allEmojiCodes()) {
      assert.match(code, /^[0-9a-f]{4,5}(?:-[0-9a-f]{4,5})*$/)
      assert.doesNotMatch(code, /fe0f|1f3f[b-f]/)
    }
  })

  it('returns nothing for unknown names', () => {
    assert.equal(emojiCodeOfName('Octopus'), undefined)
    assert.equal(emojiCodeOfName('constructor'), undefined)
    assert.deepEqual(emojiNamesOfCode('0041'), [])
  })
})
