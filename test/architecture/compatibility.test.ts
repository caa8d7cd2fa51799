import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import '@parley/core'
import { allOperations } from '../../packages/core/src/resources/index.js'

import { apiLevelOperations } from './api-level-operations.js'
import { readText } from './source-files.js'

const page = readText('docs/compatibility.md')

/** The text between the comments that begin with `name`. */
function section(name: string): string {
  const [, found = ''] =
    new RegExp(`<!-- ${name}: .*? -->([^]*?)<!-- end of ${name} -->`).exec(page) ?? []
  return found
}

/** The operation without the names of its path parameters. */
function shapeOf(operation: string): string {
  return operation.replaceAll(/\{[^{}]+\}/g, '{}')
}

/** The operation with its whole path. */
function belowApi(operation: string): string {
  return operation.replace(' ', ' /api/v1')
}

const declared = allOperations.map(({ method, path, isAtRoot }) =>
  isAtRoot === true ? `${method} ${path}` : belowApi(`${method} ${path}`),
)
const declaredShapes = new Set(declared.map(shapeOf))
const levelShapes = new Set(apiLevelOperations.map((name) => shapeOf(belowApi(name))))

describe('docs/compatibility.md', () => {
  it('says how many operations the API level has, and none of them is missing', () => {
    const missing = apiLevelOperations.filter(
      (name) => !declaredShapes.has(shapeOf(belowApi(name))),
    )

    assert.deepEqual(missing, [])
    const claim = `has ${apiLevelOperations.length} operations; Parley has all of them.`
    assert.ok(page.includes(claim), `the page must say: ${claim}`)
  })

  it('lists each operation that the API level does not have', () => {
    const listed = [...section('additional operations').matchAll(/^- \[`(.+?)`\]/gm)]

    const additional = declared.filter((name) => !levelShapes.has(shapeOf(name)))

    assert.deepEqual(listed.map(([, name]) => name).sort(), additional.sort())
  })
})
