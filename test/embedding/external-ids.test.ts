import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import { everyDatabase } from '../support/host.js'

const adaAtWork = { externalId: 'a-7', email: 'ada@app.example', fullName: 'Ada' } as const

/** The users of a response, without the rest of it. */
interface Described {
  readonly user_id: number
  readonly external_id?: string | undefined
}

everyDatabase(
  'external ids in answers',
  'koa',
  (at) => {
    const ada = async (): Promise<number> => {
      const organization = at.subdomain
      await at.host.chat.users.sync([adaAtWork], { organization })
      return (await at.host.chat.users.idOf(['a-7'], { organization })).get('a-7')!
    }
    const paths = (id: number) => ['/users', `/users/${id}`, '/users/ada@app.example', '/users/me']
    const register = async (client: Client) =>
      client.post('/register', { fetch_event_types: ['realm_user'] })
    const idsIn = (users: readonly Described[]): unknown[] =>
      users.flatMap((user) => ('external_id' in user ? [[user.user_id, user.external_id]] : []))

    it('are those of users who have one, for administrators and owners', async () => {
      const id = await ada()

      for (const client of [at.people.olga, at.people.adam]) {
        const { body: list } = await client.get('/users')
        assert.deepEqual(idsIn(list.members), [[id, 'a-7']])
        assert.equal((await client.get(`/users/${id}`)).body.user.external_id, 'a-7')
        const { body } = await register(client)
        assert.deepEqual(idsIn(body.realm_users), [[id, 'a-7']])
      }
    })

    it('change nothing for all others, byte for byte, nor for anyone without the option', async () => {
      const id = await ada()
      const usual = await at.host.another('koa')
      try {
        for (const client of [at.people.bob, at.people.gus, at.people.bot]) {
          for (const path of paths(id)) {
            const { text } = await client.get(path)
            assert.equal(text, (await usual.clientOf(client).get(path)).text, path)
            assert.doesNotMatch(text, /a-7|external_id/)
          }
        }
        for (const client of [at.people.olga, at.people.bob].map((one) => usual.clientOf(one))) {
          const { body } = await register(client)
          assert.ok(body.realm_users.length > 1)
          assert.deepEqual(idsIn(body.realm_users), [])
          assert.doesNotMatch((await client.get('/users')).text, /external_id/)
        }
        assert.deepEqual(idsIn((await register(at.people.bob)).body.realm_users), [])

        const { api } = usual.chat.asSystem({ organization: at.subdomain })
        assert.deepEqual(idsIn((await api.getUsers()).members), [[id, 'a-7']])
        const { user } = await api.getUser({ user_id: id })
        assert.equal(user.external_id, 'a-7')
      } finally {
        await usual.stop()
      }
    })
  },
  { externalIdsForAdministrators: true },
)
