import assert from 'node:assert/strict'
import { it } from 'node:test'

import { ChatError, type HostIdentity } from '@parley/core'

import type { Answer } from '../support/client.js'
import { passwordOf } from '../support/cast.js'
import { everyDatabase, type HostOptions } from '../support/host.js'

const ada: HostIdentity = { externalId: 'ada', email: 'ada@app.example', fullName: 'Ada' }
const password = 'the password of the directory'
const product: HostOptions = {
  identify: ({ headers }) => (headers.cookie === 'ada' ? ada : null),
  passwordAuthenticators: [
    {
      method: 'password',
      acceptsAnyUsername: false,
      authenticate: (attempt) => (attempt.password === password ? ada : undefined),
    },
  ],
  signOn: { displayName: 'Test Product', loginUrl: '/login' },
  apiKeys: 'off',
  development: true,
}
const refusal = 'API keys are disabled for this account.'

everyDatabase(
  'a user of an application that allows no API keys',
  'express',
  (at) => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const json = { 'content-type': 'application/json' }
    const session = () => ({ cookie: 'ada', origin: at.host.origin })
    const send = (path: string, body: string, headers: Record<string, string>) =>
      at.nobody.send('POST', path, body, headers)
    const credentials = { username: ada.email, password }
    const pad = 'ab'.repeat(32)

    const ways: readonly (readonly [string, () => Promise<Answer>])[] = [
      [
        'with a password',
        () => send('/fetch_api_key', new URLSearchParams(credentials).toString(), form),
      ],
      ['with a password, as JSON', () => send('/fetch_api_key', JSON.stringify(credentials), json)],
      [
        'on a development server',
        () => at.nobody.post('/dev_fetch_api_key', { username: ada.email }),
      ],
      [
        'by replacing it',
        () => send('/users/me/api_key/regenerate', '', { ...form, ...session() }),
      ],
      [
        'by single sign-on',
        () =>
          at.nobody.get(
            '/sign_on',
            { mobile_flow_otp: pad },
            { ...session(), 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' },
          ),
      ],
      [
        'by single sign-on from another site',
        () =>
          at.nobody.get(
            '/sign_on',
            { mobile_flow_otp: pad },
            { ...session(), 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' },
          ),
      ],
    ]
    for (const [way, ask] of ways) {
      it(`gets none ${way}`, async () => {
        // The account exists from its first request on.
        const me = await at.nobody.get('/users/me', {}, { cookie: 'ada' })
        const { status, body, text, headers } = await ask()

        assert.equal(me.status, 200)
        assert.ok(body?.code !== 'INVALID_JSON' && status === 400, `${status} ${text}`)
        assert.ok(text.includes(refusal) || body?.msg === refusal, text)
        assert.equal(headers['location'], undefined)
        assert.equal(body?.api_key, undefined)
      })
    }

    it('gets none in the process', async () => {
      const { api } = at.host.chat.as({ ...ada, organization: at.subdomain })
      const answer = await api.regenerateOwnApiKey().catch((error: unknown) => error)

      assert.ok(answer instanceof ChatError)
      assert.equal(answer.message, refusal)
    })

    it('differs from accounts of the chat, which get theirs', async () => {
      const username = `alice@${at.subdomain}.example`
      const answers = [
        await at.nobody.post('/fetch_api_key', { username, password: passwordOf('alice') }),
        await at.nobody.post('/dev_fetch_api_key', { username }),
        await at.people.alice.post('/users/me/api_key/regenerate'),
      ]

      for (const { status, body } of answers) {
        assert.equal(status, 200)
        assert.equal(typeof body.api_key, 'string')
      }
    })
  },
  product,
  { passwords: ['alice'] },
)
