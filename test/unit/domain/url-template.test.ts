import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import {
  templateScheme,
  templateVariables,
} from '../../../packages/core/src/domain/url-template.js'

describe('templateVariables', () => {
  it('returns each variable once, whatever its operator and modifier', () => {
    const names = templateVariables('https://x.example{/path*}{?a,b:3,a}{#frag}/{a.b}')

    assert.deepEqual([...(names ?? [])], ['path', 'a', 'b', 'frag', 'a.b'])
  })

  it('returns nothing for a template without variables', () => {
    assert.deepEqual(templateVariables('https://x.example/'), new Set())
  })

  it('rejects what RFC 6570 does not allow', () => {
    const refused = [
      '{a',
      'a}',
      '{}',
      '{a,}',
      '{a b}',
      '{a:0}',
      '{a:10000}',
      '{=a}',
      'a b',
      '{a{b}}',
      '{.}',
    ]

    for (const template of refused) assert.equal(templateVariables(template), undefined, template)
  })

  it('takes time linear in the template', () => {
    const template = '{a}'.repeat(50_000) + '{'.repeat(50_000)

    assert.equal(templateVariables(template), undefined)
  })
})

describe('templateScheme', () => {
  it('returns the part that no value can change', () => {
    for (const [template, scheme] of [
      ['HTTPS://x.example/{a}', 'https'],
      ['javascript:f({a})', 'javascript'],
      ['mailto:{a}', 'mailto'],
      ['/x/{a}:b', ''],
      ['x/{a}', ''],
      ['?q={a}', ''],
      ['#{a}', ''],
      ['x.example', ''],
      ['{a}', undefined],
      ['{+a}://x', undefined],
      ['{/a}', undefined],
      ['{#a}', undefined],
      ['java{a}:b', undefined],
      ['http{a}://x', undefined],
      ['', ''],
    ] as const) {
      assert.equal(templateScheme(template), scheme, template)
    }
  })
})
