import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { heartbeatDelayMilliseconds } from '../../../packages/core/src/events/queues/long-poll.js'

describe('the delay before a heartbeat', () => {
  const delays = Array.from({ length: 2000 }, () => heartbeatDelayMilliseconds(45))

  it('is spread over 45 to 55 seconds', () => {
    const inSeconds = new Set(delays.map((delay) => Math.floor(delay / 1000)))

    for (let seconds = 45; seconds < 55; seconds += 1) assert.ok(inSeconds.has(seconds))
    assert.ok(Math.min(...delays) >= 45_000)
    assert.ok(Math.max(...delays) <= 55_000)
  })

  it('is one of a few, so that timers share lists', () => {
    assert.ok(new Set(delays).size <= 41)
  })
})
