import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { it } from 'node:test'

import type { PasswordAuthenticator } from '@parley/core'

import type { CastOptions } from '../support/cast.js'
import type { Answer } from '../support/client.js'
import { everyHost, type HostCase } from '../support/host.js'

const password = 'correct horse battery'

/** Adds users with a password, without one, and with a deactivated account. */
const withPasswords: CastOptions = {
  more: ({ people, base }) => ({
    users: [
      {
        id: people.olga,
        email: 'olga@pass.example',
        full_name: 'Olga Test',
        role: 100,
        password,
      },
      {
        id: base + 60,
        email: 'Paula@Pass.example',
        full_name: 'Paula Test',
        password,
        api_key: `p${base}`.padEnd(32, 'p'),
        settings: { email_address_visibility: 4 },
      },
      { id: base + 61, email: 'nopass@pass.example', full_name: 'Nora Test' },
      {
        id: base + 62,
        email: 'gone@pass.example',
        full_name: 'Gone Test',
        password,
        is_active: false,
      },
    ],
    bots: [{ id: people.bot, email: 'bot@pass.example', full_name: 'Bot', owner_id: people.olga }],
    channels: [],
  }),
}

const login = (at: HostCase, username: string, secret: string): Promise<Answer> =>
  at.nobody.post('/fetch_api_key', { username, password: secret })

const refusal = ({ status, body, headers }: Answer): unknown[] => {
  assert.equal(headers['www-authenticate'], undefined)
  return [status, body.code, body.msg]
}

const wrong = [401, 'AUTHENTICATION_FAILED', 'Your username or password is incorrect']

everyHost(
  'fetch-api-key',
  (at) => {
    it('returns the same key, email address and id for any spelling of the address', async () => {
      const first = await login(at, 'paula@pass.EXAMPLE', password)
      const second = await login(at, ' Paula@Pass.example ', password)

      assert.deepEqual(first.body, {
        result: 'success',
        msg: '',
        api_key: first.body.api_key,
        email: 'Paula@Pass.example',
        user_id: first.body.user_id,
      })
      assert.deepEqual(second.body, first.body)
      const { email, api_key: apiKey, user_id } = first.body
      const paula = at.host.client(at.subdomain, { email, apiKey }, user_id, 'paula')
      assert.equal((await paula.get('/users/me')).body.user_id, user_id)
    })

    it('returns the same error for a wrong password, an unknown address and a bot', async () => {
      assert.deepEqual(refusal(await login(at, 'paula@pass.example', 'wrong')), wrong)
      assert.deepEqual(refusal(await login(at, 'paula@pass.example', '')), wrong)
      assert.deepEqual(refusal(await login(at, 'nobody@pass.example', password)), wrong)
      assert.deepEqual(refusal(await login(at, 'nopass@pass.example', password)), wrong)
      assert.deepEqual(refusal(await login(at, 'nopass@pass.example', '')), wrong)
      assert.deepEqual(refusal(await login(at, 'bot@pass.example', password)), wrong)
    })

    it('reports a deactivated account only if the password is right', async () => {
      assert.deepEqual(refusal(await login(at, 'gone@pass.example', password)), [
        401,
        'USER_DEACTIVATED',
        'Account is deactivated',
      ])
      assert.deepEqual(refusal(await login(at, 'gone@pass.example', 'wrong')), wrong)
      assert.deepEqual(refusal(await login(at, 'gone@pass.example', '')), wrong)
    })

    it('accepts only email addresses', async () => {
      for (const name of ['paula', '', 'a@b', 'a b@pass.example', '@pass.example']) {
        assert.deepEqual(
          refusal(await login(at, name, password)),
          [400, 'BAD_REQUEST', 'Enter a valid email address.'],
          name,
        )
      }
    })

    it('checks its parameters, then the organization', async () => {
      const unknown = at.host.client('no-such', undefined, 0, 'nobody')

      assert.deepEqual((await unknown.post('/fetch_api_key', { password })).body, {
        result: 'error',
        msg: "Missing 'username' argument",
        code: 'REQUEST_VARIABLE_MISSING',
        var_name: 'username',
      })
      assert.equal(
        (await at.nobody.post('/fetch_api_key', { username: 'x' })).body.var_name,
        'password',
      )
      assert.deepEqual(refusal(await unknown.post('/fetch_api_key', { username: 'x', password })), [
        404,
        'NONEXISTENT_SUBDOMAIN',
        'Invalid subdomain',
      ])
      assert.equal((await at.nobody.get('/fetch_api_key')).status, 405)
    })

    it('refuses accounts of another organization', async () => {
      const elsewhere = await at.host.organization()

      assert.deepEqual(
        refusal(await login({ ...at, nobody: elsewhere.nobody }, 'paula@pass.example', password)),
        wrong,
      )
    })

    it('reports a deactivated organization only if the password is right', async () => {
      const other = await at.host.organization(withPasswords)
      await at.host.chat.organizations.deactivate(other.subdomain)
      const there = { ...at, nobody: other.nobody }

      assert.deepEqual(refusal(await login(there, 'paula@pass.example', password)), [
        401,
        'REALM_DEACTIVATED',
        'This organization has been deactivated',
      ])
      assert.deepEqual(refusal(await login(there, 'paula@pass.example', 'wrong')), wrong)
      assert.deepEqual(refusal(await login(there, 'unknown@pass.example', password)), wrong)
      assert.equal(
        (await login(there, 'gone@pass.example', password)).body.code,
        'USER_DEACTIVATED',
      )
    })
  },
  withPasswords,
)

everyHost(
  'fetch-api-key',
  (at) => {
    it("is disabled by the organization's setting", async () => {
      assert.deepEqual(refusal(await login(at, 'paula@pass.example', password)), [
        401,
        'PASSWORD_AUTH_DISABLED',
        'Password authentication is disabled in this organization',
      ])
    })
  },
  { ...withPasswords, settings: { password_auth_enabled: false } },
)

everyHost(
  'fetch-api-key',
  (at) => {
    it('allows five attempts per name and address in half an hour, counted before the password check', async () => {
      for (let attempt = 0; attempt < 5; attempt += 1) {
        assert.equal((await login(at, 'PAULA@pass.example', 'wrong')).status, 401)
      }

      const sixth = await login(at, 'paula@pass.example', password)
      const other = await login(at, 'olga@pass.example', password)
      at.clock.advance(1801)
      const later = await login(at, 'paula@pass.example', password)

      assert.deepEqual([sixth.status, sixth.body.code], [429, 'RATE_LIMIT_HIT'])
      assert.equal(sixth.headers['retry-after'], String(Math.ceil(sixth.body['retry-after'])))
      assert.equal(other.status, 200)
      assert.equal(later.status, 200)
    })

    it('returns the number of remaining attempts in headers of every response', async () => {
      at.clock.advance(1801)
      const answers = [await login(at, 'paula@pass.example', password)]
      for (let attempt = 0; attempt < 6; attempt += 1) {
        answers.push(await login(at, 'paula@pass.example', 'wrong'))
      }

      assert.deepEqual(
        answers.map(({ status, headers }) => [
          status,
          headers['x-ratelimit-limit'],
          headers['x-ratelimit-remaining'],
        ]),
        [
          [200, '5', '4'],
          [401, '5', '4'],
          [401, '5', '3'],
          [401, '5', '2'],
          [401, '5', '1'],
          [401, '5', '0'],
          [429, '5', '0'],
        ],
      )
      assert.ok(Number(answers[1]?.headers['x-ratelimit-reset']) > at.clock.now() / 1000)
    })

    it('resets the count of attempts after a success', async () => {
      const attempts: number[] = []
      for (const secret of ['wrong', 'wrong', 'wrong', 'wrong', password, 'wrong', password]) {
        attempts.push((await login(at, 'olga@pass.example', secret)).status)
      }

      assert.deepEqual(attempts, [401, 401, 401, 401, 200, 401, 200])
    })
  },
  withPasswords,
  { rateLimits: {} },
)

everyHost(
  'fetch-api-key',
  (at) => {
    it('computes the same hash for an unknown address as for a known one', async ({ mock }) => {
      const scrypt = mock.method(crypto, 'scrypt')
      syncBuiltinESMExports()
      const hashesOf = async (name: string) => {
        scrypt.mock.resetCalls()
        await login(at, name, 'wrong')
        // All but the password, the salt and the callback: the length, and the cost.
        return scrypt.mock.calls.map(({ arguments: [, , ...parts] }) => parts.slice(0, -1))
      }

      const known = await hashesOf('paula@pass.example')
      const unknown = await hashesOf('x@pass.example')
      scrypt.mock.restore()
      syncBuiltinESMExports()

      assert.equal(known.length, 1)
      assert.deepEqual(unknown, known)
    })
  },
  withPasswords,
  { passwordHashing: 'scrypt' },
)

/** Represents the application's own user table. */
const table: PasswordAuthenticator = {
  method: 'password',
  acceptsAnyUsername: false,
  authenticate: ({ username, password: secret, organization }) => {
    if (secret !== 'table secret') return undefined
    if (username === 'closed@table.example') return 'deactivated'
    if (username === 'expired@table.example') return 'resetRequired'
    if (username !== 'tina@table.example') return undefined
    return {
      externalId: `tina-of-${organization}`,
      email: 'tina@table.example',
      fullName: 'Tina Table',
    }
  },
}
/** Represents a directory with usernames that are not email addresses. */
const directory: PasswordAuthenticator = {
  method: 'ldap',
  acceptsAnyUsername: true,
  authenticate: async ({ username, password: secret }) =>
    /^dirk+$/.test(username) && (secret === 'directory secret' || secret === '')
      ? { externalId: 'dirk', email: 'dirk@directory.example', fullName: 'Dirk', role: 300 }
      : undefined,
}

everyHost(
  'fetch-api-key',
  (at) => {
    it("calls the application's authenticator, and creates the account at the first success", async () => {
      const first = await login(at, 'tina@table.example', 'table secret')
      const second = await login(at, 'tina@table.example', 'table secret')
      const refused = await login(at, 'tina@table.example', 'wrong')
      const closed = await login(at, 'closed@table.example', 'table secret')
      const expired = await login(at, 'expired@table.example', 'table secret')

      assert.equal(first.body.email, 'tina@table.example')
      assert.deepEqual(second.body, first.body)
      assert.deepEqual(refusal(refused), wrong)
      assert.equal(closed.body.code, 'USER_DEACTIVATED')
      assert.deepEqual(refusal(expired), [
        401,
        'PASSWORD_RESET_REQUIRED',
        'Your password has been disabled and needs to be reset',
      ])
    })

    it('still accepts passwords that the chat stores', async () => {
      assert.equal((await login(at, 'paula@pass.example', password)).status, 200)
    })
  },
  withPasswords,
  { passwordAuthenticators: [table] },
)

everyHost(
  'fetch-api-key',
  (at) => {
    it('accepts usernames of a directory, and creates the account from its answer', async () => {
      const { body } = await login(at, 'dirk', 'directory secret')

      assert.equal(body.email, 'dirk@directory.example')
      const dirk = at.host.client(
        at.subdomain,
        { email: body.email, apiKey: body.api_key },
        body.user_id,
        'dirk',
      )
      assert.equal((await dirk.get('/users/me')).body.role, 300)
    })

    it('does not call an authenticator with an empty password, or with overlong values', async () => {
      assert.deepEqual(refusal(await login(at, 'dirk', '')), wrong)
      assert.deepEqual(refusal(await login(at, 'dirk', 'x'.repeat(1001))), wrong)
      const long = 'dirk'.padEnd(1001, 'k')
      assert.deepEqual(refusal(await login(at, long, 'directory secret')), wrong)
    })

    it('refuses stored passwords if password authentication is disabled', async () => {
      assert.deepEqual(refusal(await login(at, 'paula@pass.example', password)), wrong)
    })
  },
  { ...withPasswords, settings: { password_auth_enabled: false } },
  { passwordAuthenticators: [table, directory] },
)
