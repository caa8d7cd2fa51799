import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { SecondFactor, SecondFactorAttempt, SecondFactorVerdict } from '@parley/core'

import { passwordOf } from '../support/cast.js'
import type { Answer, Parameters } from '../support/client.js'
import { everyDatabase, type HostCase } from '../support/host.js'

const attempts: SecondFactorAttempt[] = []

/** Requires the code 123456 from Alice, accepts Bob, and refuses Carol. */
const secondFactor: SecondFactor = async (attempt) => {
  attempts.push(attempt)
  const name = attempt.user.email.split('@', 1)[0]
  if (name === 'bob') return 'accepted'
  if (name === 'carol') return { refusal: 'Sign in with the new application.' }
  if (name === 'mona') return 'yes' as SecondFactorVerdict
  if (attempt.code === undefined) return 'codeRequired'
  return attempt.code === '123456' ? 'accepted' : 'codeWrong'
}

const logIn = (
  { nobody, subdomain }: HostCase,
  name: string,
  more: Parameters = {},
): Promise<Answer> =>
  nobody.post('/fetch_api_key', {
    username: `${name}@${subdomain}.example`,
    password: passwordOf(name),
    ...more,
  })

const refusal = ({ status, body }: Answer): unknown[] => [status, body.code, body.msg]

everyDatabase(
  'fetch-api-key with a second factor',
  'koa',
  (at) => {
    it('requires a code after the right password', async () => {
      const without = await logIn(at, 'alice')
      const wrong = await logIn(at, 'alice', { second_factor_code: '654321' })
      const right = await logIn(at, 'alice', { second_factor_code: '123456' })

      assert.deepEqual(refusal(without), [
        401,
        'SECOND_FACTOR_REQUIRED',
        'A second factor is required to sign in',
      ])
      assert.deepEqual(refusal(wrong), [401, 'SECOND_FACTOR_FAILED', 'The code is incorrect'])
      assert.equal(right.body.user_id, at.people.alice.id)
    })

    it('calls secondFactor with the user and the request', async () => {
      attempts.length = 0
      const { status } = await logIn(at, 'bob')

      assert.equal(status, 200)
      assert.equal(attempts.length, 1)
      const [{ user, code, request } = {}] = attempts as [SecondFactorAttempt?]
      assert.deepEqual(user, {
        id: at.people.bob.id,
        externalId: user?.externalId,
        email: at.people.bob.email,
        fullName: 'Bob Test',
        role: 400,
        organization: at.subdomain,
      })
      assert.equal(code, undefined)
      assert.equal(request?.headers['user-agent'], 'ParleyTests/1.0')
    })

    it('does not call secondFactor for a wrong password', async () => {
      attempts.length = 0

      const { body } = await logIn(at, 'bob', { password: 'wrong' })

      assert.equal(body.code, 'AUTHENTICATION_FAILED')
      assert.deepEqual(attempts, [])
    })

    it('returns the text of a refusal, and 500 if the verdict is invalid', async () => {
      assert.deepEqual(refusal(await logIn(at, 'carol')), [
        401,
        'SECOND_FACTOR_FAILED',
        'Sign in with the new application.',
      ])
      assert.equal((await logIn(at, 'mona')).status, 500)
      assert.match(at.host.log.join(), /secondFactor must answer/)
    })

    it('limits the number of codes that can be tried', async () => {
      const statuses: number[] = []
      at.clock.advance(1801)
      for (let attempt = 0; attempt < 5; attempt += 1) {
        statuses.push((await logIn(at, 'alice', { second_factor_code: `${attempt}` })).status)
      }
      const right = await logIn(at, 'alice', { second_factor_code: '123456' })

      assert.deepEqual(statuses, [401, 401, 401, 401, 401])
      assert.equal(right.status, 429)
    })

    it('refuses a code of more than 100 characters', async () => {
      const { status } = await logIn(at, 'alice', { second_factor_code: '1'.repeat(101) })

      assert.equal(status, 400)
    })
  },
  { secondFactor, rateLimits: {}, passwordHashing: 'argon2id' },
  { passwords: ['alice', 'bob', 'carol', 'mona'] },
)
