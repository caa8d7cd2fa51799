import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { PasswordAuthenticator } from '@parley/core'

import { everyHost, type HostCase } from '../support/host.js'

/** The response of a server without special configuration. */
function server(at: HostCase) {
  return {
    result: 'success',
    msg: '',
    zulip_version: '11.0-dev+parley',
    zulip_merge_base: '11.0-dev+parley',
    zulip_feature_level: 420,
    authentication_methods: {
      password: true,
      dev: false,
      email: true,
      ldap: false,
      remoteuser: false,
      github: false,
      azuread: false,
      gitlab: false,
      apple: false,
      google: false,
      saml: false,
      'openid connect': false,
    },
    external_authentication_methods: [],
    push_notifications_enabled: false,
    is_incompatible: false,
    email_auth_enabled: true,
    require_email_format_usernames: true,
    realm_url: at.host.origin,
    realm_uri: at.host.origin,
  }
}

everyHost(
  'get-server-settings',
  (at) => {
    it('describes the server and the organization without credentials', async () => {
      const { body } = await at.nobody.get('/server_settings')

      assert.deepEqual(body, {
        ...server(at),
        realm_name: 'Test',
        realm_icon: body.realm_icon,
        realm_description: '<p>A <strong>test</strong></p>',
        realm_web_public_access_enabled: false,
      })
      assert.match(body.realm_icon, /^\/user_avatars\/default\/organization-\d+\.png\?version=1$/)
    })

    it('ignores credentials', async () => {
      const { alice, dora } = at.people
      const expected = (await at.nobody.get('/server_settings')).body

      assert.deepEqual((await alice.get('/server_settings')).body, expected)
      assert.deepEqual((await dora.get('/server_settings')).body, expected)
      const wrong = await at.nobody.get('/server_settings', {}, { authorization: 'Bearer x' })
      assert.deepEqual(wrong.body, expected)
    })

    it('answers HEAD without a body', async () => {
      const answer = await at.nobody.send('HEAD', '/server_settings')

      assert.deepEqual([answer.status, answer.text], [200, ''])
    })

    it('describes only the server if the address names no organization', async () => {
      const unknown = at.host.client('no-such', undefined, 0, 'nobody')

      assert.deepEqual((await unknown.get('/server_settings')).body, server(at))
    })

    it('describes a deactivated organization too', async () => {
      const closed = await at.host.organization()
      await at.host.chat.organizations.deactivate(closed.subdomain)

      assert.equal((await closed.nobody.get('/server_settings')).body.realm_name, 'Test')
    })

    it('returns is_incompatible to unsupported clients', async () => {
      const { body } = await at.nobody.get(
        '/server_settings',
        {},
        { 'user-agent': 'ZulipInvalid/5.0' },
      )

      assert.equal(body.is_incompatible, true)
    })
  },
  { settings: { description: 'A **test**' } },
)

everyHost(
  'get-server-settings',
  (at) => {
    it('returns disabled passwords and web-public access', async () => {
      const { body } = await at.nobody.get('/server_settings')

      assert.equal(body.email_auth_enabled, false)
      assert.deepEqual(
        [body.authentication_methods.password, body.authentication_methods.email],
        [false, false],
      )
      assert.equal(body.realm_web_public_access_enabled, true)
      assert.equal(body.realm_description, '')
    })
  },
  { settings: { password_auth_enabled: false, enable_spectator_access: true } },
)

const directory: PasswordAuthenticator = {
  method: 'ldap',
  acceptsAnyUsername: true,
  authenticate: () => undefined,
}

everyHost(
  'get-server-settings',
  (at) => {
    it('returns the LDAP directory, the development login and the configured address', async () => {
      const { body } = await at.nobody.get('/server_settings')

      assert.deepEqual(
        [
          body.authentication_methods.ldap,
          body.authentication_methods.password,
          body.authentication_methods.email,
          body.authentication_methods.dev,
          body.require_email_format_usernames,
          body.realm_uri,
        ],
        [true, true, false, true, false, 'https://chat.example'],
      )
    })
  },
  { settings: { password_auth_enabled: false } },
  { passwordAuthenticators: [directory], development: true, baseUrl: 'https://chat.example' },
)
