import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'node:test'

import type { HostIdentity } from '@parley/core'

import { german } from '../../packages/core/src/languages/de.js'
import type { Answer } from '../support/client.js'
import { everyHost, type HostCase, type HostOptions } from '../support/host.js'

/** The application's sessions, by the value of its cookie. */
const sessions = new Map<string, HostIdentity>()
const product: HostOptions = {
  identify: ({ headers }) => sessions.get(headers.cookie ?? '') ?? null,
  signOn: { displayName: 'Test Product', loginUrl: '/login?from=app' },
}
const ada = { externalId: '7', email: 'ada+lov@product.example', fullName: 'Ada <Byron>' }

let count = 0
/** Headers of a browser with a session, in a request that a client has opened. */
function loggedIn(identity: HostIdentity = ada): Record<string, string> {
  count += 1
  sessions.set(`session=${count}`, identity)
  const opened = { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' }
  return { cookie: `session=${count}`, ...opened }
}

const newPad = (): string => randomBytes(32).toString('hex')
const open = (
  at: HostCase,
  params: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> => at.nobody.get('/sign_on', params, headers)

/** Decodes the redirect address, as a mobile client does. */
function receive(location: string, pad: string) {
  const url = new URL(location)
  const encrypted = Buffer.from(url.searchParams.get('otp_encrypted_api_key') ?? '', 'hex')
  const padBytes = Buffer.from(pad, 'hex')
  const { realm, email, user_id } = Object.fromEntries(url.searchParams)
  const apiKey = Buffer.from(encrypted.map((byte, index) => byte ^ (padBytes[index] ?? 0)))
  return { start: location.split('?')[0], realm, email, user_id, apiKey: apiKey.toString('ascii') }
}

everyHost(
  'sign-on',
  (at) => {
    it('is listed in the server settings', async () => {
      const { body } = await at.nobody.get('/server_settings')

      assert.deepEqual(body.external_authentication_methods, [
        {
          name: 'application',
          display_name: 'Test Product',
          display_icon: null,
          login_url: '/api/v1/sign_on',
          signup_url: '/api/v1/sign_on',
        },
      ])
    })

    it('returns a valid API key to the device, encrypted with its one-time pad', async () => {
      const pad = newPad()
      const { body: settings } = await at.nobody.get('/server_settings')

      const answer = await open(at, { mobile_flow_otp: pad }, loggedIn())

      assert.equal(answer.status, 302)
      assert.equal(answer.text, '')
      assert.equal(answer.headers['cache-control'], 'no-store')
      assert.equal(answer.headers['referrer-policy'], 'no-referrer')
      const { start, realm, email, user_id, apiKey } = receive(answer.headers.location ?? '', pad)
      assert.deepEqual([start, realm, email], ['zulip://login', settings.realm_uri, ada.email])
      assert.match(apiKey, /^[A-Za-z0-9]{32}$/)
      const client = at.host.client(at.subdomain, { email: ada.email, apiKey }, 0, 'ada')
      const own = await client.get('/users/me')
      assert.equal(own.body.user_id, Number(user_id))
    })

    it('returns the same API key each time, unreadable without the pad', async () => {
      const [first, second] = [newPad(), newPad()]

      const one = await open(at, { mobile_flow_otp: first }, loggedIn())
      const two = await open(at, { mobile_flow_otp: second.toUpperCase() }, loggedIn())

      const key = receive(one.headers.location ?? '', first).apiKey
      assert.equal(receive(two.headers.location ?? '', second).apiKey, key)
      assert.doesNotMatch(one.headers.location ?? '', new RegExp(key))
    })

    it('redirects users without a session to the login page, and from there back', async () => {
      const pad = newPad()

      const answer = await open(at, { mobile_flow_otp: pad, next: 'https://evil.example' })

      const location = answer.headers.location ?? ''
      assert.equal(answer.status, 302)
      assert.ok(location.startsWith('/login?from=app&next='), location)
      const { searchParams } = new URL(location, at.host.origin)
      assert.equal(searchParams.get('next'), `/api/v1/sign_on?mobile_flow_otp=${pad}`)
      assert.equal(searchParams.size, 2)
    })

    it('shows a confirmation page if another site has started the login', async () => {
      const pad = newPad()
      for (const site of ['cross-site', 'same-site']) {
        const headers = { ...loggedIn(), 'sec-fetch-site': site, 'sec-fetch-dest': 'document' }

        const answer = await open(at, { mobile_flow_otp: pad }, headers)

        assert.equal(answer.status, 200)
        assert.equal(answer.headers.location, undefined)
        assert.match(answer.headers['content-type'] ?? '', /^text\/html/)
        assert.match(String(answer.headers['content-security-policy']), /frame-ancestors 'none'/)
        assert.equal(answer.headers['x-frame-options'], 'DENY')
        assert.ok(answer.text.includes('Ada &#60;Byron&#62;'))
        assert.ok(answer.text.includes(`href="/api/v1/sign_on?mobile_flow_otp=${pad}"`))
      }
    })

    it('writes the confirmation page in English without languages, with the whole name', async () => {
      const headers = { ...loggedIn(), 'sec-fetch-site': 'cross-site', 'accept-language': 'de' }

      const { text } = await open(at, { mobile_flow_otp: newPad() }, headers)

      assert.match(text, /<html lang="en">/)
      assert.match(text, /<p>Sign in to the app on this device as <strong>Ada &#60;Byron&#62;/)
    })

    it('shows a confirmation page if a page embeds the login', async () => {
      for (const kind of ['iframe', 'image', 'empty']) {
        const headers = {
          ...loggedIn(),
          'sec-fetch-site': 'same-origin',
          'sec-fetch-dest': kind,
        }

        assert.equal((await open(at, { mobile_flow_otp: newPad() }, headers)).status, 200)
      }
    })

    it('continues after a click on its own page, and after an address that was typed', async () => {
      for (const site of ['same-origin', 'none']) {
        const headers = { ...loggedIn(), 'sec-fetch-site': site, 'sec-fetch-dest': 'document' }

        assert.equal((await open(at, { mobile_flow_otp: newPad() }, headers)).status, 302)
      }
    })

    it('shows a confirmation page without fetch metadata, and recognizes its own page', async () => {
      const from = (referer?: string) =>
        open(
          at,
          { mobile_flow_otp: newPad() },
          { cookie: loggedIn()['cookie'] ?? '', ...(referer === undefined ? {} : { referer }) },
        )

      const asking = await from()

      assert.deepEqual([asking.status, asking.headers.location], [200, undefined])
      assert.equal(asking.headers['referrer-policy'], 'same-origin')
      for (const referer of ['https://evil.example/', `${at.host.origin}.evil.example/`, 'x']) {
        assert.equal((await from(referer)).status, 200, referer)
      }
      assert.equal((await from(`${at.host.origin}/api/v1/sign_on`)).status, 302)
    })

    it('rejects invalid pads before it checks the session', async () => {
      const refused = [400, 'BAD_REQUEST', 'Invalid OTP']
      for (const pad of ['', 'x', newPad().slice(1), `${newPad()}00`, `${newPad().slice(1)}g`]) {
        const { status, body } = await open(at, { mobile_flow_otp: pad })
        assert.deepEqual([status, body.code, body.msg], refused, pad)
      }
      const without = await open(at, {}, loggedIn())
      assert.deepEqual([without.status, without.body.code, without.body.msg], refused)
      const desktop = await open(at, { desktop_flow_otp: newPad() }, loggedIn())
      assert.equal(desktop.body.msg, 'Invalid OTP')
      const both = await open(at, { mobile_flow_otp: 'x', desktop_flow_otp: 'y' }, loggedIn())
      assert.deepEqual(
        [both.status, both.body.msg],
        [400, "Can't use both mobile_flow_otp and desktop_flow_otp together."],
      )
    })

    it('rejects users whose accounts are deactivated', async () => {
      const gone = { externalId: '8', email: 'gone@product.example', fullName: 'Gone' }
      const pad = newPad()
      const first = await open(at, { mobile_flow_otp: pad }, loggedIn(gone))
      const { user_id } = receive(first.headers.location ?? '', pad)
      await at.people.olga.delete(`/users/${user_id}`)

      const { status, body, headers } = await open(at, { mobile_flow_otp: pad }, loggedIn(gone))

      assert.deepEqual([status, body.code], [401, 'USER_DEACTIVATED'])
      assert.equal(headers.location, undefined)
    })

    it('requires an organization', async () => {
      const elsewhere = at.host.client('no-such', undefined, 0, 'nobody')

      assert.equal((await elsewhere.get('/sign_on', { mobile_flow_otp: newPad() })).status, 404)
    })
  },
  {},
  product,
)

everyHost(
  'sign-on',
  (at) => {
    it('passes the whole return address to a login page on another origin', async () => {
      const pad = newPad()

      const { headers } = await open(at, { mobile_flow_otp: pad })

      const next = new URL(headers.location ?? '').searchParams.get('next')
      assert.equal(next, `https://product.example/team/api/v1/sign_on?mobile_flow_otp=${pad}`)
    })

    it('returns the configured address to the device', async () => {
      const pad = newPad()

      const { headers } = await open(at, { mobile_flow_otp: pad }, loggedIn())

      assert.equal(receive(headers.location ?? '', pad).realm, 'https://product.example/team')
    })

    it('treats only pages of the configured address as its own', async () => {
      const status = async (referer: string) =>
        (
          await open(
            at,
            { mobile_flow_otp: newPad() },
            { cookie: loggedIn()['cookie'] ?? '', referer },
          )
        ).status

      assert.equal(await status('https://product.example/team/'), 302)
      assert.equal(await status(`${at.host.origin}/`), 200)
    })
  },
  {},
  {
    ...product,
    baseUrl: 'https://product.example',
    basePath: '/team',
    signOn: { displayName: 'Test Product', loginUrl: 'https://login.example/start' },
  },
)

everyHost('sign-on', (at) => {
  it('returns an error if the application has no single sign-on', async () => {
    const { status, body } = await open(at, { mobile_flow_otp: newPad() })

    assert.deepEqual([status, body.result], [404, 'error'])
    assert.deepEqual(
      (await at.nobody.get('/server_settings')).body.external_authentication_methods,
      [],
    )
  })
})

everyHost(
  'sign-on in languages',
  (at) => {
    it('asks for the confirmation in the language that the browser prefers', async () => {
      // A name that is a word of the text, too.
      const named = { ...ada, externalId: '8', email: 'app@product.example', fullName: 'App' }
      const headers = { ...loggedIn(named), 'sec-fetch-site': 'cross-site' }

      const { text } = await open(
        at,
        { mobile_flow_otp: newPad() },
        { ...headers, 'accept-language': 'de-AT' },
      )

      assert.match(text, /<html lang="de">/)
      assert.match(text, /<p>In der App auf diesem Gerät als <strong>App<\/strong> anmelden\?<\/p>/)
      assert.match(text, />Weiter<\/a>/)
    })
  },
  {},
  { ...product, texts: { languages: [german] } },
)
