import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { it } from 'node:test'

import type { HostIdentity } from '@parley/core'

import { encode, type Answer } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost, type HostCase, type HostOptions } from '../support/host.js'
import { upgradeStatus } from '../support/socket-client.js'

/** A request after the product's middleware. */
type WithSession = IncomingMessage & { session?: HostIdentity }

/** The product's sessions, by the value of its cookie. */
const sessions = new Map<string, HostIdentity>()

function sessionOf(request: IncomingMessage): HostIdentity | undefined {
  const cookie = /(?:^|; )session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1]
  return cookie === undefined ? undefined : sessions.get(cookie)
}

const product: HostOptions = {
  trustedOrigins: ['https://app.example'],
  front: (request: WithSession) => {
    const session = sessionOf(request)
    if (session !== undefined) request.session = session
  },
  identify: (request: WithSession) => request.session,
}

let count = 0

/** A browser of a user who is logged in to the product. */
class Browser {
  readonly cookie: string
  identity: HostIdentity

  constructor(
    readonly at: HostCase,
    more: Partial<HostIdentity> = {},
  ) {
    count += 1
    this.cookie = `cookie${count}`
    this.identity = {
      externalId: `app-user-${count}`,
      email: `session${count}@app.example`,
      fullName: `Session User ${count}`,
      ...more,
    }
    sessions.set(this.cookie, this.identity)
  }

  /** Changes the identity that the product returns from now on. */
  become(more: Partial<HostIdentity>): void {
    this.identity = { ...this.identity, ...more }
    sessions.set(this.cookie, this.identity)
  }

  logOut(): void {
    sessions.delete(this.cookie)
  }

  send(
    method: string,
    path: string,
    params: Record<string, unknown> = {},
    headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
  ): Promise<Answer> {
    const body = encode(params)
    return method === 'GET'
      ? this.at.nobody.get(path, params, { cookie: `session=${this.cookie}`, ...headers })
      : this.at.nobody.send(method, path, body, { cookie: `session=${this.cookie}`, ...headers })
  }

  async me(): Promise<Record<string, unknown>> {
    return (await this.send('GET', '/users/me')).body
  }
}

const refusal = ({ status, body }: Answer): unknown[] => [status, body.code, body.msg]

everyHost(
  'get-own-user',
  (at) => {
    it('creates a user at the first request of a session, and sends one event to all users', async () => {
      const feed = await at.people.alice.listen({ event_types: ['realm_user'] })
      const browser = new Browser(at)

      const answers = await Promise.all(
        Array.from({ length: 20 }, () => browser.send('GET', '/users/me')),
      )

      const ids = new Set(answers.map(({ body }) => body.user_id))
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      assert.equal(ids.size, 1)
      const events = withoutIds(await feed.drain())
      assert.deepEqual(
        events.map(({ type, op, person }) => [type, op, (person as { user_id: number }).user_id]),
        [['realm_user', 'add', [...ids][0]]],
      )
      const me = await browser.me()
      assert.deepEqual(
        [me['full_name'], me['delivery_email'], me['role']],
        [browser.identity.fullName, browser.identity.email, 400],
      )
    })

    it('applies changes of name, address and role, once each', async () => {
      const browser = new Browser(at)
      const { user_id } = await browser.me()
      const feed = await at.people.bob.listen({ event_types: ['realm_user'] })

      browser.become({ fullName: 'Changed', role: 300, email: `changed${count}@app.example` })
      const answers = await Promise.all([1, 2, 3, 4, 5].map(() => browser.me()))

      for (const me of answers) {
        assert.deepEqual(
          [me['user_id'], me['full_name'], me['role'], me['delivery_email']],
          [user_id, 'Changed', 300, browser.identity.email],
        )
      }
      const persons = (await feed.drain()).map(({ person }) => person)
      assert.deepEqual(
        persons.filter(({ avatar_source }) => avatar_source === undefined),
        [
          { user_id, full_name: 'Changed' },
          { user_id, role: 300 },
          { user_id, delivery_email: browser.identity.email },
          { user_id, new_email: browser.identity.email },
        ],
      )
    })

    it('keeps the role that administrators have set if the product returns none', async () => {
      const browser = new Browser(at)
      const { user_id } = await browser.me()

      await at.people.adam.patch(`/users/${user_id as number}`, { role: 300 })

      assert.equal((await browser.me())['role'], 300)
    })

    it('does not use the email address to adopt an existing account', async () => {
      const { alice } = at.people
      const browser = new Browser(at, { email: alice.email.toUpperCase() })

      const me = await browser.me()

      assert.notEqual(me['user_id'], alice.id)
      assert.match(String(me['delivery_email']), /^login-[0-9a-f]{20}@users\.invalid$/)
      assert.equal((await alice.get('/users/me')).body.delivery_email, alice.email)
      assert.equal((await browser.me())['user_id'], me['user_id'])
    })

    it('refuses a deactivated user', async () => {
      const browser = new Browser(at)
      const { user_id } = await browser.me()

      await at.people.adam.delete(`/users/${user_id as number}`)

      const answer = await browser.send('GET', '/users/me')
      assert.deepEqual(refusal(answer), [401, 'USER_DEACTIVATED', 'Account is deactivated'])
      assert.equal(answer.headers['www-authenticate'], 'Session realm="zulip"')
      browser.become({ fullName: 'Somebody Else' })
      assert.equal((await browser.send('GET', '/users/me')).status, 401)
    })

    it('refuses users who are not logged in, without making browsers ask for a password', async () => {
      const browser = new Browser(at)
      await browser.me()
      browser.logOut()

      const loggedOut = await browser.send('GET', '/users/me')
      const noBrowser = await at.nobody.get('/users/me')

      for (const answer of [loggedOut, noBrowser]) {
        assert.deepEqual(refusal(answer), [
          401,
          'UNAUTHORIZED',
          'Not logged in: API authentication or user session required',
        ])
      }
      assert.equal(loggedOut.headers['www-authenticate'], 'Session realm="zulip"')
      assert.equal(noBrowser.headers['www-authenticate'], 'Basic realm="zulip"')
    })

    it('refuses wrong API keys, without making browsers ask for a password', async () => {
      const authorization = `Basic ${btoa(`${at.people.alice.email}:wrong`)}`

      const inPage = await at.nobody.get(
        '/users/me',
        {},
        { authorization, 'sec-fetch-site': 'same-origin' },
      )
      const noBrowser = await at.nobody.get('/users/me', {}, { authorization })

      for (const answer of [inPage, noBrowser]) {
        assert.deepEqual(refusal(answer), [401, 'INVALID_API_KEY', 'Malformed API key'])
      }
      assert.equal(inPage.headers['www-authenticate'], 'Session realm="zulip"')
      assert.equal(noBrowser.headers['www-authenticate'], 'Basic realm="zulip"')
    })

    it('takes no program for a browser that uses the `fetch` of Node', async () => {
      const headers = { 'x-organization': at.subdomain }

      const answer = await fetch(`${at.host.origin}/api/v1/users/me`, { headers })

      assert.deepEqual(
        [answer.status, answer.headers.get('www-authenticate'), (await answer.json()).code],
        [401, 'Basic realm="zulip"', 'UNAUTHORIZED'],
      )
    })

    it('still accepts API keys, also together with a session', async () => {
      const { alice } = at.people
      const browser = new Browser(at)

      const answer = await alice.get('/users/me', {}, { cookie: `session=${browser.cookie}` })

      assert.equal(answer.body.user_id, alice.id)
    })

    it('returns 500 for an invalid identity, and logs it', async () => {
      const browser = new Browser(at, { email: 'no address' })

      assert.equal((await browser.send('GET', '/users/me')).status, 500)
      assert.ok(at.host.log.some((line) => line.includes('email must be an e-mail address')))
    })
  },
  {},
  product,
)

/** Opens a WebSocket like a page of `origin`. @returns the status of the response. */
function connect({ at, cookie }: Browser, origin: string | undefined): Promise<number> {
  return upgradeStatus(at.nobody.endpoint, '', {
    cookie: `session=${cookie}`,
    ...(origin === undefined ? {} : { origin }),
  })
}

everyHost(
  'get-events',
  (at) => {
    it('opens WebSockets with a session only for trusted pages', async () => {
      const browser = new Browser(at)

      assert.equal(await connect(browser, 'https://app.example'), 101)
      assert.equal(await connect(browser, 'https://chat.example'), 101)
      // The host of the request, which is not the server's own address here.
      assert.equal(await connect(browser, at.host.origin), 403)
      assert.equal(await connect(browser, 'https://evil.example'), 403)
      assert.equal(await connect(browser, undefined), 403)
    })
  },
  {},
  // Middleware does not run for upgrades, so the product checks the cookie itself.
  {
    ...product,
    identify: (request) => sessionOf(request) ?? null,
    baseUrl: 'https://chat.example',
  },
)

const write = { type: 'channel', to: 'general', topic: 'sessions', content: 'hello' }

everyHost(
  'send-message',
  (at) => {
    it('accepts writes from pages of the server itself and of trusted origins', async () => {
      const browser = new Browser(at)
      for (const headers of [
        { origin: at.host.origin },
        { origin: 'https://app.example', 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'same-origin' },
      ]) {
        const answer = await browser.send('POST', '/messages', write, headers as never)
        assert.equal(answer.status, 200, JSON.stringify(headers))
      }
    })

    it('refuses writes from all other pages', async () => {
      const missing = 'the request has no header “Origin”'
      const notTrusted = 'the header “Origin” names an origin that is not trusted'
      const browser = new Browser(at)
      const feed = await at.people.alice.listen({ event_types: ['message'] })
      for (const [headers, reason] of [
        [{ origin: 'https://evil.example' }, notTrusted],
        [{ origin: 'null' }, notTrusted],
        [{ origin: `${at.host.origin}.evil.example` }, notTrusted],
        [{ origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }, notTrusted],
        [{ 'sec-fetch-site': 'cross-site' }, missing],
        [{ 'sec-fetch-site': 'same-site' }, missing],
        [{}, missing],
      ] as const) {
        const answer = await browser.send('POST', '/messages', write, headers as never)
        assert.equal(answer.status, 403)
        assert.deepEqual(answer.body, {
          result: 'error',
          msg: `CSRF error: ${reason}`,
          code: 'CSRF_FAILED',
          reason,
        })
      }
      for (const method of ['PATCH', 'DELETE']) {
        const answer = await browser.send(method, `/users/${at.people.bob.id}`, {}, {})
        assert.equal(answer.body.code, 'CSRF_FAILED', method)
      }
      assert.deepEqual(await feed.drain(), [])
    })

    it('accepts reads from other pages, because browsers withhold the responses from them', async () => {
      const browser = new Browser(at)
      const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }

      assert.equal((await browser.send('GET', '/users/me', {}, headers)).status, 200)
    })

    it('requires no origin with API keys', async () => {
      const { alice } = at.people

      const answer = await alice.post('/messages', write, { origin: 'https://evil.example' })

      assert.equal(answer.status, 200)
    })

    it('sets the name of the client to website only for sessions', async () => {
      const { alice } = at.people
      const browser = new Browser(at)
      const feed = await alice.listen({ event_types: ['message'] })

      await browser.send('POST', '/messages', write, {
        'sec-fetch-site': 'same-origin',
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)',
      })
      await alice.post('/messages', write, { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' })

      assert.deepEqual(
        (await feed.drain()).map(({ message }) => message.client),
        ['website', 'Mozilla'],
      )
    })
  },
  {},
  product,
)

everyHost(
  'get-own-user',
  (at) => {
    it('accepts a session only in its own organization, if the product names one', async () => {
      const elsewhere = await at.host.organization()
      const browser = new Browser(at, { organization: elsewhere.subdomain })
      const there = new Browser({ ...at, ...elsewhere }, browser.identity)

      assert.deepEqual(refusal(await browser.send('GET', '/users/me')), [
        401,
        'UNAUTHORIZED',
        'Account is not associated with this subdomain',
      ])
      assert.equal((await there.send('GET', '/users/me')).status, 200)
    })

    it('creates a user in each organization that the session is valid in', async () => {
      const elsewhere = await at.host.organization()
      const browser = new Browser(at)
      const there = new Browser({ ...at, ...elsewhere }, browser.identity)

      const [here, other] = [await browser.me(), await there.me()]

      assert.notEqual(here['user_id'], other['user_id'])
      assert.equal(here['delivery_email'], other['delivery_email'])
    })

    it('is refused when the organization is deactivated', async () => {
      const elsewhere = await at.host.organization()
      const browser = new Browser({ ...at, ...elsewhere })
      assert.equal((await browser.send('GET', '/users/me')).status, 200)

      await at.host.chat.organizations.deactivate(elsewhere.subdomain)

      assert.equal((await browser.send('GET', '/users/me')).body.code, 'REALM_DEACTIVATED')
    })
  },
  {},
  product,
)
