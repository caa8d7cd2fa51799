import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import {
  addressKey,
  keyWithin,
  textKey,
  type LimitKey,
} from '../../../packages/core/src/kernel/limit-keys.js'

const distinct = (keys: readonly LimitKey[]): number => new Set(keys).size

describe('the key of a text in a limit', () => {
  it('is the same for all spellings of a name', () => {
    for (const spellings of [
      ['ada', ' ada', 'ADA', 'Ada\t', 'ａｄａ', 'a\u00ADda', 'a\u200Bda', '\uFEFFada'],
      ['Ada Byron', 'ada  byron', 'ADA\u00A0BYRON', 'ada \u3000 byron'],
      ['Zoë', 'zoe\u0308', 'ZOË'],
      ['Straße', 'STRASSE', 'strasse'],
      ['ΟΔΟΣ', 'οδος', 'οδοσ'],
      ['ﬁona', 'fiona'],
    ]) {
      assert.equal(distinct(spellings.map((text) => textKey(text))), 1, spellings.join('|'))
    }
  })

  it('differs for different names, and for other divisions into several', () => {
    const keys = [textKey('ada'), textKey('a da'), textKey('adam'), textKey('ada', '')]
    assert.equal(distinct([...keys, textKey('a', 'da'), textKey('', 'ada'), textKey()]), 7)
  })

  it('is short, however long the text is', () => {
    assert.equal(textKey('x'.repeat(100_000)).length, 64)
  })
})

describe('the key of a client in a limit', () => {
  it('is that of its network in IPv6', () => {
    assert.equal(addressKey('2001:db8:1:2::1'), addressKey('2001:0DB8:1:2:ffff::9'))
    assert.equal(addressKey('::ffff:192.0.2.1'), addressKey('192.0.2.1'))
    assert.equal(distinct([addressKey('2001:db8:1:2::1'), addressKey('2001:db8:1:3::1')]), 2)
  })

  it('is made by a function, and no other text', () => {
    const keys: LimitKey[] = [1, addressKey('192.0.2.1'), textKey('ada'), keyWithin('a', 1)]
    // @ts-expect-error -- an address, which has as many forms as a network has addresses
    keys.push('2001:db8::1')
    // @ts-expect-error -- a name as it was typed
    keys.push('Ada'.trim())
    assert.equal(distinct(keys), 6)
  })
})
