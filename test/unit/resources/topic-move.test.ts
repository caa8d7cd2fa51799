import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { isResolveToggle } from '../../../packages/core/src/resources/messages/editing/topic-move.js'

describe('a change of topic', () => {
  it('is a toggle of the resolved mark if only marks are added or taken away', () => {
    for (const [from, to, isToggle] of [
      ['tea', '✔ tea', true],
      ['✔ tea', 'tea', true],
      // A topic that had such a character of its own.
      ['✔ ✔tea', '✔tea', true],
      ['✔ ✔tea', 'tea', true],
      ['✔ ✔ tea', 'tea', true],
      ['x'.repeat(60), `✔ ${'x'.repeat(55)}...`, true],
      ['✔ tea', 'coffee', false],
      ['✔ ✔tea', '✔ tea', false],
      ['tea', 'tea', false],
    ] as const) {
      assert.equal(isResolveToggle(from, to), isToggle, `${from} to ${to}`)
    }
  })
})
