import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import fc from 'fast-check'

import {
  JsonTooLargeError,
  maxJsonDepth,
  parseUntrustedJson,
} from '../../../packages/core/src/kernel/untrusted-json.js'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const items = (count: number) => `[${Array.from({ length: count }, () => '1').join()}]`
const members = (count: number) =>
  `{${Array.from({ length: count }, (_, index) => `"${index}":1`).join()}}`

describe('JSON that someone else has written', () => {
  it('is parsed as JSON.parse does, whatever its strings contain', () => {
    const hostileText = fc.string({
      unit: fc.constantFrom('"', '\\', '[', '{', ']', '}', ',', ':'),
    })
    const text = fc.oneof(fc.string({ unit: 'binary' }), hostileText)
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        text,
        fc.double(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value')),
        fc.dictionary(text, tie('value')),
      ),
    }))
    fc.assert(
      fc.property(value, fc.constantFrom('', ' ', '\n\t'), (given, indent) => {
        const json = JSON.stringify(given, null, indent)
        assert.deepEqual(parseUntrustedJson(json), JSON.parse(json))
      }),
    )
  })

  it('does not count what is in strings', () => {
    const marks = JSON.stringify('[{,:"\\'.repeat(200_000))
    assert.equal(parseUntrustedJson(marks), JSON.parse(marks))
  })

  it('is refused if it has more levels, values or members than the limits', () => {
    const cases = [
      [nested(maxJsonDepth), nested(maxJsonDepth + 1), undefined],
      [items(120_000), items(120_001), 120_000],
      [members(20_000), members(20_001), 20_000],
    ] as const
    for (const [allowed, refused, limit] of cases) {
      assert.deepEqual(parseUntrustedJson(allowed), JSON.parse(allowed))
      assert.throws(() => parseUntrustedJson(refused), new JsonTooLargeError(limit))
    }
  })

  it('is refused before it is known to be invalid', () => {
    assert.throws(() => parseUntrustedJson('['.repeat(200)), JsonTooLargeError)
    for (const text of ['', '"', '"\\', '[1', ']', '}{', ',', ':']) {
      assert.throws(() => parseUntrustedJson(text), SyntaxError)
    }
  })
})
