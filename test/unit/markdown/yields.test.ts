import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { renderMarkdown, renderMarkdownAsync } from '../../../packages/core/src/markdown/index.js'
import { exampleContext } from './example-context.js'
import { pathologicalFamilies } from './pathological.js'

/** Yields at every opportunity, and counts how often. */
class EagerYielder {
  readonly isDue = true
  yields = 0

  constructor(private readonly onYield = (): void => {}) {}

  async yield(): Promise<void> {
    this.yields += 1
    this.onYield()
  }
}

describe('rendering with yields to the event loop', () => {
  for (const [name, make] of Object.entries(pathologicalFamilies)) {
    it(`gives the same: ${name}`, async () => {
      const source = make(2000)

      const rendered = await renderMarkdownAsync(source, exampleContext(), new EagerYielder())

      assert.deepEqual(rendered, renderMarkdown(source, exampleContext()))
    })
  }

  const manyBlocks = {
    items: '* a\n'.repeat(500),
    paragraphs: 'a\n\n'.repeat(500),
    headings: '# a\n'.repeat(500),
    'cells of a table': `a|b\n-|-\n${'c|d\n'.repeat(250)}`,
    'items in quotes': '> * a\n'.repeat(500),
    'items in fences': `~~~ quote\n${'* a\n'.repeat(500)}~~~`,
  }
  for (const [name, source] of Object.entries(manyBlocks)) {
    it(`yields between ${name}`, async () => {
      const yielder = new EagerYielder()

      await renderMarkdownAsync(source, exampleContext(), yielder)

      assert.ok(yielder.yields >= 500, `${yielder.yields} yields`)
    })
  }

  it('does not count the time of others towards its own limit', async () => {
    let nowMilliseconds = 0
    const clock = (): number => nowMilliseconds
    const yielder = new EagerYielder(() => (nowMilliseconds += 1000))

    const rendered = await renderMarkdownAsync(manyBlocks.items, exampleContext({ clock }), yielder)

    assert.match(rendered.html, /<li>a<\/li>/)
    assert.ok(nowMilliseconds > 100_000)
  })
})
