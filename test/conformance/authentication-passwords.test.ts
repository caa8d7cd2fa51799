import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { PasswordAuthenticator } from '@parley/core'

import type { CastOptions } from '../support/cast.js'
import type { Answer } from '../support/client.js'
import { everyHost, type HostCase } from '../support/host.js'

const password = 'correct horse battery'

/** Adds a person with a password, and one whose account is closed. */
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
    it('gives the key, the real address and the id, the same each time', async () => {
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

    it('does not tell what was wrong', async () => {
      assert.deepEqual(refusal(await login(at, 'paula@pass.example', 'wrong')), wrong)
      assert.deepEqual(refusal(await login(at, 'paula@pass.example', '')), wrong)
      assert.deepEqual(refusal(await login(at, 'nobody@pass.example', password)), wrong)
      assert.deepEqual(refusal(await login(at, 'nopass@pass.example', password)), wrong)
      assert.deepEqual(refusal(await login(at, 'nopass@pass.example', '')), wrong)
      assert.deepEqual(refusal(await login(at, 'bot@pass.example', password)), wrong)
    })

    it('reports a deactivated account only to those who know its password', async () => {
      assert.deepEqual(refusal(await login(at, 'gone@pass.example', password)), [
        401,
        'USER_DEACTIVATED',
        'Account is deactivated',
      ])
      assert.deepEqual(refusal(await login(at, 'gone@pass.example', 'wrong')), wrong)
      assert.deepEqual(refusal(await login(at, 'gone@pass.example', '')), wrong)
    })

    it('takes e-mail addresses only', async () => {
      for (const name of ['paula', '', 'a@b', 'a b@pass.example', '@pass.example']) {
        assert.deepEqual(
          refusal(await login(at, name, password)),
          [400, 'BAD_REQUEST', 'Enter a valid email address.'],
          name,
        )
      }
    })

    it('needs both parameters, then an organization', async () => {
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

    it("knows nothing of another organization's accounts", async () => {
      const elsewhere = await at.host.organization()

      assert.deepEqual(
        refusal(await login({ ...at, nobody: elsewhere.nobody }, 'paula@pass.example', password)),
        wrong,
      )
    })

    it('reports a deactivated organization only to those who know a password', async () => {
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
    it('is switched off with the setting', async () => {
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
    it('allows five attempts per name and address in half an hour, counted before the password is checked', async () => {
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

    it('says with every answer how many attempts are left', async () => {
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

    it('forgets earlier attempts after a success', async () => {
      const attempts: number[] = []
      for (const secret of ['wrong', 'wrong', 'wrong', 'wrong', password, 'wrong', password]) {
        attempts.push((await login(at, 'olga@pass.example', secret)).status)
      }

      assert.deepEqual(attempts, [401, 401, 401, 401, 200, 401, 200])
    })

    it('takes as long for an unknown address as for a known one', async () => {
      const seconds = async (name: string) => {
        const start = performance.now()
        await login(at, name, 'wrong')
        return performance.now() - start
      }
      const known = Math.min(
        await seconds('paula@pass.example'),
        await seconds('paula@pass.example'),
      )
      const unknown = Math.min(await seconds('x@pass.example'), await seconds('x@pass.example'))

      // A hash takes tens of milliseconds, an answer without one at most a few.
      assert.ok(unknown > known / 3, `known ${known} ms, unknown ${unknown} ms`)
    })
  },
  withPasswords,
  { rateLimits: {} },
)

/** Stands for the application's own user table, and for a directory with names that are no addresses. */
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
    it('asks the application, and makes the account at the first success', async () => {
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

    it('still takes the passwords that the chat stores', async () => {
      assert.equal((await login(at, 'paula@pass.example', password)).status, 200)
    })
  },
  withPasswords,
  { passwordAuthenticators: [table] },
)

everyHost(
  'fetch-api-key',
  (at) => {
    it('takes names of a directory, and its answer for the account', async () => {
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

    it('asks no directory about an empty password, or what is too long for any', async () => {
      assert.deepEqual(refusal(await login(at, 'dirk', '')), wrong)
      assert.deepEqual(refusal(await login(at, 'dirk', 'x'.repeat(1001))), wrong)
      const long = 'dirk'.padEnd(1001, 'k')
      assert.deepEqual(refusal(await login(at, long, 'directory secret')), wrong)
    })

    it('never has stored passwords where they are switched off', async () => {
      assert.deepEqual(refusal(await login(at, 'paula@pass.example', password)), wrong)
    })
  },
  { ...withPasswords, settings: { password_auth_enabled: false } },
  { passwordAuthenticators: [table, directory] },
)
