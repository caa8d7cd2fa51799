import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { createChatMiddleware } from '@parley/express'
import express from 'express'

import { withChatProduct } from './product.js'
import { securityHeaders } from './recipes/helmet.js'

describe('the recipe for the headers of helmet', () => {
  const at = withChatProduct(
    (chat) => express().use(securityHeaders).use(createChatMiddleware(chat)),
    {
      baseUrl: 'https://product.example',
      identify: ({ headers }) =>
        headers.cookie === 'session=1'
          ? { externalId: '7', email: 'ada@product.example', fullName: 'Ada Byron' }
          : null,
      signOn: { displayName: 'The product', loginUrl: '/login' },
    },
  )

  it('keeps those that the chat gives its files and pages', async () => {
    const { alice } = at.cast.people
    const form = new FormData()
    form.set('file', new Blob(['<script>'], { type: 'text/html' }), 'page.html')
    const uploaded = await fetch(`${at.product.origin}/api/v1/user_uploads`, {
      method: 'POST',
      headers: alice.authorization(),
      body: form,
    })
    const { url } = (await uploaded.json()) as { url: string }
    const file = await fetch(at.product.origin + url, { headers: alice.authorization() })
    const pad = '0123456789abcdef'.repeat(4)
    const consent = await fetch(`${at.product.origin}/api/v1/sign_on?mobile_flow_otp=${pad}`, {
      headers: { cookie: 'session=1', 'sec-fetch-site': 'cross-site' },
    })

    assert.match(
      file.headers.get('content-security-policy') ?? '',
      /^default-src 'none'; .*; sandbox$/,
    )
    assert.match(file.headers.get('content-disposition') ?? '', /^attachment;/)
    assert.match(await consent.text(), /Sign in to the app on this device/)
    assert.match(
      consent.headers.get('content-security-policy') ?? '',
      /^default-src 'none'; .*frame-ancestors 'none'; style-src 'sha256-/,
    )
    assert.equal(consent.headers.get('x-frame-options'), 'DENY')
    assert.equal(consent.headers.get('referrer-policy'), 'same-origin')
  })

  it('permits a page what messages and their events need', async () => {
    const { headers } = await fetch(`${at.product.origin}/api/v1/server_settings`)
    const policy = new Map(
      (headers.get('content-security-policy') ?? '').split(';').map((directive) => {
        const [name = '', ...sources] = directive.split(' ')
        return [name, sources]
      }),
    )

    assert.deepEqual(policy.get('img-src'), ["'self'"])
    assert.deepEqual(policy.get('media-src'), ["'self'"])
    assert.deepEqual(policy.get('connect-src'), ["'self'", 'wss://product.example'])
    assert.deepEqual(policy.get('form-action'), ["'self'", 'zulip:'])
    assert.deepEqual(policy.get('style-src-attr'), ["'unsafe-inline'"])
    assert.equal(headers.get('referrer-policy'), 'same-origin')
  })
})
