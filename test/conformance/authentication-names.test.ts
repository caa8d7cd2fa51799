import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { after, it } from 'node:test'

import type { PasswordAuthenticator } from '@parley/core'
import { ldapPasswordAuthenticator } from '@parley/core/ldap'

import { Client, type Answer } from '../support/client.js'
import { hasDirectoryServer, reader, suffix, TestDirectory } from '../support/directory.js'
import { everyDatabase, type HostCase } from '../support/host.js'

const agents: Agent[] = []
after(() => {
  for (const agent of agents) agent.destroy()
})

/** Logs in from an address that was not used before. */
async function logIn({ host, subdomain }: HostCase, username: string, password: string) {
  const last = agents.length + 1
  const agent = new Agent({ localAddress: `127.0.${last >> 8}.${last & 255}` })
  agents.push(agent)
  const client = new Client({ origin: host.origin, agent, subdomain }, undefined, 0, username)
  return client.post('/fetch_api_key', { username, password })
}

const rateLimits = {
  loginByAddress: [],
  loginByUsername: [{ windowSeconds: 1800, maxRequests: 4 }],
  loginByUsernameAndAddress: [{ windowSeconds: 1800, maxRequests: 3 }],
} as const

/** Names and spellings of one account, none of them often enough to be limited itself. */
const names = ['dirk', 'dirk@directory.test', 'DIRK', 'Dirk@Directory.test', 'dirk ', 'dirk']

/** Tries names with a wrong password, each from another address, and then with the right one. */
async function tryAll(at: HostCase): Promise<readonly number[]> {
  const answers: Answer[] = []
  for (const name of names) answers.push(await logIn(at, name, 'wrong'))
  answers.push(await logIn(at, 'dirk@directory.test', 'dirk secret'))
  return answers.map(({ status }) => status)
}
const limited = [401, 401, 401, 401, 429, 429, 429]

const hasDirectory = hasDirectoryServer()
const directory = new TestDirectory()
if (hasDirectory) {
  await directory.start(
    [
      `dn: ou=people,${suffix}\nobjectClass: organizationalUnit\nou: people\n`,
      `dn: uid=dirk,ou=people,${suffix}\nobjectClass: inetOrgPerson\nuid: dirk\nsn: D`,
      'cn: Dirk\nmail: dirk@directory.test\nuserPassword: dirk secret\n',
    ].join('\n'),
  )
  after(() => directory.stop())
  const ldap = ldapPasswordAuthenticator({
    url: directory.url,
    search: {
      bindDn: reader.dn,
      bindPassword: reader.password,
      base: suffix,
      filter: '(&(objectClass=person)(|(uid={username})(mail={username})))',
    },
  })
  everyDatabase(
    'Attempts to sign in with several names of a directory',
    'express',
    (at) => {
      it('count for the entry', async () => {
        assert.deepEqual(await tryAll(at), limited)
        at.clock.advance(1801)
        assert.equal((await logIn(at, 'dirk', 'dirk secret')).status, 200)
      })

      it('count for all spellings of an unknown name', async () => {
        const statuses: number[] = []
        for (const name of ['Zoe B', 'zoe b', 'ZOE  B', 'Ｚｏｅ B', 'zo\u00ADe b']) {
          statuses.push((await logIn(at, name, 'wrong')).status)
        }
        assert.deepEqual(statuses, [401, 401, 401, 401, 429])
      })
    },
    { rateLimits, passwordAuthenticators: [ldap] },
  )
}

/** An authenticator of an application that ignores the outcome of the limit. */
const careless: PasswordAuthenticator = {
  method: 'password',
  acceptsAnyUsername: true,
  async authenticate({ username, password, countFor }) {
    const isDirk = /^dirk(@directory\.test)?$/.test(username)
    void countFor(isDirk ? 'account 7' : undefined)
    if (!isDirk || password !== 'dirk secret') return undefined
    return { externalId: '7', email: 'dirk@directory.test', fullName: 'Dirk' }
  },
}

everyDatabase(
  'Attempts to sign in with several names of an application',
  'koa',
  (at) => {
    it('count for the account, although the authenticator ignores it', async () => {
      const statuses: number[] = []
      for (const name of ['dirk', 'dirk@directory.test', 'dirk', 'dirk@directory.test']) {
        statuses.push((await logIn(at, name, 'wrong')).status)
      }
      assert.deepEqual(statuses, [401, 401, 401, 401])
      assert.equal((await logIn(at, 'dirk', 'dirk secret')).status, 429)
      assert.equal((await logIn(at, 'dirk@directory.test', 'dirk secret')).status, 429)
      assert.equal((await logIn(at, 'erna', 'wrong')).status, 401)
    })
  },
  { rateLimits, passwordAuthenticators: [careless] },
)
