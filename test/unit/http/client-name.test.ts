import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { clientName } from '../../../packages/core/src/http/pipeline/request-facts.js'

describe('the name of a client', () => {
  const rows: [userAgent: string, name: string][] = [
    ['zulip-python/0.9.0 (Linux)', 'zulip-python'],
    ['ZulipMobile/27.230 (Android 13)', 'ZulipMobile'],
    ['Mozilla/5.0 (X11; Linux x86_64)', 'Mozilla'],
    ['curl', 'curl'],
    ['Some Client (beta)', 'Some Client'],
    ['Some Client/1.2', 'Some Client'],
    ['Some Client9 x', 'Some'],
    ['Foo (x)', 'Foo'],
    ['', 'Unspecified'],
    ['/1.0', 'Unparsable'],
    ['a-very-long-name-of-a-client-that-goes-on', 'a-very-long-name-of-a-client-t'],
  ]
  for (const [userAgent, name] of rows) {
    it(`is ${name} for the user agent ${JSON.stringify(userAgent)}`, () => {
      assert.equal(clientName(undefined, userAgent, false), name)
    })
  }

  it('is the declared name, truncated to 30 characters', () => {
    assert.equal(clientName('mirror', 'curl/8', false), 'mirror')
    assert.equal(clientName('👍'.repeat(40), 'curl/8', false), '👍'.repeat(30))
  })

  it('is website in a browser session, unless it is a Zulip client', () => {
    assert.equal(clientName(undefined, 'Mozilla/5.0', true), 'website')
    assert.equal(clientName(undefined, 'ZulipElectron/5.0', true), 'ZulipElectron')
  })

  it('is found quickly in hostile headers', () => {
    // Processor time, which other processes do not affect.
    const started = process.cpuUsage()
    clientName(undefined, `${'a '.repeat(8000)}(`, false)
    clientName(undefined, `${'a'.repeat(16_000)}9`, false)
    assert.ok(process.cpuUsage(started).user < 150_000)
  })
})
