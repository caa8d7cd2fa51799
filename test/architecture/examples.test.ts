import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

// Before the operations, because they need the polyfill of decorators that it brings.
import '@parley/core'

import { allOperations } from '../../packages/core/src/resources/index.js'
import { countedCalls, notCounted } from '../support/counted-calls.js'
import { examples, withoutExample } from '../support/examples/index.js'

describe('the examples of operations', () => {
  const ids = new Set(allOperations.map(({ id }) => id))

  it('contain every operation, or a reason why there is none', () => {
    const missing = [...ids].filter((id) => !examples[id] && !withoutExample[id])

    assert.deepEqual(
      missing,
      [],
      'Add an example to test/support/examples/: tests of callers, of the audit trail, of calls in ' +
        'process and of the number of statements call it. If statements could grow with more ' +
        'items than it has, also add a call to test/support/counted-calls.ts',
    )
  })

  it('say what the operations that change something add to the audit trail', () => {
    const changing = allOperations.filter(
      ({ method, changesState }) => method !== 'GET' || changesState === true,
    )

    assert.deepEqual(
      changing.map(({ id }) => id).filter((id) => examples[id] && !examples[id].audited),
      [],
      'Add `audited` to these examples: the actions of the audit trail, or why there is none',
    )
  })

  it('are about operations that exist, once', () => {
    const known = [...Object.keys(examples), ...Object.keys(withoutExample)]

    for (const id of known) assert.ok(ids.has(id), id)
    assert.equal(new Set(known).size, known.length)
    for (const id of Object.keys(countedCalls)) assert.ok(ids.has(id) && !notCounted[id], id)
    for (const id of Object.keys(notCounted)) assert.ok(examples[id], id)
  })
})
