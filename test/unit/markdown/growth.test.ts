import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { renderMarkdown } from '../../../packages/core/src/markdown/index.js'
import { exampleContext, settings } from './example-context.js'
import { pathologicalFamilies } from './pathological.js'

const size = 10_000

function countOperations(source: string): number {
  let counted = 0
  renderMarkdown(
    source,
    exampleContext({
      settings: { ...settings, maxMessageLength: 1_000_000, translatesEmoticons: true },
      onOperationsCounted: (operations) => {
        counted = operations
      },
    }),
  )
  return counted
}

describe('the number of operations is linear in the source', () => {
  for (const [name, make] of Object.entries(pathologicalFamilies)) {
    it(name, () => {
      const small = countOperations(make(size))
      const large = countOperations(make(2 * size))

      const ratio = large / small
      assert.ok(small > 0)
      assert.ok(ratio < 2.5, `twice the source took ${ratio.toFixed(2)} times the operations`)
    })
  }
})
