import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

import type { Operation } from '../packages/core/src/http/index.js'
import { casesOfOperations, conformanceSuites } from '../test/architecture/operation-cases.js'

import { anchorOf, table } from './markdown-page.js'

/**
 * The body of docs/operation-tests.md.
 *
 * @throws {Error} if an operation of the level is not there, or has no test.
 */
export function operationTestsPage(operations: readonly Operation[]): string {
  const own = new Map(operations.map((operation) => [keyOf(operation), operation.id]))
  const cases = casesOfOperations(conformanceSuites())
  const rows = levelOperations().map(({ method, path }) => {
    const id = own.get(keyOf({ method, path }))
    const files = id === undefined ? [] : (cases.get(id) ?? [])
    if (id === undefined || files.length === 0) throw new Error(`${method} ${path} has no test`)
    const links = files.map((file) => `[${basename(file, '.test.ts')}](../${file})`)
    return [`\`${method} ${path}\``, `[${id}](operations.md#${anchorOf(id)})`, links.join(', ')]
  })
  return [
    `The documented API of feature level 420 has ${rows.length} operations. These are the files of conformance tests that call each of them; each case runs with both adapters and on both databases. The tests of [random](../test/faults/hostile-input.test.ts) and [large](../test/faults/large-parameters.test.ts) parameters call them too.`,
    table(['operation', 'description', 'tests'], rows),
  ].join('\n\n')
}

function levelOperations(): { readonly method: string; readonly path: string }[] {
  return readFileSync(new URL('level-operations.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [method = '', path = ''] = line.split(' ')
      return { method, path }
    })
}

/** Names of parameters in paths may differ. */
function keyOf({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`
}
