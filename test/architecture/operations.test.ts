import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'

import { Visitor } from 'oxc-parser'

import { filesBelow, readText, root, source, type SourceFile } from './source-files.js'

const entry = 'packages/core/src/index.ts'
const tableOfContents = 'packages/core/src/resources/index.ts'

/** The ids of the operations for which some suite calls `everyHost('<id>', …)`. */
function operationsWithCase(files: readonly SourceFile[]): Set<string> {
  const found = new Set<string>()
  for (const file of files) {
    new Visitor({
      CallExpression({ callee, arguments: [id] }) {
        if (callee.type !== 'Identifier' || callee.name !== 'everyHost') return
        if (id?.type === 'Literal' && typeof id.value === 'string') found.add(id.value)
      },
    }).visit(file.parsed.program)
  }
  return found
}

describe('the operations', () => {
  it(
    'each have a conformance case',
    { skip: existsSync(join(root, tableOfContents)) ? false : `there is no ${tableOfContents}` },
    async () => {
      // The nouns need the polyfill of decorators that the package's entry brings.
      await import(pathToFileURL(join(root, entry)).href)
      const { allOperations } = (await import(pathToFileURL(join(root, tableOfContents)).href)) as {
        allOperations?: readonly { id: string }[]
      }
      assert.ok(allOperations, `${tableOfContents} does not export allOperations`)
      const suites = filesBelow('test/conformance')
        .filter((path) => path.endsWith('.ts'))
        .map((path) => source(path, readText(path)))

      const covered = operationsWithCase(suites)
      const missing = allOperations.map(({ id }) => id).filter((id) => !covered.has(id))

      assert.deepEqual(
        missing,
        [],
        `${missing.length} of ${allOperations.length} operations have no everyHost('<id>', …) ` +
          `below test/conformance: ${missing.join(', ')}`,
      )
    },
  )
})

describe('the rule about operations', () => {
  it('sees a case in a call, not in a comment or another call', () => {
    const suite = source(
      'test/conformance/drafts.test.ts',
      "everyHost('get-drafts', (host) => {}) // everyHost('edit-draft')\nit('delete-draft')",
    )

    assert.deepEqual([...operationsWithCase([suite])], ['get-drafts'])
  })
})
