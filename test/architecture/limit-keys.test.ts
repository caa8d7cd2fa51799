import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import {
  finding,
  readProductSources,
  source,
  type Finding,
  type SourceFile,
} from './source-files.js'

const keys = 'packages/core/src/kernel/limit-keys.ts'
/** Functions that take a client's address as it is: none of them is, or makes, a key of its own. */
const takers = new Set([
  'addressKey',
  'canonicalAddress',
  // The budget of bodies, which calls `addressKey`.
  'open',
  // What an operation gets of its request.
  'constructor',
  'chatRequestOf',
  'RequestOrigin',
  // The host's own decision.
  'addresses',
])

/** Uses of a client's address as a key, and keys that are not made by the module for them. */
function findRawKeys(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    if (!file.path.startsWith('packages/core/src/') || file.path === keys) return []
    const passed = [...file.text.matchAll(/(\w+)\(([^(){}]*)\bremoteAddress\b/g)]
      .filter(([, name = '']) => !takers.has(name))
      .map(({ index }) => finding(file, index, 'pass addressKey(remoteAddress)'))
    const written = [
      ...file.text.matchAll(/\$\{[^}]*remoteAddress|\[[^\]]*\bremoteAddress\s*\]/g),
    ].map(({ index }) => finding(file, index, 'use addressKey(remoteAddress)'))
    const cast = [...file.text.matchAll(/\bas (MadeKey|LimitKey)\b/g)].map(({ index }) =>
      finding(file, index, 'make keys with kernel/limit-keys.js'),
    )
    return [...passed, ...written, ...cast]
  })
}

describe('the keys of limits', () => {
  it('are never the address of a client as it is', () => {
    assert.deepEqual(findRawKeys(readProductSources()), [])
  })

  it('are found in every form', () => {
    for (const text of [
      "await limiter.require(\n  'byAddress',\n  organization.id,\n  remoteAddress,\n)",
      'this.waiting.get(request.remoteAddress)',
      'counts.set(remoteAddress, 1)',
      `const key = \`login/\${request.remoteAddress}\``,
      'const key = [name, remoteAddress]',
      'const key = name as MadeKey',
    ]) {
      const files = [source('packages/core/src/http/limits.ts', text)]
      assert.equal(findRawKeys(files).length, 1, text)
    }
  })
})
