import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { auditActions } from '../../packages/core/src/domain/organizations/audit-actions.js'
import { readProductSources, readText } from './source-files.js'

describe('docs/audit.md', () => {
  it('has the actions of the audit trail, as the code declares them', () => {
    const [, table = ''] =
      /<!-- audit actions: .*? -->([^]*?)<!-- end of audit actions -->/.exec(
        readText('docs/audit.md'),
      ) ?? []
    const rows = table.split('\n').filter((line) => line.startsWith('| `'))

    const declared = Object.entries(auditActions).map(
      ([name, { object, summary }]) => `| \`${name}\` | \`${object}\` | ${summary} |`,
    )

    assert.deepEqual(rows, declared)
  })

  it('describes actions that some code adds', () => {
    const texts = readProductSources()
      .filter(({ path }) => !path.endsWith('domain/organizations/audit-actions.ts'))
      .map(({ text }) => text)

    const unused = Object.keys(auditActions).filter(
      (name) => !texts.some((text) => text.includes(`'${name}'`)),
    )

    assert.deepEqual(unused, [])
  })
})
