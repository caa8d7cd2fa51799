import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { isPublicAddress } from '../../../packages/core/src/kernel/public-addresses.js'

describe('isPublicAddress', () => {
  it('returns true for addresses of the Internet', () => {
    const addresses = [
      '1.1.1.1',
      '8.8.8.8',
      '172.15.255.255',
      '172.32.0.1',
      '100.128.0.1',
      '223.255.255.255',
      '2606:4700:4700::1111',
      '2a00:1450:4001:813::200e',
    ]

    assert.deepEqual(
      addresses.filter((address) => !isPublicAddress(address)),
      [],
    )
  })

  it('returns false for this machine, private and special networks, and embedded IPv4 addresses', () => {
    const addresses = [
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '127.0.0.1',
      '127.255.255.254',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
      '192.0.0.8',
      '192.168.1.1',
      '198.18.0.1',
      '203.0.113.5',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::7f00:1',
      '64:ff9b::7f00:1',
      'fc00::1',
      'fd12:3456::1',
      'fe80::1',
      'fe80::1%eth0',
      'ff02::1',
      '2001::1',
      '2001:db8::1',
      '2002:7f00:1::',
      '3fff::1',
      'localhost',
      '',
    ]

    assert.deepEqual(addresses.filter(isPublicAddress), [])
  })
})
