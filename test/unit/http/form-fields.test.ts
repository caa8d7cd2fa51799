import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import {
  addUrlEncodedFields,
  type FormFields,
} from '../../../packages/core/src/http/parameters/form-fields.js'
import { searchedCharacters } from '../../support/searched-characters.js'

describe('a urlencoded form', () => {
  it('decodes plus signs as spaces, next to other escapes', () => {
    const fields: FormFields = new Map()

    addUrlEncodedFields(fields, 'a+b=++%2B+ü+%F0%9F%90%99+&+=%')

    assert.deepEqual(
      [...fields],
      [
        ['a b', '  + ü 🐙 '],
        [' ', '%'],
      ],
    )
  })

  it('is searched once, also with many names without a value before a long one', () => {
    const text = 'a&'.repeat(999) + 'x'.repeat(1_000_000)

    const searched = searchedCharacters(() => addUrlEncodedFields(new Map(), text))

    // For the end of each field, and for the equals sign in it.
    assert.ok(searched > text.length && searched <= 2 * text.length, `${searched} characters`)
  })

  it('makes no text for each plus sign', ({ mock }) => {
    const fields: FormFields = new Map()
    const replacing = (['replace', 'replaceAll', 'split'] as const).map((name) =>
      mock.method(String.prototype, name),
    )

    addUrlEncodedFields(fields, `text=${'+'.repeat(1_000_000)}`)
    const calls = replacing.map((each) => each.mock.callCount())
    mock.restoreAll()

    assert.equal(fields.get('text'), ' '.repeat(1_000_000))
    assert.deepEqual(calls, [0, 0, 0])
  })
})
