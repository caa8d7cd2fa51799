import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import {
  equalNameForms,
  normalizeFullName,
} from '../../../packages/core/src/domain/users/full-name.js'

describe('a full name', () => {
  it('is trimmed', () => {
    assert.equal(normalizeFullName('  Ada  Lovelace \n'), 'Ada  Lovelace')
  })

  it('may have letters of all scripts, punctuation and a vertical bar', () => {
    for (const name of ['王小明', "Seán O'Brien-Møller", 'R2|D2', 'Ада', 'x.', '🦊🦊', 'a|b 7']) {
      assert.equal(normalizeFullName(name), name)
    }
  })

  it('has 2 to 100 code points', () => {
    assert.equal(normalizeFullName('𝒜'.repeat(100)).length, 200)
    assert.throws(() => normalizeFullName('𝒜'.repeat(101)), /Name too long!/)
    assert.throws(() => normalizeFullName('𝒜'), /Name too short!/)
  })

  it('has no control, format or private use characters of any plane', () => {
    for (const character of [
      '\u0000',
      '\u0007',
      '\u00AD',
      '\u202E',
      '\uE000',
      '\u{E0041}',
      '\uD800',
    ]) {
      assert.throws(
        () => normalizeFullName(`a${character}b`),
        /Invalid characters in name!/,
        JSON.stringify(character),
      )
    }
  })

  it('does not end like a mention with an id, unless white space follows', () => {
    assert.throws(() => normalizeFullName('Ada|12'), /Invalid format!/)
    assert.equal(normalizeFullName('Ada|12 '), 'Ada|12')
  })

  it('is normalized to its compatible form', () => {
    assert.deepEqual(equalNameForms('Ａda'), ['Ａda', 'Ada'])
    assert.deepEqual(equalNameForms('Ada'), ['Ada'])
  })
})
