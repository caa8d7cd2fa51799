import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { quotaNames } from '../../packages/core/src/domain/quotas.js'
import { errorKinds } from '../../packages/core/src/errors/error-codes.js'
import { defaultRateLimitRules } from '../../packages/core/src/http/limits/rate-limiter.js'
import { filesBelow, readProductSources, readText } from './source-files.js'

/** Those of the names that no module but their own contains as a string. */
function findUnused(names: readonly string[], definedIn: string): string[] {
  const others = readProductSources().filter(({ path }) => !path.endsWith(definedIn))
  return names.filter((name) => !others.some(({ text }) => text.includes(`'${name}'`)))
}

/** What applications import. */
const publicEntries = new Set([
  'packages/core/src/ldap/index.ts',
  'packages/core/src/node/index.ts',
])

/** A list of errors in the declaration of an operation, which throws none of them. */
const declaredErrors = /\berrors: \[[^\]]*\]/g

describe('what the product defines is used', () => {
  it('every rate limit counts something', () => {
    assert.deepEqual(
      findUnused(Object.keys(defaultRateLimitRules), 'http/limits/rate-limiter.ts'),
      [],
    )
  })

  it('every quota is required somewhere', () => {
    assert.deepEqual(findUnused(quotaNames, 'domain/quotas.ts'), [])
  })

  it('every kind of error is thrown somewhere', () => {
    const texts = readProductSources()
      .filter(({ path }) => !path.endsWith('errors/error-codes.ts'))
      .map(({ text }) => text.replaceAll(declaredErrors, ''))

    const unthrown = Object.keys(errorKinds).filter(
      (name) => !texts.some((text) => text.includes(`'${name}'`)),
    )

    assert.deepEqual(unthrown, [])
  })

  it("every name that a folder's index exports is imported by another folder", () => {
    const sources = readProductSources()
    const testTexts = [...filesBelow('test'), ...filesBelow('scripts')]
      .filter((path) => path.endsWith('.ts'))
      .map(readText)
    const unused = sources.flatMap((file) => {
      if (!/\/src\/.+\/index\.ts$/.test(file.path) || publicEntries.has(file.path)) return []
      const folder = file.path.slice(0, -'index.ts'.length)
      const texts = [
        ...sources.filter(({ path }) => !path.startsWith(folder)).map(({ text }) => text),
        ...testTexts,
      ]
      return file.parsed.module.staticExports
        .flatMap(({ entries }) => entries.map(({ exportName }) => exportName.name ?? '*'))
        .filter((name) => !texts.some((text) => new RegExp(`\\b${name}\\b`).test(text)))
        .map((name) => `${file.path}: ${name}: no other folder imports it`)
    })

    assert.deepEqual(unused, [])
  })
})
