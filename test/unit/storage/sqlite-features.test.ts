import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { requireSqliteFeatures } from '../../../packages/core/src/storage/connections/sqlite-libraries.js'

describe('a SQLite library', () => {
  it('is refused with the reason if it cannot maintain the index for searches', () => {
    requireSqliteFeatures('3.43.0', true)
    requireSqliteFeatures('3.100.1', true)
    requireSqliteFeatures('4.0.0', true)

    assert.throws(() => requireSqliteFeatures('3.42.0', true), {
      message: /needs SQLite 3\.43 or newer with FTS5, but .* is 3\.42\.0 with FTS5/,
    })
    assert.throws(() => requireSqliteFeatures('3.47.2', false), {
      message: /is 3\.47\.2 without FTS5.*node:sqlite has FTS5 from Node\.js 22\.16 on/,
    })
  })
})
