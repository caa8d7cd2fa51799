import '@parley/core'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { weeklyTraffic } from '../../../packages/core/src/resources/channels/channels/channel-traffic.js'
import { normalizeChannelName } from '../../../packages/core/src/resources/channels/channels/channel-names.js'
import { parseColor } from '../../../packages/core/src/resources/channels/subscriptions/colors.js'

describe('the weekly traffic of a channel', () => {
  it('is null in the first week', () => {
    assert.equal(weeklyTraffic(100, 6), null)
  })

  it('is extrapolated until the channel is four weeks old, and a quarter afterwards', () => {
    assert.equal(weeklyTraffic(20, 7), 20)
    assert.equal(weeklyTraffic(20, 14), 10)
    assert.equal(weeklyTraffic(20, 28), 5)
    assert.equal(weeklyTraffic(20, 400), 5)
  })

  it('has two significant digits', () => {
    assert.equal(weeklyTraffic(4 * 1234, 28), 1200)
    assert.equal(weeklyTraffic(4 * 1250, 28), 1300)
    assert.equal(weeklyTraffic(4 * 87, 28), 87)
  })

  it('is at least 1 if a message was sent', () => {
    assert.equal(weeklyTraffic(0, 28), 0)
    assert.equal(weeklyTraffic(1, 28), 1)
  })
})

describe('a color', () => {
  it('is parsed from three to six digits and returned as six in lower case', () => {
    assert.equal(parseColor('#ABC'), '#aabbcc')
    assert.equal(parseColor('#abc8'), '#aabbcc')
    assert.equal(parseColor('#abcde'), '#abcde0')
    assert.equal(parseColor('#A1B2C3'), '#a1b2c3')
  })

  it('is rejected in any other format', () => {
    for (const text of ['abc', '#ab', '#abcdefa', '#abg', ' #abc', '#abc\n', '']) {
      assert.equal(parseColor(text), undefined, text)
    }
  })
})

describe('the name of a channel', () => {
  it('is trimmed, and measured in code points', () => {
    assert.equal(normalizeChannelName('  ☕ break '), '☕ break')
    assert.equal(normalizeChannelName('🎉'.repeat(60)), '🎉'.repeat(60))
    assert.throws(() => normalizeChannelName('🎉'.repeat(61)), /too long \(limit: 60 characters\)/)
  })

  it('is rejected with the position of an unprintable character', () => {
    assert.throws(() => normalizeChannelName('🎉a\u0000'), /at position 3\./)
    assert.throws(() => normalizeChannelName('\uffffx'), /at position 1\./)
  })
})
