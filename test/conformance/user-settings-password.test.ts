import assert from 'node:assert/strict'
import { it } from 'node:test'

import { passwordOf } from '../support/cast.js'
import type { Client } from '../support/client.js'
import { everyHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const directory = {
  method: 'ldap',
  acceptsAnyUsername: true,
  authenticate: async () => undefined,
} as const

const newPassword = 'entirely new staple 77'

const change = (user: Client, old_password: string | undefined, new_password = newPassword) =>
  user.patch('/settings', { old_password, new_password })

everyHost(
  'update-settings',
  (at) => {
    it('allows five attempts at the old password in half an hour, and returns how many are left', async () => {
      const { alice } = at.people
      for (const left of ['4', '3', '2', '1', '0']) {
        const answer = await change(alice, 'wrong')
        const { headers } = answer
        assertRefused(answer, 'Wrong password!')
        assert.deepEqual(
          [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']],
          ['5', left],
        )
      }
      const unrelated = await alice.patch('/settings', { enter_sends: true })
      assert.notEqual(unrelated.headers['x-ratelimit-limit'], '5')

      const sixth = await change(alice, passwordOf('alice'))
      at.clock.advance(1801)
      const later = await change(alice, passwordOf('alice'))

      assert.equal(sixth.status, 400)
      assert.match(sixth.body.msg, /^You're making too many attempts! Try again in \d+ seconds\.$/)
      assert.deepEqual(later.body, bareSuccess)
    })

    it('changes nothing else if the password is rejected', async () => {
      const { bob } = at.people

      const answer = await bob.patch('/settings', {
        new_password: newPassword,
        old_password: 'wrong',
        full_name: 'Robert Test',
        enter_sends: true,
      })

      assertRefused(answer, 'Wrong password!')
      assert.equal((await bob.get('/users/me')).body.full_name, 'Bob Test')
      const { body } = await bob.post('/register', { fetch_event_types: ['user_settings'] })
      assert.equal(body.user_settings.enter_sends, false)
    })

    it('rejects users who never had a password', async () => {
      assertRefused(await change(at.people.carol, ''), 'Wrong password!')
      assertRefused(await change(at.people.carol, 'anything'), 'Wrong password!')
    })
  },
  { passwords: ['alice', 'bob'] },
  { rateLimits: {} },
)

everyHost(
  'update-settings',
  (at) => {
    it('does not change passwords and API keys that the application manages', async () => {
      assertRefused(
        await change(at.people.carol, 'anything'),
        'Your Zulip password is managed in LDAP',
      )
      assert.deepEqual((await change(at.people.alice, passwordOf('alice'))).body, bareSuccess)
      assert.equal((await at.people.alice.get('/users/me')).status, 200)
    })

    it('returns the directory in the section realm', async () => {
      const { body } = await at.people.alice.post('/register', { fetch_event_types: ['realm'] })

      assert.deepEqual(body.realm_authentication_methods, {
        Email: { enabled: true, available: true },
        LDAP: { enabled: true, available: true },
      })
      assert.equal(body.realm_password_auth_enabled, true)
    })
  },
  { passwords: ['alice'] },
  { passwordAuthenticators: [directory], passwordChangeReplacesApiKey: false },
)
