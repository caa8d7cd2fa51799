import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { groups } from './imports.js'
import { readText, root } from './source-files.js'

const resources = 'packages/core/src/resources'

function foldersIn(path: string): string[] {
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
}

describe('the map of the source', () => {
  it('lists the groups of resources in the order of their imports', () => {
    const rows = readText('packages/core/README.md').matchAll(
      /\(src\/resources\/(\w+)\/README\.md\)/g,
    )

    assert.deepEqual(
      [...rows].map(([, group]) => group),
      groups,
    )
    assert.deepEqual(foldersIn(resources).toSorted(), [...groups].toSorted())
  })

  for (const group of groups) {
    it(`has a page for ${group}/ with all of its folders`, () => {
      const page = readText(`${resources}/${group}/README.md`)
      const missing = foldersIn(`${resources}/${group}`).filter(
        (name) => !page.includes(`\`${name}/\``),
      )

      assert.deepEqual(missing, [])
      assert.ok(page.split('\n').length <= 20, 'at most 20 lines')
    })
  }
})
