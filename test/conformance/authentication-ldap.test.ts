import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { after, it } from 'node:test'

import { ldapPasswordAuthenticator, type LdapOptions } from '@parley/core/ldap'

import type { CastOptions } from '../support/cast.js'
import type { Answer } from '../support/client.js'
import { hasDirectoryServer, reader, suffix, TestDirectory } from '../support/directory.js'
import { everyHost, type HostCase } from '../support/host.js'

/** The target of a referral, which counts the connections of clients that follow it. */
const elsewhere = createServer((socket) => {
  visits += 1
  socket.destroy()
})
let visits = 0

const people = `ou=people,${suffix}`
const person = (uid: string, attributes: Readonly<Record<string, string>>): string =>
  [
    `dn: ${attributes['dn'] ?? `uid=${uid},${people}`}`,
    'objectClass: inetOrgPerson',
    `uid: ${uid}`,
    'sn: Test',
    `userPassword: ${uid} secret`,
    ...Object.entries({ cn: `${uid} Test`, mail: `${uid}@directory.test`, ...attributes })
      .filter(([name, value]) => name !== 'dn' && value !== '')
      .map(([name, value]) => `${name}:: ${Buffer.from(value).toString('base64')}`),
    '',
    '',
  ].join('\n')

const entries = (): string =>
  [
    `dn: ${people}\nobjectClass: organizationalUnit\nou: people\n\n`,
    person('dirk', { cn: 'Dirk Directory', mail: 'Dirk@Directory.test' }),
    person('erna', { cn: 'Erna Müller' }),
    person('star*(name)', { mail: 'star@directory.test' }),
    person('com,ma', { dn: String.raw`uid=com\2cma,${people}`, mail: 'comma@directory.test' }),
    person('closed', { employeeType: 'closed' }),
    person('mute', { mail: '' }),
    person('twin1', { mail: 'twin@directory.test' }),
    person('twin2', { mail: 'twin@directory.test' }),
    person('known', { mail: 'known@chat.example', cn: 'Known Elsewhere' }),
    `dn: ou=branch,${suffix}\nobjectClass: referral\nobjectClass: extensibleObject\nou: branch\n`,
    `ref: ldap://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/ou=branch,${suffix}\n`,
  ].join('')

const directory = new TestDirectory()
const isPossible = hasDirectoryServer()
if (isPossible) {
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  await directory.start(entries())
}
after(async () => {
  if (!isPossible) return
  await directory.stop()
  elsewhere.close()
})

const search = {
  bindDn: reader.dn,
  bindPassword: reader.password,
  base: suffix,
  filter: '(&(objectClass=person)(|(uid={username})(mail={username})))',
}
const options = (changes: Partial<LdapOptions> = {}): LdapOptions => ({
  url: directory.url,
  search,
  disabledFilter: '(employeeType=closed)',
  ...changes,
})
const withName = (changes: Partial<LdapOptions> = {}): LdapOptions => ({
  url: directory.url,
  userDn: `uid={username},${people}`,
  ...changes,
})

const login = (at: HostCase, username: string, password = `${username} secret`): Promise<Answer> =>
  at.nobody.post('/fetch_api_key', { username, password })
const refusal = ({ status, body }: Answer): unknown[] => [status, body.code, body.msg]
const wrong = [401, 'AUTHENTICATION_FAILED', 'Your username or password is incorrect']
const unavailable = [
  503,
  'SERVICE_UNAVAILABLE',
  'The service is temporarily unavailable, please try again',
]

/** Creates the account of an address that the directory has, too. */
async function createKnown({ people }: HostCase): Promise<void> {
  const known = { email: 'known@chat.example', full_name: 'Known', password: 'known in the chat' }
  assert.equal((await people.olga.post('/users', known)).status, 200)
}

/** Runs cases on hosts that check passwords against the directory. */
function everyDirectoryHost(
  cases: (at: HostCase) => void,
  ldap: LdapOptions,
  cast: CastOptions = {},
): void {
  everyHost('fetch-api-key', cases, cast, {
    passwordAuthenticators: [ldapPasswordAuthenticator(ldap)],
  })
}

if (isPossible) {
  everyDirectoryHost((at) => {
    it('signs in by name or address, into one account with the data of the directory', async () => {
      const first = await login(at, 'dirk')
      const second = await login(at, 'dirk@directory.test', 'dirk secret')

      assert.equal(first.status, 200)
      assert.equal(first.body.email, 'Dirk@Directory.test')
      assert.deepEqual(second.body, first.body)
      const { email, api_key: apiKey, user_id } = first.body
      const dirk = at.host.client(at.subdomain, { email, apiKey }, user_id, 'dirk')
      assert.equal((await dirk.get('/users/me')).body.full_name, 'Dirk Directory')
    })

    it('returns the same error for an unknown name and a wrong password', async () => {
      assert.deepEqual(refusal(await login(at, 'dirk', 'wrong')), wrong)
      assert.deepEqual(refusal(await login(at, 'nobody')), wrong)
      assert.deepEqual(refusal(await login(at, 'dirk', '')), wrong)
      assert.deepEqual(refusal(await login(at, '', 'x')), wrong)
    })

    it('escapes special characters in names', async () => {
      const star = await login(at, 'star*(name)')

      assert.equal(star.body.email, 'star@directory.test')
      assert.equal((await login(at, 'com,ma')).body.email, 'comma@directory.test')
      for (const name of ['*', 'dir*', 'dirk)(uid=*', 'x)(|(uid=dirk', '\\2a']) {
        assert.deepEqual(refusal(await login(at, name, 'dirk secret')), wrong, name)
      }
    })

    it('refuses a name that matches two entries', async () => {
      assert.deepEqual(refusal(await login(at, 'twin@directory.test', 'twin1 secret')), wrong)
      assert.equal((await login(at, 'twin1')).status, 200)
    })

    it('reports an account that is disabled in the directory only if the password is right', async () => {
      const disabled = [401, 'USER_DEACTIVATED', 'Account is deactivated']

      assert.deepEqual(refusal(await login(at, 'closed')), disabled)
      assert.deepEqual(refusal(await login(at, 'closed', 'wrong')), wrong)
    })

    it('reports an account that is deactivated in the chat', async () => {
      const { user_id } = (await login(at, 'erna')).body
      await at.people.olga.delete(`/users/${user_id}`)

      assert.equal((await login(at, 'erna')).body.code, 'USER_DEACTIVATED')
    })

    it('returns 503 if an entry has no email address, and logs no secret', async () => {
      at.host.log.length = 0

      assert.deepEqual(refusal(await login(at, 'mute')), unavailable)
      assert.match(at.host.log.join('\n'), /an entry has no mail/)
      assert.doesNotMatch(at.host.log.join('\n'), /secret/)
    })

    it('does not follow referrals', async () => {
      await login(at, 'dirk')
      await login(at, 'nobody')

      assert.equal(visits, 0)
    })

    it('does not use the email address to adopt an existing account', async () => {
      await createKnown(at)

      const { body } = await login(at, 'known')

      assert.match(body.email, /^login-\w+@/)
    })
  }, options())

  everyHost(
    'get-server-settings',
    (at) => {
      it('lists LDAP as an authentication method', async () => {
        const { body } = await at.nobody.get('/server_settings')

        assert.equal(body.authentication_methods.ldap, true)
        assert.equal(body.require_email_format_usernames, false)
      })
    },
    {},
    { passwordAuthenticators: [ldapPasswordAuthenticator(options())] },
  )

  everyHost(
    'update-settings',
    (at) => {
      it('refuses to change a password that the directory manages', async () => {
        const { email, api_key: apiKey, user_id } = (await login(at, 'dirk')).body
        const dirk = at.host.client(at.subdomain, { email, apiKey }, user_id, 'dirk')

        const answer = await dirk.patch('/settings', {
          old_password: 'dirk secret',
          new_password: 'another long enough secret',
        })

        assert.deepEqual(refusal(answer), [
          400,
          'BAD_REQUEST',
          'Your Zulip password is managed in LDAP',
        ])
      })
    },
    {},
    { passwordAuthenticators: [ldapPasswordAuthenticator(options())] },
  )

  everyDirectoryHost((at) => {
    it('binds with a DN made from a template', async () => {
      assert.equal((await login(at, 'erna')).body.email, 'erna@directory.test')
      assert.equal((await login(at, 'com,ma')).body.email, 'comma@directory.test')
      assert.deepEqual(refusal(await login(at, 'erna', 'wrong')), wrong)
      assert.deepEqual(refusal(await login(at, 'nobody')), wrong)
    })

    it('escapes names in the DN template', async () => {
      for (const name of [`dirk,${people}`, `dirk,${people}#`, 'dirk+sn=Test', '=', '"dirk"']) {
        assert.deepEqual(refusal(await login(at, name, 'dirk secret')), wrong, name)
      }
    })
  }, withName())

  everyDirectoryHost(
    (at) => {
      it('creates no account if createsAccounts is false', async () => {
        assert.deepEqual(refusal(await login(at, 'dirk')), wrong)
      })

      it("adopts the account with the entry's address, and updates its name", async () => {
        await createKnown(at)

        const first = await login(at, 'known')
        const second = await login(at, 'known')

        assert.equal(first.body.email, 'known@chat.example')
        assert.deepEqual(second.body, first.body)
        const seen = await at.people.olga.get(`/users/${first.body.user_id}`)
        assert.equal(seen.body.user.full_name, 'Known Elsewhere')
      })
    },
    options({ createsAccounts: false, adoptsAccountsByEmail: true }),
  )

  for (const [title, changes] of [
    ['with LDAPS', { url: directory.secureUrl }],
    ['with StartTLS', { startTls: true }],
  ] as const) {
    everyDirectoryHost(
      (at) => {
        it(`encrypts the connection ${title}`, async () => {
          assert.equal((await login(at, 'dirk')).status, 200)
          assert.deepEqual(refusal(await login(at, 'dirk', 'wrong')), wrong)
        })
      },
      options({ ...changes, tls: { ca: directory.certificate } }),
    )

    everyDirectoryHost((at) => {
      it(`refuses an untrusted certificate ${title}`, async () => {
        assert.deepEqual(refusal(await login(at, 'dirk')), unavailable)
      })
    }, options(changes))
  }

  everyDirectoryHost(
    (at) => {
      it('returns 503 while the directory is down, except for passwords that the chat stores', async () => {
        await directory.shutDown()
        at.host.log.length = 0
        const away = await login(at, 'dirk', 'a typed word')
        const stored = await login(at, `alice@${at.subdomain}.example`, 'correct horse alice')
        await directory.startAgain()
        const back = await login(at, 'dirk')

        assert.deepEqual(refusal(away), unavailable)
        assert.equal(away.headers['retry-after'], '1')
        assert.equal(stored.status, 200)
        assert.equal(back.status, 200)
        assert.match(at.host.log.join('\n'), /A password authenticator failed/)
        assert.doesNotMatch(at.host.log.join('\n'), /a typed word|reader secret/)
      })
    },
    options(),
    { passwords: ['alice'] },
  )

  everyDirectoryHost(
    (at) => {
      it("returns 503 if the directory refuses the server's own credentials", async () => {
        at.host.log.length = 0

        assert.deepEqual(refusal(await login(at, 'dirk')), unavailable)
        assert.match(at.host.log.join('\n'), /search\.bindDn was not let in/)
        assert.doesNotMatch(at.host.log.join('\n'), /not the secret/)
      })
    },
    options({ search: { ...search, bindPassword: 'not the secret' } }),
  )
}
