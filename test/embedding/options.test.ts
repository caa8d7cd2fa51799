import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { createChatServer, type ChatServerOptions } from '@parley/core'

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

  it('are rejected together, each with its name and the remedy', () => {
    const message = problemsOf({
      databse: database,
      tablePrefix: 'Chat-',
      migrations: 'later',
      baseUrl: 'https://chat.example/',
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
      checkResponses: 'yes',
    })

    assert.match(message, /^createChatServer: /)
    const expected = [
      'databse is not an option',
      'tablePrefix must be 1 to 30 lower-case letters, digits and underscores',
      'migrations must be one of auto, check, off',
      'baseUrl must be a URL without a trailing slash, or a function',
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
      'checkResponses must be true or false',
      'database is missing',
    ]
    for (const problem of expected) assert.ok(message.includes(problem), `${problem}\n${message}`)
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
    assert.equal(problemsOf({ database, rateLimits: { apiByUser: [], apiByAddress: [rule] } }), '')
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
    for (const client of ['pg', 'mysql', undefined]) {
      const problem = problemsOf({ database: { client, connection: 'mysql://localhost/x' } })
      assert.match(problem, /use 'sqlite3', 'better-sqlite3', 'node:sqlite' or 'mysql2'/)
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
