import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { englishTexts } from '../../packages/core/src/texts/index.js'
import { finding, readProductSources } from './source-files.js'

/** Errors with a text that the product does not write: that of a relay, and of the application. */
const foreignTexts = new Set([
  'packages/core/src/resources/notifications/push-relay/push-setup.ts',
  'packages/core/src/resources/access/authentication/second-factor.ts',
])

const sources = readProductSources().filter(({ path }) => path.startsWith('packages/core/src/'))

describe('the texts of errors', () => {
  it('have names: no error is thrown with a text of its own', () => {
    const withText = /new ChatError\(\s*'\w+',\s*\{[^}]*?\bmessage(?=\s*[:,}])/g
    const findings = sources
      .filter(({ path }) => !foreignTexts.has(path))
      .flatMap((file) =>
        [...file.text.matchAll(withText)].map(({ index }) =>
          finding(file, index, 'an error has `text: namedText(…)`; add its text to src/texts'),
        ),
      )

    assert.deepEqual(findings, [])
  })

  it('are all used', () => {
    const used = sources
      .filter(({ path }) => !path.startsWith('packages/core/src/texts/'))
      .map(({ text }) => text)
      .join('\n')
    const isKind = (name: string): boolean => new RegExp(`^ {2}${name}: kind`, 'm').test(used)
    const unused = Object.keys(englishTexts).filter(
      (name) => !used.includes(`'${name}'`) && !isKind(name),
    )

    assert.deepEqual(unused, [])
  })
})
