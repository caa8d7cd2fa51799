import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import {
  encryptWithPad,
  isPad,
} from '../../../packages/core/src/resources/access/single-sign-on/sign-on-service.js'

describe('a one-time pad', () => {
  it('hides every digit of the key', () => {
    const key = 'a'.repeat(32)

    assert.equal(encryptWithPad(key, '0'.repeat(64)), '61'.repeat(32))
    assert.equal(encryptWithPad(key, 'fF'.repeat(32)), '9e'.repeat(32))
  })

  it('is exactly 32 bytes in hexadecimal', () => {
    assert.equal(isPad('0'.repeat(64)), true)
    for (const text of ['', '0'.repeat(63), '0'.repeat(65), `${'0'.repeat(63)}g`]) {
      assert.equal(isPad(text), false, text)
    }
  })
})
