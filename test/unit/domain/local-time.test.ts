import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { localHourSeconds } from '../../../packages/core/src/resources/notifications/digests/local-time.js'

const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000
const at = (date: string, zone: string, hour = 8): string =>
  new Date(localHourSeconds(dayOf(date), hour, zone) * 1000).toISOString()

describe('an hour of a local day', () => {
  it('is that of UTC without a zone, and in an unknown one', () => {
    for (const zone of ['', 'UTC', 'Mars/Olympus', 'no zone']) {
      assert.equal(at('2026-03-01', zone), '2026-03-01T08:00:00.000Z')
    }
  })

  it('depends on the zone, also at the edges of the day', () => {
    assert.equal(at('2026-03-01', 'Asia/Kathmandu'), '2026-03-01T02:15:00.000Z')
    assert.equal(at('2026-03-01', 'Pacific/Kiritimati'), '2026-02-28T18:00:00.000Z')
    assert.equal(at('2026-03-01', 'Pacific/Pago_Pago'), '2026-03-01T19:00:00.000Z')
  })

  it('is right on days on which clocks change', () => {
    assert.equal(at('2026-03-28', 'Europe/Berlin'), '2026-03-28T07:00:00.000Z')
    assert.equal(at('2026-03-29', 'Europe/Berlin'), '2026-03-29T06:00:00.000Z')
    assert.equal(at('2026-10-25', 'Europe/Berlin'), '2026-10-25T07:00:00.000Z')
    assert.equal(at('2026-11-01', 'America/New_York'), '2026-11-01T13:00:00.000Z')
    assert.equal(at('2026-10-04', 'Australia/Lord_Howe'), '2026-10-03T21:00:00.000Z')
  })

  it('is near the change if it is skipped', () => {
    const skipped = localHourSeconds(dayOf('2026-03-29'), 2, 'Europe/Berlin')
    const change = Date.UTC(2026, 2, 29, 1) / 1000
    assert.ok(Math.abs(skipped - change) <= 3600)
  })
})
