import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import {
  createChatServer,
  type BusListener,
  type ChatServerOptions,
  type EventBus,
  type WebhookOption,
} from '@parley/core'

const database = { client: 'sqlite3', connection: { filename: '/nowhere/chat.sqlite' } }

function problemsOf(options: unknown): string {
  try {
    createChatServer(options as ChatServerOptions)
  } catch (error) {
    assert.ok(error instanceof TypeError)
    return error.message
  }
  return ''
}

describe('the options of createChatServer', () => {
  it('require only a database', async () => {
    const chat = createChatServer({ database })

    // Nothing is opened before `start()`, not even an invalid file.
    await assert.rejects(chat.as({ userId: 1 }).id(), /The chat server is not started yet/)
    await assert.rejects(chat.organizations.load({}), /The chat server is not started yet/)
    await chat.close()
  })

  it('may be undefined, and depend on a condition', async () => {
    for (const isSeveral of [false, true]) {
      const chat = createChatServer({
        database,
        secret: undefined,
        baseUrl: undefined,
        identify: undefined,
        ...(isSeveral ? { resolveOrganization: () => 'product' } : {}),
      })
      await chat.close()
    }
  })

  it('may include a bus, on which a closed server has no listener', async () => {
    const listeners = new Set<BusListener>()
    const bus: EventBus = {
      publishRecords: () => {},
      publishEphemeral: () => {},
      subscribe: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      close: async () => {},
    }
    const chat = createChatServer({ bus, database })
    assert.ok(listeners.size > 0)

    await chat.close()

    assert.equal(listeners.size, 0)
    const webhook = { url: 'https://hooks.example/', secret: 'x'.repeat(32), types: ['mesage'] }
    // A text from plain JavaScript, where no type checks it.
    const webhooks = [webhook] as unknown as readonly WebhookOption[]
    assert.throws(() => createChatServer({ bus, database, webhooks }), /mesage/)
    assert.equal(listeners.size, 0)
  })

  it('are rejected together, each with its name and the remedy', () => {
    const message = problemsOf({
      databse: database,
      tablePrefix: 'Chat-',
      migrations: 'later',
      baseUrl: 'https://chat.example/',
      basePath: '/chat/',
      secret: 'too short',
      identify: {},
      passwordHashing: 'bcrypt',
      passwordPolicy: { minLength: 0 },
      secondFactor: 'totp',
      administrationAddresses: ['10.0.0.0/40'],
      heartbeatSeconds: '45',
      queueIdleTimeoutSeconds: 0,
      rateLimits: 'none',
      quotas: { drafts: 5 },
      uploadQuotaMebibytes: -1,
      clock: { now: 1 },
      logger: console.log,
      telemetry: { tracer: {} },
      checkResponses: 'yes',
    })

    assert.match(message, /^createChatServer: /)
    const expected = [
      'databse is not an option',
      'tablePrefix must be 1 to 30 lower-case letters, digits and underscores',
      'migrations must be one of auto, check, off',
      'baseUrl must be scheme and host, such as https://chat.example, without a path or slash (see basePath), or a function',
      'basePath must be a path such as /chat',
      'secret must have 32 characters or more',
      'identify must be a function',
      'passwordHashing must be one of scrypt, argon2id',
      'passwordPolicy must be an object with minLength, from 1 to 100, and minGuesses',
      'secondFactor must be a function',
      'administrationAddresses must be a list of IP addresses and networks',
      'heartbeatSeconds must be a number from 0.05 to 70',
      'queueIdleTimeoutSeconds must be a number from 1 to 604800',
      "rateLimits must be rules or 'off'",
      'quotas must be an object of integers from 0, or Infinity, with keys among alertWordsPerUser',
      'uploadQuotaMebibytes must be a number from 0 to Infinity',
      'clock must be an object with now, setTimeout',
      'logger must be an object with debug, info, warn, error',
      'telemetry must be an object with a tracer and a meter of OpenTelemetry',
      'checkResponses must be true or false',
      'database is missing',
    ]
    for (const problem of expected) assert.ok(message.includes(problem), `${problem}\n${message}`)
  })

  it('are rejected with a base URL that has more than scheme and host', () => {
    for (const end of ['/', '/chat', '?', '?a', '#', '\\chat', ':70000', ' ']) {
      const problems = problemsOf({ database, baseUrl: `https://chat.example${end}` })
      assert.match(problems, /^createChatServer: baseUrl must be scheme and host/, end)
    }
    assert.equal(problemsOf({ database, baseUrl: 'http://[::1]:8080' }), '')
  })

  it('are rejected with a base path that has another spelling, or is none', () => {
    const wrong = ['', '/', 'chat', '/chat/', '//chat', '/a//b', '/.', '/a/..', '/../a', '/a/./b']
    const encoded = [
      '/ch%61t',
      '/ch at',
      '/chät',
      '/chat?',
      '/chat#',
      '/a\\b',
      '/a*',
      '/a:b',
      '/\n',
    ]
    for (const basePath of [...wrong, ...encoded, `/${'a'.repeat(200)}`, 7]) {
      const problems = problemsOf({ database, basePath })
      assert.match(problems, /^createChatServer: basePath must be a path/, String(basePath))
    }
    for (const basePath of ['/chat', '/v1.2/Team_chat-3', '/...', `/${'a'.repeat(199)}`]) {
      assert.equal(problemsOf({ database, basePath }), '')
    }
  })

  it('are rejected with a table prefix that a database would not accept', () => {
    const wrong = ['', 'Chat_', '1chat_', '_chat', 'chat-', 'chat.', 'chat`', 'sqlite_chat_', 7]
    for (const tablePrefix of [...wrong, 'a'.repeat(31)]) {
      assert.match(problemsOf({ database, tablePrefix }), /tablePrefix must be 1 to 30 lower-case/)
    }
    for (const tablePrefix of ['c', 'chat_2_', 'a'.repeat(30)]) {
      assert.equal(problemsOf({ database, tablePrefix }), '')
    }
  })

  it('contain the hosts that users may make the server call, without ports', () => {
    const wrong = [null, 'on', { hosts: [] }, { privateHosts: 'localhost' }]
    const withPorts = ['localhost:80', 'http://localhost', '', 7].map((host) => ({
      privateHosts: [host],
    }))
    for (const option of ['outgoingWebhooks', 'externalContent']) {
      for (const value of [...wrong, ...withPorts]) {
        const expected = `${option} must be 'off', or an object with privateHosts`
        assert.ok(problemsOf({ database, [option]: value }).includes(expected))
      }
      for (const value of ['off', {}, { privateHosts: ['Localhost', '10.0.0.7', '::1'] }]) {
        assert.equal(problemsOf({ database, [option]: value }), '')
      }
    }
  })

  it('contain webhooks with public addresses, or private ones on purpose', () => {
    const right = { url: 'https://hooks.example/chat', secret: 'x'.repeat(32) }
    const local = { ...right, url: 'http://localhost:4000/', privateHosts: ['Localhost'] }
    const problems: readonly (readonly [unknown, string])[] = [
      ['https://hooks.example', 'must be a list of objects'],
      [[null], 'at index 0 must be an object with url and secret'],
      [[right, { ...right, url: 'hooks.example' }], 'at index 1 must have a URL with https:'],
      [[{ ...right, url: 'ftp://hooks.example/' }], 'must have a URL with https:'],
      [[{ ...right, url: 'http://hooks.example/' }], 'must have a url with https:'],
      [[{ ...right, url: 'https://10.0.0.7/' }], 'has the url of a private address'],
      [[{ ...right, url: 'https://[::1]/' }], 'has the url of a private address'],
      [[{ ...right, url: 'https://2130706433/' }], 'has the url of a private address'],
      [[{ ...local, privateHosts: ['localhost:4000'] }], 'names and addresses without ports'],
      [[{ ...right, secret: 'x'.repeat(31) }], 'a text of 32 characters or more'],
      [[{ ...right, secret: [] }], 'a list of up to 5'],
      [[{ ...right, secret: Array(6).fill(right.secret) }], 'a list of up to 5'],
      [[{ ...right, types: [] }], 'as types a list of names'],
      [[{ ...right, types: ['typing/start'] }], "[0]: there is no event 'typing/start'"],
      [[{ ...right, name: '' }], 'a name of 1 to 100 characters'],
      [[{ ...right, attempts: 101 }], 'as attempts an integer from 1 to 100'],
      [[{ ...right, retries: 1 }], 'has no option retries'],
      [[right, right], 'is consumed by this server already'],
    ]
    for (const [webhooks, problem] of problems) {
      const found = problemsOf({ database, webhooks })
      assert.ok(found.includes(problem), `${problem}, not ${found}`)
    }
    assert.equal(problemsOf({ database, webhooks: [right, local] }), '')
    const address = { ...local, url: 'http://[::1]:4000/', privateHosts: ['::1'] }
    assert.equal(problemsOf({ database, webhooks: [address] }), '')
  })

  it('are rejected with limits that limit nothing, or not what they name', () => {
    const rule = { windowSeconds: 60, maxRequests: 10 }
    for (const rateLimits of [
      { apiByUsers: [rule] },
      { apiByUser: rule },
      { apiByUser: undefined },
      { apiByUser: [{ ...rule, maxRequests: 0 }] },
      { apiByUser: [{ ...rule, windowSeconds: 0 }] },
      { toString: [rule] },
    ]) {
      assert.match(problemsOf({ database, rateLimits }), /rateLimits must be rules or 'off'/)
    }
    for (const invalid of [{ rules: [rule] }, { store: {} }, { store: { consume() {} } }]) {
      assert.match(problemsOf({ database, rateLimits: invalid }), /rateLimits must be rules or/)
    }
    assert.equal(problemsOf({ database, rateLimits: { apiByUser: [], apiByAddress: [rule] } }), '')
    assert.equal(problemsOf({ database, rateLimits: { rules: () => undefined } }), '')
  })

  it('are rejected with origins that no browser sends', () => {
    for (const origin of ['https://app.example/', 'app.example', 'https://App.example', 7]) {
      const problem = problemsOf({ database, trustedOrigins: [origin] })
      assert.match(problem, /trustedOrigins must be a list of origins/)
    }
    const trustedOrigins = ['https://app.example', 'http://localhost:8080', 'capacitor://localhost']
    assert.equal(problemsOf({ database, trustedOrigins }), '')
  })

  it('are rejected with an invalid login page, or one without identify', () => {
    const identify = () => null
    for (const signOn of [null, {}, { displayName: 'Shop', loginUrl: '//evil.example' }]) {
      assert.match(problemsOf({ database, identify, signOn }), /signOn must be an object with/)
    }
    const signOn = { displayName: 'Shop', loginUrl: '/login' }
    assert.match(problemsOf({ database, signOn }), /signOn needs identify/)
  })

  it('require baseUrl if mails are sent, and for single sign-on', () => {
    const mail = { send: async () => {} }
    const signOn = { displayName: 'The Shop', loginUrl: '/login' }
    const identify = () => null

    assert.match(problemsOf({ database, mail }), /mail needs baseUrl/)
    assert.match(problemsOf({ database, identify, signOn }), /signOn needs baseUrl/)
    for (const baseUrl of ['https://chat.example', () => 'https://chat.example']) {
      assert.equal(problemsOf({ database, mail, identify, signOn, baseUrl }), '')
    }
  })

  it('are rejected if they are missing', () => {
    for (const options of [undefined, null, 'sqlite']) {
      assert.match(problemsOf(options), /^createChatServer: .*must be an object/)
    }
  })

  it('are rejected with a database that the chat cannot use', () => {
    const inMemory = { client: 'sqlite3', connection: { filename: ':memory:' } }

    assert.match(problemsOf({ database: inMemory }), /must name a file/)
    for (const client of ['oracledb', 'mysql', undefined]) {
      const problem = problemsOf({ database: { client, connection: 'mysql://localhost/x' } })
      assert.match(problem, /use 'sqlite3', 'better-sqlite3', 'node:sqlite', 'mysql2' or 'pg'/)
    }
    assert.match(problemsOf({ database: { client: 'mysql2' } }), /database.connection is missing/)
    assert.match(problemsOf({ database: 'mysql://localhost/x' }), /must be a Knex instance or/)
  })

  it('may be undefined for the default', async () => {
    const chat = createChatServer({
      database,
      tablePrefix: undefined,
      rateLimits: undefined,
    } as never)

    await chat.close()
  })
})
