import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Answer } from '../support/client.js'
import { everyHost } from '../support/host.js'

const refusal = ({ status, body }: Answer): unknown[] => [status, body.code, body.msg]
const production = [400, 'BAD_REQUEST', 'Endpoint not available in production.']

everyHost('dev-fetch-api-key', (at) => {
  it('is not available in production, even if the request is otherwise invalid', async () => {
    const unknown = at.host.client('no-such', undefined, 0, 'nobody')

    for (const client of [at.nobody, unknown]) {
      assert.deepEqual(
        refusal(await client.post('/dev_fetch_api_key', { username: 'x' })),
        production,
      )
      assert.deepEqual(refusal(await client.get('/dev_list_users')), production)
    }
  })
})

everyHost(
  'dev-fetch-api-key',
  (at) => {
    const fetchKey = (username: string) => at.nobody.post('/dev_fetch_api_key', { username })

    it("returns any user's key without a password", async () => {
      const { alice } = at.people

      assert.deepEqual((await fetchKey(alice.email.toUpperCase())).body, {
        result: 'success',
        msg: '',
        api_key: alice.credentials?.apiKey,
        email: alice.email,
        user_id: alice.id,
      })
    })

    it('refuses invalid and unknown addresses, and deactivated users and organizations', async () => {
      const unknown = at.host.client('no-such', undefined, 0, 'nobody')
      const deactivated = await at.host.organization()
      await at.host.chat.organizations.deactivate(deactivated.subdomain)

      assert.deepEqual(refusal(await fetchKey('alice')), [
        400,
        'BAD_REQUEST',
        'Enter a valid email address.',
      ])
      assert.equal(refusal(await fetchKey('nobody@nowhere.example'))[1], 'AUTHENTICATION_FAILED')
      assert.equal(refusal(await fetchKey(at.people.dora.email))[1], 'USER_DEACTIVATED')
      assert.deepEqual(
        refusal(await unknown.post('/dev_fetch_api_key', { username: at.people.alice.email })),
        [404, 'NONEXISTENT_SUBDOMAIN', 'Invalid subdomain'],
      )
      const { email } = deactivated.people.alice
      assert.equal(
        (await deactivated.nobody.post('/dev_fetch_api_key', { username: email })).body.code,
        'REALM_DEACTIVATED',
      )
    })
  },
  {},
  { development: true },
)

everyHost(
  'dev-list-users',
  (at) => {
    it('lists active users, administrators separately', async () => {
      const { olga, adam, mona, alice, bob, carol, gus } = at.people
      const url = at.host.origin
      const accounts = (...clients: { email: string }[]) =>
        clients.map(({ email }) => ({ email, realm_url: url, realm_uri: url }))

      const { body } = await at.nobody.get('/dev_list_users')

      assert.deepEqual(body, {
        result: 'success',
        msg: '',
        direct_admins: accounts(olga, adam),
        direct_users: accounts(mona, alice, bob, carol, gus),
      })
    })

    it('requires strong passwords of new users in development too', async () => {
      const { olga } = at.people
      const weak = { email: 'weak@people.example', full_name: 'Weak', password: 'abc' }

      const refused = await olga.post('/users', weak)
      const { body } = await olga.post('/register', { fetch_event_types: ['realm'] })

      assert.equal(refused.body.msg, 'The password is too weak.')
      assert.deepEqual([body.password_min_length, body.password_min_guesses], [8, 100_000_000])
    })

    it('requires an organization', async () => {
      const unknown = at.host.client('no-such', undefined, 0, 'nobody')

      assert.equal((await unknown.get('/dev_list_users')).body.code, 'NONEXISTENT_SUBDOMAIN')
    })
  },
  {},
  { development: true },
)
