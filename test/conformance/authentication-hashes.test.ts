import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import { it } from 'node:test'

import createKnex from 'knex'

import { passwordOf, type CastOptions } from '../support/cast.js'
import type { Answer } from '../support/client.js'
import { everyDatabase, type HostCase } from '../support/host.js'

const cast: CastOptions = { passwords: ['alice'] }
const password = passwordOf('alice')

const login = (at: HostCase, secret: string): Promise<Answer> =>
  at.nobody.post('/fetch_api_key', { username: at.people.alice.email, password: secret })

async function storeHash(at: HostCase, hash: string): Promise<void> {
  const knex = createKnex(at.host.databaseConfig)
  await knex('chat_users').where({ id: at.people.alice.id }).update({ password_hash: hash })
  await knex.destroy()
}

async function storedHash(at: HostCase): Promise<string> {
  const knex = createKnex(at.host.databaseConfig)
  const row = await knex('chat_users')
    .where({ id: at.people.alice.id })
    .first<{ password_hash: string }>('password_hash')
  await knex.destroy()
  return row.password_hash
}

/** A hash with a lower cost than the current default, as an older version may have stored. */
function weakHash(secret: string, logN = 10): string {
  const salt = Buffer.from('0123456789abcdef')
  const key = scryptSync(secret, salt, 32, { N: 2 ** logN, r: 8, p: 1 })
  const b64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$scrypt$ln=${logN},r=8,p=1$${b64(salt)}$${b64(key)}`
}

for (const [passwordHashing, format] of [
  ['argon2id', /^\$argon2id\$v=19\$m=47104,t=1,p=1\$/],
  ['scrypt', /^\$scrypt\$ln=17,r=8,p=1\$/],
] as const) {
  everyDatabase(
    `fetch-api-key with ${passwordHashing}`,
    'express',
    (at) => {
      it('replaces a weak hash at the next login, and keeps the API key', async () => {
        await storeHash(at, weakHash('an old password'))

        const refused = await login(at, password)
        const first = await login(at, 'an old password')
        const stored = await storedHash(at)
        const second = await login(at, 'an old password')

        assert.equal(refused.status, 401)
        assert.equal(first.status, 200)
        assert.match(stored, format)
        assert.deepEqual(second.body, first.body)
        assert.equal(await storedHash(at), stored)
      })
    },
    { passwordHashing },
    cast,
  )
}

everyDatabase(
  'fetch-api-key',
  'koa',
  (at) => {
    it('returns the error for a wrong password if the stored hash has an unknown format', async () => {
      await storeHash(at, 'pbkdf2_sha256$1000$salt$hash')
      at.host.log.length = 0

      const { status, body } = await login(at, password)

      assert.deepEqual([status, body.code], [401, 'AUTHENTICATION_FAILED'])
      assert.match(at.host.log.join(), /A stored password hash cannot be compared with/)
    })

    it('returns 429 while too many logins are queued, and does not count them as attempts', async () => {
      await storeHash(at, weakHash('an old password', 14))

      const answers = await Promise.all(Array.from({ length: 120 }, () => login(at, 'wrong')))
      const later = await login(at, 'wrong')

      const refused = answers.filter(({ status }) => status === 429)
      const tried = answers.filter(({ status }) => status === 401)
      assert.ok(tried.length >= 62, `${tried.length} were tried`)
      assert.equal(tried.length + refused.length, answers.length)
      assert.ok(refused.length > 0, 'no request was refused')
      const [first] = refused
      assert.equal(first?.headers['retry-after'], '2')
      assert.equal(first?.body.code, 'RATE_LIMIT_HIT')
      assert.equal(later.status, 401)
    })
  },
  {},
  cast,
)
