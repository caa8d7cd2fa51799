import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import type { HostIdentity, Identify } from '@parley/core'

import { chatClientOf } from '../client/chat-client.js'
import type { Cast } from '../support/cast.js'
import type { Answer, Client } from '../support/client.js'
import { databaseColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { refusedUpgrade, SocketClient } from '../support/socket-client.js'

const identityOf = (externalId: string): HostIdentity => ({
  externalId,
  email: `${externalId}@app.example`,
  fullName: `User ${externalId}`,
})

/** An application whose login gives tokens to programs, and cookies to browsers. */
class Product {
  /** The users of valid tokens and cookies. */
  readonly logins = new Map<string, string>()
  via: HostIdentity['via']

  readonly identify: Identify = ({ headers }) => {
    const user =
      this.logins.get(headers.authorization ?? '') ?? this.logins.get(headers.cookie ?? '')
    if (user === undefined) return null
    return { ...identityOf(user), ...(this.via !== undefined && { via: this.via }) }
  }

  /** A valid token of a user, as a header. */
  issue(user: string, scheme = 'Bearer'): string {
    const header = `${scheme} ${user}-${this.logins.size}`
    this.logins.set(header, user)
    return header
  }
}

const refusal = ({ status, body }: Answer): unknown[] => [status, body.code]

for (const database of databaseColumns()) {
  for (const adapter of ['express', 'koa'] as const) {
    describe(`tokens (${adapter}, ${database.name})`, () => {
      const product = new Product()
      let first: TestHost
      let second: TestHost
      let cast: Cast
      let nobody: Client

      before(async () => {
        first = new TestHost(adapter, database, { identify: product.identify })
        await first.start()
        second = await first.another(adapter, { identify: product.identify })
        cast = await first.organization()
        nobody = cast.nobody
      })
      after(async () => {
        await second.stop()
        await first.stop()
      })

      const call = (authorization: string, method = 'GET', path = '/users/me', more = {}) =>
        nobody.send(method, path, undefined, { authorization, ...more })
      const socketOf = (authorization: string, host = first) =>
        SocketClient.open(host.clientOf(nobody), { event_types: ['message'] }, { authorization })
      const parked = async (authorization: string): Promise<Promise<Answer>[]> => {
        const isParked = first.clock.next('set', 45, 55)
        const answer = nobody.get('/events', { event_types: ['message'] }, { authorization })
        await isParked
        return [answer]
      }
      const options = () => ({ organization: cast.subdomain })
      const created = async (user: string, expiresInSeconds?: number): Promise<string> => {
        const { token } = await first.chat.users.createToken(user, {
          ...options(),
          ...(expiresInSeconds !== undefined && { expiresInSeconds }),
        })
        return `Bearer ${token}`
      }

      describe('of the application', () => {
        it('identify their user in calls, polls and WebSockets, without a proof of origin', async () => {
          const token = product.issue('ada')

          const me = await call(token)
          assert.equal(me.body.full_name, 'User ada')
          const params = new URLSearchParams({
            type: 'direct',
            to: `[${me.body.user_id}]`,
            content: 'x',
          })
          assert.equal((await call(token, 'POST', `/messages?${params}`)).status, 200)
          const socket = await socketOf(token)
          await call(token, 'POST', `/messages?${params}`)
          assert.equal((await socket.events(1))[0]?.type, 'message')
          await socket.close()
          const { body } = await call(token, 'POST', '/events/ticket')
          await (await SocketClient.open(nobody, { ticket: body.ticket })).close()
        })

        it('that identify does not accept are refused, also where visitors are served', async () => {
          await cast.people.olga.patch('/realm', { enable_spectator_access: true })

          for (const scheme of ['Bearer', 'bearer', 'Token', 'DPoP']) {
            for (const path of ['/users/me', '/messages?anchor=newest&num_before=1&num_after=0']) {
              assert.deepEqual(refusal(await call(`${scheme} none`, 'GET', path)), [
                401,
                'UNAUTHORIZED',
              ])
            }
            assert.equal(
              (await refusedUpgrade(nobody, {}, { authorization: `${scheme} none` })).status,
              401,
            )
          }
          assert.equal((await call('Bearer')).status, 401)
          assert.deepEqual(refusal(await call('Basic none')), [401, 'UNAUTHORIZED'])
        })

        it('need a proof of origin beside a cookie, unless identify says that it knows the user by the token', async () => {
          const token = product.issue('bea')
          product.logins.set('session=bea', 'bea')
          const write = (headers: object) =>
            call(token, 'POST', '/users/me/alert_words?alert_words=["x"]', headers)
          const forged = { cookie: 'session=bea', origin: 'https://other.example' }

          assert.deepEqual(refusal(await write(forged)), [403, 'CSRF_FAILED'])
          assert.equal((await write({ ...forged, origin: first.origin })).status, 200)
          assert.equal((await write({ origin: 'https://other.example' })).status, 200)
          product.via = 'token'
          assert.equal((await write(forged)).status, 200)
          product.via = 'cookie'
          assert.deepEqual(refusal(await write({})), [403, 'CSRF_FAILED'])
          product.via = undefined
          const negotiated = product.issue('bea', 'Negotiate')
          assert.equal((await call(negotiated)).status, 200)
          const path = '/users/me/alert_words?alert_words=["x"]'
          assert.deepEqual(refusal(await call(negotiated, 'POST', path)), [403, 'CSRF_FAILED'])
        })

        it('end polls and WebSockets when identify no longer accepts them', async () => {
          const token = product.issue('cam')
          const socket = await socketOf(token)
          const [poll] = await parked(token)

          product.logins.delete(token)
          first.clock.advance(55)

          assert.deepEqual(refusal((await poll) as Answer), [401, 'UNAUTHORIZED'])
          assert.equal((await socket.closing).code, 4003)
        })

        it('are asked for again by the client when they have expired', async () => {
          const issued: string[] = []
          const client = chatClientOf(nobody, {
            credentials: {
              type: 'provider',
              authorization: async () => {
                issued.push(product.issue('dan'))
                return issued.at(-1)
              },
            },
          })

          const me = await client.api.getOwnUser()
          assert.equal(me.full_name, 'User dan')
          product.logins.delete(issued[0] ?? '')
          await client.api.addAlertWords({ alert_words: ['tea'] })

          assert.equal(issued.length, 2)
        })
      })

      describe('of the chat', () => {
        before(async () => {
          for (const user of ['eva', 'fay', 'gil', 'hal', 'ida']) await call(product.issue(user))
        })

        it('identify their user in calls, polls and WebSockets, in every process', async () => {
          const token = await created('eva')

          assert.equal((await call(token)).body.full_name, 'User eva')
          assert.equal(
            (await call(token, 'POST', '/users/me/alert_words?alert_words=["x"]')).status,
            200,
          )
          await (await socketOf(token, second)).close()
          const { body } = await call(token, 'POST', '/events/ticket')
          await (await SocketClient.open(nobody, { ticket: body.ticket })).close()
        })

        it('are valid until they expire, which ends what they have opened', async () => {
          const token = await created('eva', 40)
          const socket = await socketOf(token)
          const [poll] = await parked(token)
          assert.equal((await call(token)).status, 200)

          first.clock.advance(55)

          assert.deepEqual(refusal((await poll) as Answer), [401, 'UNAUTHORIZED'])
          assert.equal((await socket.closing).code, 4003)
          assert.deepEqual(refusal(await call(token)), [401, 'UNAUTHORIZED'])
          const longer = token.replace(/parley_[0-9a-z]+/, 'parley_zzzzzz')
          assert.deepEqual(refusal(await call(longer)), [401, 'UNAUTHORIZED'])
        })

        it('end with endSessions, also in another process that does not know of it yet', async () => {
          const [token, other] = [await created('fay'), await created('gil')]
          const elsewhere = second.clientOf(nobody)
          const write = (authorization: string) =>
            elsewhere.send('POST', '/users/me/alert_words?alert_words=["x"]', undefined, {
              authorization,
            })
          assert.equal((await write(token)).status, 200)
          const socket = await socketOf(token)
          const [poll] = await parked(token)
          const ticket = (await call(token, 'POST', '/events/ticket')).body.ticket as string

          await first.chat.users.endSessions('fay', options())

          assert.deepEqual(refusal((await poll) as Answer), [401, 'UNAUTHORIZED'])
          assert.equal((await socket.closing).code, 4003)
          assert.deepEqual(refusal(await call(token)), [401, 'UNAUTHORIZED'])
          assert.deepEqual(refusal(await write(token)), [401, 'UNAUTHORIZED'])
          assert.equal((await refusedUpgrade(nobody, { ticket })).status, 401)
          assert.equal((await write(other)).status, 200)
        })

        it('are refused with the account, and not accepted again with it', async () => {
          const token = await created('hal')
          assert.equal((await call(token)).status, 200)

          await first.chat.users.deactivate('hal', options())
          assert.deepEqual(refusal(await call(token)), [401, 'USER_DEACTIVATED'])
          await assert.rejects(created('hal'), { code: 'BAD_REQUEST' })
          await first.chat.users.reactivate('hal', options())

          assert.deepEqual(refusal(await call(token)), [401, 'UNAUTHORIZED'])
        })

        it('are valid in their organization only', async () => {
          const other = await first.organization()
          const token = await created('gil')

          const answer = await other.nobody.get('/users/me', {}, { authorization: token })

          assert.deepEqual(refusal(answer), [401, 'UNAUTHORIZED'])
        })

        it('replace the oldest of a user beyond a hundred, whenever they expire', async () => {
          const oldest = await created('ida', 3000)
          const second = await created('ida', 100)
          assert.equal((await call(oldest)).status, 200)
          for (let count = 0; count < 99; count += 1) await created('ida', 4000)
          const last = await created('ida', 100)

          assert.deepEqual(refusal(await call(oldest)), [401, 'UNAUTHORIZED'])
          assert.deepEqual(refusal(await call(second)), [401, 'UNAUTHORIZED'])
          assert.equal((await call(last)).status, 200)
        })

        it('are also made for users who have no account yet', async () => {
          const { token } = await first.chat.users.createToken(identityOf('jon'), options())

          assert.equal((await call(`Bearer ${token}`)).body.full_name, 'User jon')
          const incomplete = { externalId: 'jon', email: 'none' } as never
          await assert.rejects(first.chat.users.createToken(incomplete, options()), TypeError)
        })

        it('are for existing users, and valid between a second and thirty days', async () => {
          await assert.rejects(created('unknown'), { code: 'BAD_REQUEST' })
          for (const seconds of [0, -1, Number.NaN, 30 * 24 * 3600 + 1]) {
            await assert.rejects(created('gil', seconds), TypeError)
          }
          await assert.rejects(first.chat.users.createToken(''), TypeError)
          const { expiresAtSeconds } = await first.chat.users.createToken('gil', options())
          assert.equal(expiresAtSeconds, Math.floor(first.clock.now() / 1000) + 3600)
        })
      })
    })
  }
}

describe('tokens without the option identify', () => {
  it('are refused as before, but for those of the chat', async () => {
    const [database] = databaseColumns()
    assert.ok(database)
    const host = new TestHost('express', database)
    await host.start()
    const { nobody, people, subdomain } = await host.organization()

    const refused = await nobody.get('/users/me', {}, { authorization: 'Bearer none' })
    const { token } = await host.chat.users.createToken(
      { userId: people.alice.id },
      { organization: subdomain },
    )
    const answer = await nobody.get('/users/me', {}, { authorization: `Bearer ${token}` })

    assert.deepEqual(refusal(refused), [400, 'BAD_REQUEST'])
    assert.equal(answer.body.user_id, people.alice.id)
    await host.stop()
  })
})
