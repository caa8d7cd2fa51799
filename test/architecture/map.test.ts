import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { groups } from './imports.js'
import { filesBelow, readText, root } from './source-files.js'

const source = 'packages/core/src'
const resources = `${source}/resources`
const sourceFiles = filesBelow(source)

/** The files that a page names but that do not exist; pages name files by the ends of paths. */
function findMissingFiles(page: string): string[] {
  const named = [...readText(page).matchAll(/`([\w./-]+\.ts)`/g)].map(([, name]) => name ?? '')
  return named.filter((name) => !sourceFiles.some((path) => path.endsWith(`/${name}`)))
}

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

  it('names files that exist', () => {
    assert.deepEqual(findMissingFiles('packages/core/README.md'), [])
    for (const group of groups) {
      assert.deepEqual(findMissingFiles(`${resources}/${group}/README.md`), [], group)
    }
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
