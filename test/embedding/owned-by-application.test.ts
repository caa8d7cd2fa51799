import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { HostIdentity } from '@parley/core'

import { everyDatabase, type HostOptions } from '../support/host.js'
import { passwordOf } from '../support/cast.js'

const ada: HostIdentity = {
  externalId: 'ada',
  email: 'ada@app.example',
  fullName: 'Ada',
  role: 200,
}
const product: HostOptions = {
  identify: ({ headers }) => (headers.cookie === 'ada' ? ada : null),
  apiKeys: 'off',
  ownedByApplication: ['fullName', 'email', 'avatar', 'role'],
  mail: { send: async () => {} },
}
const closedKeys = [
  'realm_name_changes_disabled',
  'realm_email_changes_disabled',
  'realm_avatar_changes_disabled',
]

everyDatabase(
  'what the application owns',
  'express',
  (at) => {
    const headers = () => ({ cookie: 'ada', origin: at.host.origin })
    const asAda = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body = '') => {
      return at.nobody.send(method, path, body, {
        ...headers(),
        'content-type': 'application/x-www-form-urlencoded',
      })
    }

    it('is closed to its users, also to administrators, and clients are told', async () => {
      const { body } = await asAda('POST', '/register', 'fetch_event_types=["realm"]')
      assert.deepEqual(
        closedKeys.map((key) => body[key]),
        [true, true, true],
      )
      await asAda('PATCH', '/settings', 'full_name=Somebody')
      const email = await asAda('PATCH', '/settings', 'email=other%40app.example')
      const avatar = await asAda('DELETE', '/users/me/avatar')

      const { body: me } = await at.nobody.get('/users/me', {}, headers())
      assert.deepEqual([me.full_name, me.delivery_email], ['Ada', 'ada@app.example'])
      assert.deepEqual([email.status, email.body.code], [400, 'BAD_REQUEST'])
      assert.deepEqual([avatar.status, avatar.body.code], [400, 'BAD_REQUEST'])
    })

    it('includes the role, which then only the application changes', async () => {
      const { olga, alice } = at.people
      const organization = at.subdomain
      const { users } = at.host.chat
      await users.sync([{ ...ada, role: 400 }], { organization })
      const id = (await users.idOf(['ada'], { organization })).get('ada')!
      const roleNow = async (): Promise<unknown> => (await olga.get(`/users/${id}`)).body.user.role

      const refused = await olga.patch(`/users/${id}`, { role: 300 })
      const byAddress = await olga.patch('/users/ada@app.example', { role: 300 })

      const message = "The role of this user is managed by the organization's login."
      assert.deepEqual([refused.status, refused.body.msg], [400, message])
      assert.deepEqual([byAddress.status, byAddress.body.msg], [400, message])
      assert.equal(await roleNow(), 400)
      const same = await olga.patch(`/users/${id}`, { role: 400, full_name: 'Ada Two' })
      assert.equal(same.status, 200, 'the same role is no change')
      assert.equal((await olga.patch(`/users/${alice.id}`, { role: 300 })).status, 200)
      await at.host.chat.asSystem({ organization }).api.updateUser({ user_id: id, role: 300 })
      assert.equal(await roleNow(), 300)
      await users.sync([ada], { organization })
      assert.equal(await roleNow(), 200)
    })

    it('is open to accounts of the chat itself', async () => {
      const { alice } = at.people
      const { body } = await alice.post('/register', { fetch_event_types: ['realm'] })
      assert.deepEqual(
        closedKeys.map((key) => body[key]),
        [false, false, false],
      )
      await alice.patch('/settings', { full_name: 'Alice Two' })
      assert.equal((await alice.get('/users/me')).body.full_name, 'Alice Two')
    })

    it('leaves its users no API key, but bots and accounts of the chat', async () => {
      const refused = await asAda('POST', '/users/me/api_key/regenerate')
      assert.deepEqual([refused.status, refused.body.code], [400, 'BAD_REQUEST'])
      const { alice, bot } = at.people
      assert.equal((await bot.post('/users/me/api_key/regenerate')).status, 200)
      const fetched = await at.nobody.post('/fetch_api_key', {
        username: `alice@${at.subdomain}.example`,
        password: passwordOf('alice'),
      })
      assert.equal(fetched.status, 200)
      assert.equal((await alice.post('/users/me/api_key/regenerate')).status, 200)
    })
  },
  product,
  { passwords: ['alice'] },
)
