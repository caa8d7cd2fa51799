import assert from 'node:assert/strict'
import { it } from 'node:test'

import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { realmOf } from '../support/organization-settings.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const listenOptions = { event_types: ['realm'] }

everyHost(
  'update-realm',
  (at) => {
    const logIn = () =>
      at.nobody.post('/fetch_api_key', {
        username: at.people.alice.email,
        password: `correct horse alice`,
      })
    const develop = () => at.nobody.post('/dev_fetch_api_key', { username: at.people.alice.email })

    it('disables and re-enables authentication methods', async () => {
      const { olga, gus } = at.people
      assert.equal((await logIn()).status, 200)
      const feed = await gus.listen(listenOptions)
      const methods = { Email: false, Dev: true }

      const answer = await olga.patch('/realm', { authentication_methods: methods })

      assert.deepEqual(answer.body, { ...bareSuccess, authentication_methods: methods })
      const described = {
        Email: { enabled: false, available: true },
        Dev: { enabled: true, available: true },
      }
      assert.deepEqual(withoutIds(await feed.drain()), [
        {
          type: 'realm',
          op: 'update_dict',
          property: 'default',
          data: { authentication_methods: described },
        },
      ])
      const realm = await realmOf(gus)
      assert.deepEqual(realm['realm_authentication_methods'], described)
      assert.deepEqual(
        [realm['realm_email_auth_enabled'], realm['realm_password_auth_enabled']],
        [false, false],
      )
      const settings = (await at.nobody.get('/server_settings')).body
      assert.equal(settings.email_auth_enabled, false)
      assert.equal(settings.authentication_methods.dev, true)
      assert.equal((await logIn()).body.code, 'PASSWORD_AUTH_DISABLED')
      assert.equal((await develop()).status, 200)

      await olga.patch('/realm', { authentication_methods: { Email: true, Dev: false } })
      assert.equal((await logIn()).status, 200)
      assertRefused(await develop(), 'DevAuthBackend not enabled.')
      assertRefused(await at.nobody.get('/dev_list_users'), 'DevAuthBackend not enabled.')
    })

    it('leaves methods unchanged that the request does not name', async () => {
      const { olga } = at.people
      await olga.patch('/realm', { authentication_methods: { Email: true, Dev: true } })
      const feed = await olga.listen(listenOptions)

      const answer = await olga.patch('/realm', { authentication_methods: { Dev: true } })

      assert.deepEqual(answer.body, bareSuccess)
      assert.deepEqual(await feed.drain(), [])
    })
  },
  { passwords: ['alice'] },
  { development: true },
)
