import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { after, before, describe, it, mock } from 'node:test'

import { jwtIdentity, type JwtClaims, type JwtIdentityOptions } from '@parley/core/jwt'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type JWK } from 'jose'

import { castOf } from '../support/cast.js'
import type { Answer, Client } from '../support/client.js'
import { databaseColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { SocketClient } from '../support/socket-client.js'
import { startProduct } from './recipes/tokens.js'

type Pair = Awaited<ReturnType<typeof generateKeyPair>>

/** A login of the application: a real server with its public keys. */
class Login {
  readonly keys: JWK[] = []
  isAway = false
  requests = 0
  jwks = ''
  #server: Server | undefined

  async listen(): Promise<void> {
    this.#server = createServer((_, response) => {
      this.requests += 1
      response.statusCode = this.isAway ? 500 : 200
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ keys: this.keys }))
    })
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.jwks = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/jwks`
  }

  async add(kid: string, alg: string): Promise<Pair> {
    const pair = await generateKeyPair(alg, { extractable: true })
    this.keys.push({ ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' })
    return pair
  }

  close(): void {
    this.#server?.close()
  }
}

const issuer = 'https://login.example'
const rules = {
  issuer,
  audience: 'chat',
  user: ({ sub = '', name }: JwtClaims) => ({
    externalId: sub,
    email: `${sub}@login.example`,
    fullName: String(name),
  }),
} satisfies Omit<JwtIdentityOptions, 'jwks'>

interface Signing {
  readonly kid?: string
  readonly alg?: string
  readonly expires?: string | number
  readonly claims?: Readonly<Record<string, unknown>>
}

async function signed(
  { privateKey }: Pair | { privateKey: Uint8Array },
  { kid = 'one', alg = 'RS256', expires = '5m', claims = {} }: Signing = {},
): Promise<string> {
  const token = new SignJWT({ name: 'Ada', sub: 'ada', iss: issuer, aud: 'chat', ...claims })
  if (expires !== '') token.setExpirationTime(expires)
  return token.setProtectedHeader({ alg, kid }).sign(privateKey)
}

const calledFirst = { isRepeated: false, context: undefined }
const bearing = (token: string) =>
  ({ headers: { authorization: `Bearer ${token}` } }) as IncomingMessage

const refusal = ({ status, body }: Answer): unknown[] => [status, body.code]

describe('jwtIdentity', () => {
  const login = new Login()
  let one: Pair
  let host: TestHost
  let nobody: Client
  before(async () => {
    await login.listen()
    one = await login.add('one', 'RS256')
    const [database] = databaseColumns()
    assert.ok(database)
    host = new TestHost('express', database, {
      identify: jwtIdentity({
        ...rules,
        jwks: login.jwks,
        user: (claims) => ({ ...rules.user(claims), organization: nobody.endpoint.subdomain }),
      }),
    })
    await host.start()
    nobody = (await host.organization()).nobody
  })
  after(async () => {
    await host.stop()
    login.close()
  })

  const me = (token: string) => nobody.get('/users/me', {}, { authorization: `Bearer ${token}` })

  it('identifies the users of tokens in calls, writes and WebSockets', async () => {
    const token = await signed(one)

    assert.equal((await me(token)).body.delivery_email, 'ada@login.example')
    const authorization = `Bearer ${token}`
    const path = '/users/me/alert_words?alert_words=["tea"]'
    assert.equal((await nobody.send('POST', path, undefined, { authorization })).status, 200)
    await (await SocketClient.open(nobody, {}, { authorization })).close()
  })

  it('refuses tokens that are expired, early, for others, by others or without an end', async () => {
    const stranger = await generateKeyPair('RS256')
    const now = Math.floor(Date.now() / 1000)
    const secret = new TextEncoder().encode(JSON.stringify(login.keys[0]).padEnd(64))
    const [, body = '', signature = ''] = (await signed(one)).split('.')
    const header = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const tokens = {
      expired: await signed(one, { expires: now - 60 }),
      early: await signed(one, { claims: { nbf: now + 600 } }),
      endless: await signed(one, { expires: '' }),
      issuer: await signed(one, { claims: { iss: `${issuer}/` } }),
      audience: await signed(one, { claims: { aud: ['shop', 'mail'] } }),
      'another key': await signed(stranger),
      'a shared secret': await signed({ privateKey: secret }, { alg: 'HS256' }),
      'no signature': `${header({ alg: 'none' })}.${body}.`,
      'another algorithm': `${header({ alg: 'HS256', kid: 'one' })}.${body}.${signature}`,
      'no token': 'none',
      'a long token': `${await signed(one)}${'x'.repeat(9000)}`,
    }

    for (const [name, token] of Object.entries(tokens)) {
      assert.deepEqual([name, ...refusal(await me(token))], [name, 401, 'UNAUTHORIZED'])
    }
  })

  it('says why tokens of the login are refused, and nothing about expired ones', async () => {
    const identify = jwtIdentity({ ...rules, jwks: { keys: login.keys } })
    const reasons: string[] = []
    const use = { ...calledFirst, refused: (reason: string) => void reasons.push(reason) }
    const right = await signed(one)
    const requests = [
      bearing(right),
      bearing(await signed(one, { expires: Math.floor(Date.now() / 1000) - 60 })),
      bearing(await signed(one, { claims: { aud: 'shop' } })),
      bearing(await signed(await generateKeyPair('RS256'))),
      bearing('opaque'),
      { headers: { authorization: right } } as IncomingMessage,
    ]
    for (const request of requests) await identify(request, use)
    assert.deepEqual(reasons, [
      'unexpected "aud" claim value',
      'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
      'ERR_JWS_INVALID',
      'Authorization has the token without "Bearer " before it',
    ])

    await me(await signed(one, { claims: { aud: 'shop' } }))
    const problems = await host.chat.diagnose()
    const messages = problems.map(({ code, message }) => `${code}: ${message}`).join('\n')
    assert.match(messages, /^TOKEN_REFUSED: .*unexpected "aud" claim value.*issuer and audience/m)
  })

  it('reads the keys once, and again for a token with a new one', async () => {
    const rotated = new Login()
    await rotated.listen()
    const first = await rotated.add('first', 'RS256')
    const identify = jwtIdentity({ ...rules, jwks: rotated.jwks })
    const userOf = async (pair: Pair, signing: Signing) =>
      (await identify(bearing(await signed(pair, signing)), calledFirst))?.externalId

    assert.equal(await userOf(first, { kid: 'first' }), 'ada')
    assert.equal(await userOf(first, { kid: 'first' }), 'ada')
    assert.equal(rotated.requests, 1)
    rotated.keys.pop()
    const second = await rotated.add('second', 'EdDSA')
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 31_000 })
    try {
      assert.equal(await userOf(second, { kid: 'second', alg: 'EdDSA' }), 'ada')
      assert.equal(await userOf(first, { kid: 'first' }), undefined)
    } finally {
      mock.timers.reset()
    }
    assert.equal(rotated.requests, 2)
    rotated.close()
  })

  it('takes a set of keys', async () => {
    const identify = jwtIdentity({ ...rules, jwks: { keys: login.keys } })

    assert.deepEqual(await identify(bearing(await signed(one)), calledFirst), {
      via: 'token',
      externalId: 'ada',
      email: 'ada@login.example',
      fullName: 'Ada',
    })
  })

  it('takes one public key in PEM, and tokens of another place', async () => {
    const pem = await exportSPKI(one.publicKey)
    const identify = jwtIdentity({
      ...rules,
      jwks: pem,
      tokenOf: ({ headers }) => headers['x-token'] as string | undefined,
    })
    const token = await signed(one)

    const found = await identify({ headers: { 'x-token': token } } as never, calledFirst)
    // A cookie could be such another place.
    assert.deepEqual([found?.externalId, found?.via], ['ada', undefined])
    const ed = await signed(await generateKeyPair('EdDSA'), { alg: 'EdDSA' })
    assert.equal(await identify({ headers: { 'x-token': ed } } as never, calledFirst), null)
    assert.equal(await identify(bearing(token), calledFirst), null)
  })

  it('fails if the keys cannot be read, and works when they can', async () => {
    const away = new Login()
    await away.listen()
    const pair = await away.add('one', 'RS256')
    const identify = jwtIdentity({ ...rules, jwks: away.jwks })
    const token = await signed(pair)
    const call = async () => identify(bearing(token), calledFirst)

    away.isAway = true
    await assert.rejects(call, /200 OK|JSON Web Key Set/)
    away.isAway = false
    assert.equal((await call())?.externalId, 'ada')
    away.close()
  })

  it('checks its options', () => {
    const jwks = 'https://login.example/jwks'
    const wrong: object[] = [
      { ...rules, jwks: 'http://login.example/jwks' },
      { ...rules, jwks: 'none' },
      { ...rules, jwks: '-----BEGIN CERTIFICATE-----' },
      { ...rules },
      { ...rules, jwks, issuer: '' },
      { ...rules, jwks, audience: [] },
      { ...rules, jwks, user: undefined },
      { ...rules, jwks, algorithms: ['HS256'] },
    ]
    for (const options of wrong) {
      assert.throws(() => jwtIdentity(options as JwtIdentityOptions), TypeError)
    }
  })
})

describe('the program of docs/tokens.md', () => {
  it('takes tokens of a login, and gives its users tokens of the chat', async () => {
    const login = new Login()
    await login.listen()
    const pair = await login.add('one', 'RS256')
    const database = await databaseColumns()[0]?.create()
    assert.ok(database)
    const options = { database: database.config, rateLimits: 'off' } as const
    const { jwks } = login
    const { chat, server, close } = await startProduct(options, 0, {
      jwks,
      issuer,
      audience: 'chat',
    })
    await chat.organizations.load(castOf(100, 'product', {}, () => undefined as never).file)
    const { port } = server.address() as AddressInfo
    const call = async (path: string, method: string, token: string) => {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(`http://localhost:${port}${path}`, { method, headers })
      return { status: answer.status, text: await answer.text() }
    }
    const token = await signed(pair, { claims: { email: 'ada@login.example' } })

    assert.equal((await call('/chat-token', 'POST', 'none')).status, 401)
    const given = JSON.parse((await call('/chat-token', 'POST', token)).text)
    const own = JSON.parse((await call('/api/v1/users/me', 'GET', given.token)).text)
    assert.equal(own.delivery_email, 'ada@login.example')
    const me = JSON.parse((await call('/api/v1/users/me', 'GET', token)).text)
    assert.equal(own.user_id, me.user_id)

    await close()
    await database.drop()
    login.close()
  })
})
