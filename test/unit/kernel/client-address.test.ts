import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { addressGroup, canonicalAddress } from '../../../packages/core/src/kernel/client-address.js'

describe('a client address', () => {
  it('has one canonical form, however it was written', () => {
    for (const [address, canonical] of [
      ['192.0.2.1', '192.0.2.1'],
      ['::ffff:192.0.2.1', '192.0.2.1'],
      ['::FFFF:c000:201', '192.0.2.1'],
      ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
      ['fe80::1%eth0', 'fe80::1'],
      ['::1', '::1'],
      ['localhost', undefined],
      ['', undefined],
    ] as const) {
      assert.equal(canonicalAddress(address), canonical, address)
    }
  })

  it('counts as one client with all that have the same first 64 bits', () => {
    for (const [address, group] of [
      ['192.0.2.1', '192.0.2.1'],
      ['::ffff:192.0.2.1', '192.0.2.1'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
      ['2001:db8:1:2::ffff', '2001:db8:1:2::/64'],
      ['2001:db8:1:3::ffff', '2001:db8:1:3::/64'],
      ['2001:db8::1', '2001:db8:0:0::/64'],
      ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
      ['::1', '0:0:0:0::/64'],
      ['::', '0:0:0:0::/64'],
      ['@', 'unknown'],
    ] as const) {
      assert.equal(addressGroup(address), group, address)
    }
  })
})
