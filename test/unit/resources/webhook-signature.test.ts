import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'

import { verifyWebhook } from '@parley/core'

const secret = 'a secret of at least 32 characters'
const payload = JSON.stringify({ id: '1-2-0', type: 'message', text: 'ä' })
const now = Math.floor(Date.now() / 1000)

function signed(timeSeconds: number, key = secret): string {
  const text = `${timeSeconds}.${payload}`
  return `t=${timeSeconds},v1=${createHmac('sha256', key).update(text).digest('hex')}`
}

describe('verifyWebhook', () => {
  it('returns the content of a body that is signed as documented, as text or as bytes', () => {
    const signature = signed(now)

    assert.equal(verifyWebhook({ payload, signature, secret })?.id, '1-2-0')
    assert.equal(verifyWebhook({ payload: Buffer.from(payload), signature, secret })?.id, '1-2-0')
    assert.equal(verifyWebhook({ payload, signature: [signature], secret })?.id, '1-2-0')
    const both = `${signed(now, 'another secret')},${signature.split(',')[1]}`
    assert.equal(verifyWebhook({ payload, signature: both, secret: ['old', secret] })?.id, '1-2-0')
  })

  it('refuses what is not signed with the secret', () => {
    const right = signed(now)
    const wrong: readonly (string | undefined)[] = [
      undefined,
      '',
      'v1=',
      right.replace('v1=', 'v0='),
      right.replace(/^t=\d+,/, ''),
      right.replace(/^t=(\d+)/, 't=1$1'),
      right.replace(`t=${now}`, `t=${now + 1}`),
      right.slice(0, -1),
      `${right}0`,
      signed(now, 'another secret'),
      `t=${now},v1=${'ä'.repeat(32)}`,
    ]
    for (const signature of wrong) {
      assert.equal(verifyWebhook({ payload, signature, secret }), undefined, signature)
    }
    assert.equal(verifyWebhook({ payload: `${payload} `, signature: right, secret }), undefined)
  })

  it('refuses what was signed too long ago, or in the future', () => {
    const verify = (timeSeconds: number, toleranceSeconds?: number) =>
      verifyWebhook({
        payload,
        signature: signed(timeSeconds),
        secret,
        ...(toleranceSeconds !== undefined && { toleranceSeconds }),
      })?.id

    const present = Math.floor(Date.now() / 1000)
    assert.equal(verify(present - 200), '1-2-0')
    assert.equal(verify(present - 320), undefined)
    assert.equal(verify(present + 400), undefined)
    assert.equal(verify(present - 320, 600), '1-2-0')
    assert.equal(verify(now, Number.NaN), undefined)
  })

  it('says so if it gets a parsed body, or no secret', () => {
    const signature = signed(now)
    const parsed = JSON.parse(payload) as never
    assert.throws(() => verifyWebhook({ payload: parsed, signature, secret }), {
      name: 'TypeError',
      message: /not parsed/,
    })
    for (const none of ['', [], [''], undefined as never]) {
      assert.throws(() => verifyWebhook({ payload, signature, secret: none }), TypeError)
    }
  })
})
