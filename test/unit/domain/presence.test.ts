import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import {
  backdatePresence,
  legacyPresence,
  reportPresence,
} from '../../../packages/core/src/resources/personal/presence/presence.js'

const now = 1_000_000

describe('a report of presence', () => {
  it('is sent if it is the first one', () => {
    assert.deepEqual(reportPresence(undefined, 'active', now), {
      times: { activeAt: now, connectedAt: now },
      hasChanged: true,
      isNews: true,
    })
    assert.deepEqual(reportPresence(undefined, 'idle', now), {
      times: { activeAt: null, connectedAt: now },
      hasChanged: true,
      isNews: true,
    })
  })

  const cases: [
    status: 'active' | 'idle',
    activeAgo: number | null,
    connectedAgo: number,
    then: [activeAgo: number | null, connectedAgo: number],
    isNews: boolean,
  ][] = [
    ['active', 55, 55, [55, 55], false],
    ['active', 56, 56, [0, 0], false],
    ['active', 56, 10, [0, 0], false],
    ['active', 130, 10, [0, 0], false],
    ['active', 131, 10, [0, 0], true],
    ['active', null, 10, [0, 0], true],
    ['idle', 56, 55, [56, 55], false],
    ['idle', 56, 56, [56, 0], false],
    ['idle', 500, 500, [500, 0], false],
    ['idle', null, 56, [null, 0], false],
  ]
  for (const [status, activeAgo, connectedAgo, then, isNews] of cases) {
    it(`${status}, last active ${activeAgo} s and connected ${connectedAgo} s ago`, () => {
      const known = {
        activeAt: activeAgo === null ? null : now - activeAgo,
        connectedAt: now - connectedAgo,
      }

      const report = reportPresence(known, status, now)

      const { activeAt, connectedAt } = report.times
      assert.deepEqual([activeAt === null ? null : now - activeAt, now - connectedAt], then)
      assert.equal(report.hasChanged, then[0] !== activeAgo || then[1] !== connectedAgo)
      assert.equal(report.isNews, isNews)
    })
  }
})

describe('invisibility', () => {
  it('backdates recent times and keeps older ones', () => {
    assert.deepEqual(backdatePresence({ activeAt: now - 5, connectedAt: now }, now), {
      activeAt: now - 265,
      connectedAt: now - 265,
    })
    assert.deepEqual(backdatePresence({ activeAt: now - 900, connectedAt: now - 300 }, now), {
      activeAt: now - 900,
      connectedAt: now - 300,
    })
    assert.deepEqual(backdatePresence({ activeAt: null, connectedAt: now }, now), {
      activeAt: null,
      connectedAt: now - 265,
    })
    assert.deepEqual(backdatePresence(undefined, now), { activeAt: null, connectedAt: now - 265 })
  })
})

describe('the status for older clients', () => {
  it('is active up to 70 seconds after the last activity of a connected user', () => {
    assert.deepEqual(legacyPresence({ activeAt: now - 70, connectedAt: now }), {
      status: 'active',
      timestamp: now - 70,
    })
    assert.deepEqual(legacyPresence({ activeAt: now - 71, connectedAt: now }), {
      status: 'idle',
      timestamp: now,
    })
  })
})
