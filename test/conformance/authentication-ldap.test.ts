import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { after, it } from 'node:test'

import { ldapPasswordAuthenticator, type LdapOptions } from '@parley/core/ldap'

import type { CastOptions } from '../support/cast.js'
import type { Answer } from '../support/client.js'
import { hasDirectoryServer, reader, suffix, TestDirectory } from '../support/directory.js'
import { everyHost, type HostCase } from '../support/host.js'

/** Stands where a referral leads; whoever follows one shows up here. */
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

/** Makes the account of an address that the directory knows too. */
async function createKnown({ people }: HostCase): Promise<void> {
  const known = { email: 'known@chat.example', full_name: 'Known', password: 'known in the chat' }
  assert.equal((await people.olga.post('/users', known)).status, 200)
}

/** Runs cases on hosts whose passwords are in the directory. */
function everyDirectoryHost(
  cases: (at: HostCase) => void,
  given: LdapOptions,
  cast: CastOptions = {},
): void {
  everyHost('fetch-api-key', cases, cast, {
    passwordAuthenticators: [ldapPasswordAuthenticator(given)],
  })
}

if (isPossible) {
  everyDirectoryHost((at) => {
    it('lets in by name or address, into one account with what the directory says', async () => {
      const first = await login(at, 'dirk')
      const second = await login(at, 'dirk@directory.test', 'dirk secret')

      assert.equal(first.status, 200)
      assert.equal(first.body.email, 'Dirk@Directory.test')
      assert.deepEqual(second.body, first.body)
      const { email, api_key: apiKey, user_id } = first.body
      const dirk = at.host.client(at.subdomain, { email, apiKey }, user_id, 'dirk')
      assert.equal((await dirk.get('/users/me')).body.full_name, 'Dirk Directory')
    })

    it('does not tell an unknown name from a wrong password', async () => {
      assert.deepEqual(refusal(await login(at, 'dirk', 'wrong')), wrong)
      assert.deepEqual(refusal(await login(at, 'nobody')), wrong)
      assert.deepEqual(refusal(await login(at, 'dirk', '')), wrong)
      assert.deepEqual(refusal(await login(at, '', 'x')), wrong)
    })

    it('takes every name literally', async () => {
      const star = await login(at, 'star*(name)')

      assert.equal(star.body.email, 'star@directory.test')
      assert.equal((await login(at, 'com,ma')).body.email, 'comma@directory.test')
      for (const name of ['*', 'dir*', 'dirk)(uid=*', 'x)(|(uid=dirk', '\\2a', 'dirk\0']) {
        assert.deepEqual(refusal(await login(at, name, 'dirk secret')), wrong, name)
      }
    })

    it('refuses a name that two entries have', async () => {
      assert.deepEqual(refusal(await login(at, 'twin@directory.test', 'twin1 secret')), wrong)
      assert.equal((await login(at, 'twin1')).status, 200)
    })

    it('reports an account that is closed in the directory only to those who know its password', async () => {
      const closed = [401, 'USER_DEACTIVATED', 'Account is deactivated']

      assert.deepEqual(refusal(await login(at, 'closed')), closed)
      assert.deepEqual(refusal(await login(at, 'closed', 'wrong')), wrong)
    })

    it('tells of an account that is closed in the chat', async () => {
      const { user_id } = (await login(at, 'erna')).body
      await at.people.olga.delete(`/users/${user_id}`)

      assert.equal((await login(at, 'erna')).body.code, 'USER_DEACTIVATED')
    })

    it('blames an entry that is no user on the directory, and names no secret', async () => {
      at.host.log.length = 0

      assert.deepEqual(refusal(await login(at, 'mute')), unavailable)
      assert.match(at.host.log.join('\n'), /an entry has no mail/)
      assert.doesNotMatch(at.host.log.join('\n'), /secret/)
    })

    it('follows no referral', async () => {
      await login(at, 'dirk')
      await login(at, 'nobody')

      assert.equal(visits, 0)
    })

    it('takes an address that another account has for nobody’s proof', async () => {
      await createKnown(at)

      const { body } = await login(at, 'known')

      assert.match(body.email, /^login-\w+@/)
    })
  }, options())

  everyHost(
    'get-server-settings',
    (at) => {
      it('tells clients of the directory', async () => {
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
      it('leaves the password of such an account to the directory', async () => {
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
    it('binds with a name made from a template', async () => {
      assert.equal((await login(at, 'erna')).body.email, 'erna@directory.test')
      assert.equal((await login(at, 'com,ma')).body.email, 'comma@directory.test')
      assert.deepEqual(refusal(await login(at, 'erna', 'wrong')), wrong)
      assert.deepEqual(refusal(await login(at, 'nobody')), wrong)
    })

    it('keeps a name from reaching other places of the directory', async () => {
      for (const name of [`dirk,${people}`, `dirk,${people}#`, 'dirk+sn=Test', '=', '"dirk"']) {
        assert.deepEqual(refusal(await login(at, name, 'dirk secret')), wrong, name)
      }
    })
  }, withName())

  everyDirectoryHost(
    (at) => {
      it('makes no account where that is not allowed', async () => {
        assert.deepEqual(refusal(await login(at, 'dirk')), wrong)
      })

      it('gives an account to the owner of its address, and takes over the name', async () => {
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
    ['from the start', { url: directory.secureUrl }],
    ['after asking for it', { startTls: true }],
  ] as const) {
    everyDirectoryHost(
      (at) => {
        it(`encrypts ${title}`, async () => {
          assert.equal((await login(at, 'dirk')).status, 200)
          assert.deepEqual(refusal(await login(at, 'dirk', 'wrong')), wrong)
        })
      },
      options({ ...changes, tls: { ca: directory.certificate } }),
    )

    everyDirectoryHost((at) => {
      it(`trusts no certificate that nobody vouches for, encrypting ${title}`, async () => {
        assert.deepEqual(refusal(await login(at, 'dirk')), unavailable)
      })
    }, options(changes))
  }

  everyDirectoryHost(
    (at) => {
      it('is unavailable without the directory, except for those whom the chat knows', async () => {
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
      it('is unavailable if the directory lets the chat itself not in', async () => {
        at.host.log.length = 0

        assert.deepEqual(refusal(await login(at, 'dirk')), unavailable)
        assert.match(at.host.log.join('\n'), /search\.bindDn was not let in/)
        assert.doesNotMatch(at.host.log.join('\n'), /not the secret/)
      })
    },
    options({ search: { ...search, bindPassword: 'not the secret' } }),
  )
}
