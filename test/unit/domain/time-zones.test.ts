import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { languages } from '../../../packages/core/src/domain/languages.js'
import { canonicalTimeZone } from '../../../packages/core/src/domain/users/time-zones.js'

describe('the name of a time zone', () => {
  it('is converted to the current name of the zone', () => {
    const names: Readonly<Record<string, string>> = {
      'Europe/Vienna': 'Europe/Vienna',
      'europe/vienna': 'Europe/Vienna',
      'US/Pacific': 'America/Los_Angeles',
      'Asia/Calcutta': 'Asia/Kolkata',
      'Asia/Kolkata': 'Asia/Kolkata',
      'Europe/Kiev': 'Europe/Kyiv',
      UTC: 'UTC',
    }
    for (const [name, canonical] of Object.entries(names)) {
      assert.equal(canonicalTimeZone(name), canonical, name)
    }
  })

  it('is rejected if the zone does not exist', () => {
    for (const name of ['', ' ', 'Europe/Gotham', '+05:00', '5', 'Europe/Vienna ', '\0']) {
      assert.equal(canonicalTimeZone(name), undefined, name)
    }
  })
})

describe('the languages', () => {
  it('have a code in lower case and an English name each, all different', () => {
    for (const [code, name] of languages) {
      assert.match(code, /^[a-z]{2}(-[a-z]+)?$/)
      assert.match(name, /^[A-Z]/)
    }
    assert.equal(new Set(languages.values()).size, languages.size)
    assert.equal(languages.get('en'), 'English')
  })
})
