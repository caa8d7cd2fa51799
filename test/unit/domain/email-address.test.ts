import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { isDisposableDomain } from '../../../packages/core/src/domain/disposable-domains.js'
import { isEmailAddress } from '../../../packages/core/src/domain/email-address.js'

describe('an e-mail address', () => {
  it('has a local part and a domain', () => {
    for (const address of [
      'ada@example.com',
      "o'brien+tag@sub.example.co",
      'x_y%z@a-b.example',
      'ada@localhost',
      'ädä@bücher.example',
      `${'a'.repeat(64)}@example.com`,
    ]) {
      assert.equal(isEmailAddress(address), true, address)
    }
  })

  it('is nothing else', () => {
    for (const text of [
      '',
      'ada',
      'ada@',
      '@example.com',
      'ada@example',
      'ada@@example.com',
      'a b@example.com',
      'ada@exam ple.com',
      '.ada@example.com',
      'ada.@example.com',
      'a..b@example.com',
      'ada@-x.example',
      'ada@x-.example',
      'ada@example..com',
      'ada@example.com\n',
      'ada:key@example.com',
      '<ada@example.com>',
      `${'a'.repeat(65)}@example.com`,
      `ada@${'a'.repeat(64)}.com`,
      `ada@${'a.'.repeat(130)}com`,
    ]) {
      assert.equal(isEmailAddress(text), false, JSON.stringify(text))
    }
  })

  it('is judged in linear time', () => {
    // Processor time: what else the machine does is no fault of the pattern.
    const start = process.cpuUsage()
    for (const text of [`${'a.'.repeat(50_000)}@`, `a@${'a-'.repeat(50_000)}`]) {
      assert.equal(isEmailAddress(text), false)
    }
    assert.ok(process.cpuUsage(start).user < 150_000)
  })
})

describe('a disposable domain', () => {
  it('is one of the known ones, or belongs to one', () => {
    assert.equal(isDisposableDomain('Mailinator.com'), true)
    assert.equal(isDisposableDomain('a.b.mailinator.com'), true)
    assert.equal(isDisposableDomain('notmailinator.com'), false)
    assert.equal(isDisposableDomain('example.com'), false)
  })
})
