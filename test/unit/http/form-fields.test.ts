import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import {
  addUrlEncodedFields,
  type FormFields,
} from '../../../packages/core/src/http/form-fields.js'

const length = 6_000_000

/** Time to parse a form that only repeats `piece`; the minimum of three runs. */
function millisecondsOf(piece: string): number {
  const text = `text=${piece.repeat(length / piece.length)}`
  const costs = [1, 2, 3].map(() => {
    const before = process.cpuUsage()
    addUrlEncodedFields(new Map(), text)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...costs)
}

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

  it('takes about as long for plus signs as for other escapes', () => {
    const [escapes, plusSigns] = [millisecondsOf('%20'), millisecondsOf('+')]

    assert.ok(plusSigns < 10 * escapes + 50, `${plusSigns} ms instead of ${escapes} ms`)
  })
})
