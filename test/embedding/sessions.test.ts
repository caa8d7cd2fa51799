import assert from 'node:assert/strict'
import { ServerResponse, type IncomingMessage } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'

import type { HostIdentity, IdentifyContext } from '@parley/core'
import session, { MemoryStore, type SessionData } from 'express-session'

import type { Cast } from '../support/cast.js'
import type { Answer, Client } from '../support/client.js'
import { databaseColumns } from '../support/databases.js'
import { TestHost, type HostOptions } from '../support/host.js'
import { refusedUpgrade, SocketClient } from '../support/socket-client.js'

type Stored = SessionData & { user?: HostIdentity }
type WithSession = IncomingMessage & {
  sessionID: string
  session?: Stored & { destroy(done: (error?: unknown) => void): void }
}

/** An application with a session store that all of its processes share. */
class Product {
  readonly store = new MemoryStore()
  readonly #run = session({
    store: this.store,
    secret: 'of the product',
    resave: false,
    saveUninitialized: false,
  }) as unknown as (request: WithSession, response: ServerResponse, next: () => void) => void
  isStoreDown = false

  options(): HostOptions {
    return {
      front: (request, response) => this.#front(request as WithSession, response),
      identify: (request, context) => this.#identify(request as WithSession, context),
    }
  }

  #load(request: WithSession, response: ServerResponse): Promise<void> {
    return new Promise((resolve) => this.#run(request, response, resolve))
  }

  /** Serves `/login/<id>` and `/logout`; the tests ignore the responses. */
  async #front(request: WithSession, response: ServerResponse): Promise<void> {
    await this.#load(request, response)
    const id = /^\/login\/(\w+)/.exec(request.url ?? '')?.[1]
    if (id !== undefined && request.session !== undefined) {
      request.session.user = { externalId: id, email: `${id}@app.example`, fullName: `User ${id}` }
    }
    if (request.url === '/logout') {
      await new Promise((resolve) => request.session?.destroy(resolve))
    }
  }

  async #identify(
    request: WithSession,
    { isRepeated }: IdentifyContext,
  ): Promise<HostIdentity | null> {
    if (this.isStoreDown) throw new Error('the session store is down')
    // Upgrades do not run through the middleware.
    if (request.sessionID === undefined) await this.#load(request, new ServerResponse(request))
    if (!isRepeated) return request.session?.user ?? null
    const stored = (await promisify(this.store.get.bind(this.store))(request.sessionID)) as
      | Stored
      | null
      | undefined
    return stored?.user ?? null
  }
}

for (const database of databaseColumns()) {
  for (const adapter of ['express', 'koa'] as const) {
    describe(`sessions of the application (${adapter}, ${database.name})`, () => {
      const product = new Product()
      let first: TestHost
      let second: TestHost
      let cast: Cast

      before(async () => {
        first = new TestHost(adapter, database, product.options())
        await first.start()
        second = await first.another(adapter, product.options())
        cast = await first.organization()
      })
      after(async () => {
        await second.stop()
        await first.stop()
      })

      /** A request of a browser, to either process. */
      async function logIn(id: string, cookie?: string): Promise<string> {
        const answer = await visit(`/login/${id}`, cookie)
        return cookie ?? ((answer.headers.get('set-cookie') as string).split(';')[0] as string)
      }

      async function visit(path: string, cookie?: string): Promise<Response> {
        const answer = await fetch(`${first.origin}${path}`, {
          headers: cookie === undefined ? {} : { cookie },
        })
        await answer.text()
        return answer
      }

      const headersOf = (cookie: string) => ({ cookie, origin: first.origin })
      const anonymousOn = (host: TestHost): Client => host.clientOf(cast.nobody)

      async function socketOf(cookie: string, host = first): Promise<SocketClient> {
        const headers = { cookie, origin: host.origin }
        return SocketClient.open(anonymousOn(host), { event_types: ['message'] }, headers)
      }

      async function parked(cookie: string, host = first): Promise<Promise<Answer>[]> {
        const isParked = host.clock.next('set', 45, 55)
        const answer = anonymousOn(host).get(
          '/events',
          { event_types: ['message'] },
          { 'sec-fetch-site': 'same-origin', cookie, origin: host.origin },
        )
        await isParked
        return [answer]
      }

      /** The second process reads the commits of the first one. */
      async function noticed(): Promise<void> {
        const isOver = second.clock.next('set', 0.25)
        second.clock.fire(0.25)
        await isOver
      }

      const refusal = ({ status, body }: Answer): unknown[] => [status, body.code]

      it('end polls and sockets when the session ends, in every process, and no others', async () => {
        const cookie = await logIn('ada')
        const other = await logIn('eve')
        const ticket = (
          await anonymousOn(first).send('POST', '/events/ticket', undefined, headersOf(cookie))
        ).body.ticket as string
        const spare = (
          await anonymousOn(first).send('POST', '/events/ticket', undefined, headersOf(cookie))
        ).body.ticket as string
        const opened = [
          await socketOf(cookie),
          await socketOf(cookie, second),
          await SocketClient.open(anonymousOn(first), { ticket, event_types: ['message'] }),
        ]
        const polls = [...(await parked(cookie)), ...(await parked(cookie, second))]
        const kept = await socketOf(other)

        await visit('/logout', cookie)
        await first.chat.users.endSessions('ada', { organization: cast.subdomain })
        await noticed()

        for (const socket of opened) assert.equal((await socket.closing).code, 4003)
        for (const poll of polls) assert.deepEqual(refusal(await poll), [401, 'UNAUTHORIZED'])
        assert.equal((await refusedUpgrade(anonymousOn(first), { ticket: spare })).status, 401)
        await kept.settle()
        await kept.close()
      })

      it('do not affect connections of API keys, unless the keys are to end as well', async () => {
        const cookie = await logIn('joe')
        const me = await anonymousOn(first).get('/users/me', {}, headersOf(cookie))
        // On the server of the socket: another one would receive the new key later.
        const { body } = await anonymousOn(second).send(
          'POST',
          '/users/me/api_key/regenerate',
          undefined,
          { cookie, origin: second.origin },
        )
        const credentials = { email: me.body.email as string, apiKey: body.api_key as string }
        const client = second.client(cast.subdomain, credentials, me.body.user_id as number, 'joe')
        const socket = await SocketClient.open(client, { event_types: ['message'] })
        const end = (apiKeys: boolean) =>
          first.chat.users.endSessions('joe', { organization: cast.subdomain, apiKeys })

        await end(false)
        await noticed()
        await socket.settle()
        assert.equal((await client.get('/users/me')).status, 200)
        assert.equal(socket.socket.readyState, socket.socket.OPEN)
        await end(true)
        await noticed()

        assert.equal((await socket.closing).code, 4003)
        assert.deepEqual(refusal(await client.get('/users/me')), [401, 'INVALID_API_KEY'])
      })

      it('keep their connections open when the API key is replaced', async () => {
        const cookie = await logIn('ned')
        const renew = () =>
          anonymousOn(first).send('POST', '/users/me/api_key/regenerate', '', headersOf(cookie))
        const { body: me } = await anonymousOn(first).get('/users/me', {}, headersOf(cookie))
        const credentials = { email: me.email, apiKey: (await renew()).body.api_key as string }
        await noticed()
        const client = second.client(cast.subdomain, credentials, me.user_id, 'ned')
        const ofSession = await socketOf(cookie, second)
        const ofKey = await SocketClient.open(client, { event_types: ['message'] })

        await renew()
        await noticed()

        assert.equal((await ofKey.closing).code, 4003)
        await ofSession.settle()
        assert.equal(ofSession.socket.readyState, ofSession.socket.OPEN)
        await ofSession.close()
      })

      it('are checked by identify at each heartbeat', async () => {
        const cookie = await logIn('kim')
        const changing = await logIn('lee')
        const staying = await logIn('max')
        const sockets = [await socketOf(cookie), await socketOf(changing)]
        const polls = [...(await parked(cookie)), ...(await parked(changing))]
        const kept = await socketOf(staying)

        await visit('/logout', cookie)
        // Another user logs in with the same browser.
        await logIn('mia', changing)
        first.clock.advance(55)

        for (const poll of polls) assert.deepEqual(refusal(await poll), [401, 'UNAUTHORIZED'])
        for (const socket of sockets) assert.equal((await socket.closing).code, 4003)
        assert.equal((await kept.frame()).events[0]?.type, 'heartbeat')
        await kept.settle()
        await kept.close()
      })

      it('keep a connection while identify fails, which is logged', async () => {
        const cookie = await logIn('pat')
        const socket = await socketOf(cookie)
        const [poll] = await parked(cookie)
        await visit('/logout', cookie)
        first.log.length = 0

        product.isStoreDown = true
        first.clock.advance(55)
        const { status, body } = (await poll) as Answer
        assert.deepEqual([status, body.events[0].type], [200, 'heartbeat'])
        await socket.frame()
        await socket.settle()
        product.isStoreDown = false
        first.clock.advance(55)

        assert.equal((await socket.closing).code, 4003)
        assert.equal(first.log.filter((line) => line.includes('session store is down')).length, 2)
      })

      it('are unchanged for an unknown user, and invalid references are rejected', async () => {
        const { users } = first.chat

        await users.endSessions('unknown', { organization: cast.subdomain })
        await users.endSessions(404, { organization: cast.subdomain })

        await assert.rejects(users.endSessions('unknown', { organization: 'none' }), {
          code: 'BAD_REQUEST',
        })
        await assert.rejects(users.endSessions(''), TypeError)
      })
    })
  }
}
