import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { HostIdentity } from '@parley/core'

import { clientOfBot, makeBot } from '../support/bots.js'
import type { Answer, Client } from '../support/client.js'
import { everyDatabase, type HostCase, type HostOptions } from '../support/host.js'
import { renewKey } from '../support/reactivation.js'
import { SocketClient } from '../support/socket-client.js'

const people: Readonly<Record<string, HostIdentity>> = {
  ada: { externalId: 'ada', email: 'ada@app.example', fullName: 'Ada' },
  boss: { externalId: 'boss', email: 'boss@app.example', fullName: 'Boss', role: 100 },
}
const product: HostOptions = {
  identify: ({ headers }) => people[headers.cookie ?? ''] ?? null,
}

const refusal = ({ status, body }: Answer): unknown[] => [status, body.code]

everyDatabase(
  'users.deactivate and users.reactivate',
  'express',
  (at) => {
    const headers = (name: string) => ({ cookie: name, origin: at.host.origin })

    /** A client with an API key, as a signed-in device has it. */
    async function signedIn(name: string): Promise<Client> {
      const { body: me } = await at.nobody.get('/users/me', {}, headers(name))
      const { body } = await at.nobody.send(
        'POST',
        '/users/me/api_key/regenerate',
        '',
        headers(name),
      )
      const credentials = { email: me.email, apiKey: body.api_key as string }
      return at.host.client(at.subdomain, credentials, me.user_id, name)
    }

    const inTeam = (case_: HostCase) => ({ organization: case_.subdomain })

    it('end access at once in every process, by session, key and bot, until reactivation', async () => {
      const second = await at.host.another('koa', product)
      try {
        const ada = await signedIn('ada')
        const bot = clientOfBot(at, await makeBot(ada))
        const elsewhere = second.clientOf(ada)
        const socket = await SocketClient.open(elsewhere, { event_types: ['message'] })
        assert.equal((await elsewhere.get('/users/me')).status, 200)

        await at.host.chat.users.deactivate('ada', inTeam(at))
        second.clock.fire(0.25)

        assert.equal((await socket.closing).code, 4003)
        for (const answer of [
          await ada.get('/users/me'),
          await elsewhere.get('/users/me'),
          await at.nobody.get('/users/me', {}, headers('ada')),
          await bot.get('/users/me'),
        ]) {
          assert.deepEqual(refusal(answer), [401, 'USER_DEACTIVATED'])
        }

        await at.host.chat.users.deactivate('ada', inTeam(at))
        await at.host.chat.users.reactivate('ada', inTeam(at))
        assert.deepEqual(refusal(await ada.get('/users/me')), [401, 'INVALID_API_KEY'])
        await renewKey(at, ada)
        assert.equal((await ada.get('/users/me')).status, 200)
        assert.equal((await at.nobody.get('/users/me', {}, headers('ada'))).status, 200)
        assert.deepEqual(refusal(await bot.get('/users/me')), [401, 'USER_DEACTIVATED'])

        await at.host.chat.users.endSessions('ada', { ...inTeam(at), apiKeys: true })
        assert.deepEqual(refusal(await ada.get('/users/me')), [401, 'INVALID_API_KEY'])
      } finally {
        await second.stop()
      }
    })

    it('fail for the only owner', async () => {
      const { users } = at.host.chat
      const boss = await signedIn('boss')
      await at.people.olga.delete('/users/me')

      await assert.rejects(users.deactivate('boss', inTeam(at)), { code: 'BAD_REQUEST' })

      assert.equal((await boss.get('/users/me')).status, 200)
    })

    it('name a user by the id of either side, also in endSessions', async () => {
      const { users } = at.host.chat
      const ada = await signedIn('ada')
      const status = async (): Promise<number> => (await ada.get('/users/me')).status

      await users.deactivate({ userId: ada.id }, inTeam(at))
      assert.equal(await status(), 401)
      await users.reactivate({ externalId: 'ada' }, inTeam(at))
      await renewKey(at, ada)
      assert.equal(await status(), 200)
      await users.endSessions({ userId: ada.id }, { ...inTeam(at), apiKeys: true })
      assert.equal(await status(), 401)

      const { alice } = at.people
      await users.deactivate({ userId: alice.id }, inTeam(at))
      assert.equal((await alice.get('/users/me')).status, 401, 'has no id of the application')
      await users.deactivate({ userId: at.unknownId }, inTeam(at))
      await users.reactivate({ userId: alice.id }, inTeam(at))
      await renewKey(at, alice)
      assert.equal((await alice.get('/users/me')).status, 200)
    })

    it('do nothing for unknown users, and reject invalid references', async () => {
      const { users } = at.host.chat

      for (const call of ['deactivate', 'reactivate'] as const) {
        await users[call]('unknown', inTeam(at))
        await assert.rejects(users[call]('ada', { organization: 'none' }), { code: 'BAD_REQUEST' })
        await assert.rejects(users[call]('', inTeam(at)), TypeError)
        for (const invalid of [{ externalId: '' }, { userId: 1.5 }, {}]) {
          // The type forbids it, applications in plain JavaScript do not.
          await assert.rejects(users[call](invalid as { userId: number }, inTeam(at)), {
            name: 'TypeError',
            message: /^chat\.users\.\w+: needs the externalId/,
          })
        }
      }
    })
  },
  product,
)
