import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { writtenTime } from '../../../packages/core/src/texts/index.js'

describe('a written time', () => {
  const seconds = Date.UTC(2030, 1, 3, 4, 5, 59) / 1000

  it('is in UTC, as the language writes it', () => {
    assert.equal(writtenTime({ locale: 'en' }, seconds), '2030-02-03 04:05 UTC')
    assert.equal(writtenTime({ locale: 'de' }, seconds), '3. Februar 2030 um 04:05 UTC')
    assert.equal(writtenTime({ locale: 'fr' }, seconds), '3 février 2030 à 04:05 UTC')
  })

  it('is that of English for a tag that no library knows', () => {
    assert.equal(writtenTime({ locale: 'de-a1' }, seconds), '2030-02-03 04:05 UTC')
  })
})
