import assert from 'node:assert/strict'
import { it } from 'node:test'

import { clientOfBot, makeBot } from '../support/bots.js'
import { everyHost } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'
import { reactivate } from '../support/reactivation.js'

const tooMany = 'Too many active bots (limit: 2)'

everyHost(
  'create-bot',
  (at) => {
    it('refuses more active bots of a user than the quota, however they become active', async () => {
      const { adam, bob, carol } = at.people
      const [first, second] = [await makeBot(bob), await makeBot(bob)]
      const third = { full_name: 'Third', short_name: 'third' }
      assertRefused(await bob.post('/bots', third), tooMany)

      await bob.delete(`/bots/${first.user_id}`)
      const made = await makeBot(bob)
      assertRefused(await adam.post(`/users/${first.user_id}/reactivate`), tooMany)

      const given = await makeBot(carol)
      const gift = { bot_owner_id: bob.id }
      assertRefused(await adam.patch(`/bots/${given.user_id}`, gift), tooMany)
      await adam.delete(`/bots/${given.user_id}`)
      assert.equal((await adam.patch(`/bots/${given.user_id}`, gift)).status, 200)
      assertRefused(await adam.post(`/users/${given.user_id}/reactivate`), tooMany)
      await adam.delete(`/bots/${made.user_id}`)
      assert.equal((await adam.post(`/users/${given.user_id}/reactivate`)).status, 200)

      await adam.delete(`/users/${bob.id}`)
      await reactivate(at, adam, bob)
      for (const { user_id } of [first, second]) {
        assert.equal((await adam.post(`/users/${user_id}/reactivate`)).status, 200)
      }
      assertRefused(await adam.post(`/users/${made.user_id}/reactivate`), tooMany)
    })
  },
  {},
  { quotas: { activeBotsPerUser: 2 } },
)

everyHost(
  'send-json-webhook-message',
  (at) => {
    it('counts the requests of all bots of a user together, incoming webhooks too', async () => {
      const { bob } = at.people
      const hooks = [
        await makeBot(bob, { bot_type: 2 }),
        await makeBot(bob, { bot_type: 2 }),
        await makeBot(bob, { bot_type: 2 }),
      ]
      const generic = clientOfBot(at, await makeBot(bob))
      const post = async ({ api_key }: { api_key: string }): Promise<number> =>
        (await at.nobody.post(`/external/json?api_key=${api_key}`, { text: 'x' })).status

      const statuses = []
      for (const hook of hooks) statuses.push(await post(hook), await post(hook), await post(hook))
      for (let index = 0; index < 6; index += 1) {
        statuses.push((await generic.get('/users/me')).status)
      }

      assert.deepEqual(
        statuses.map((status) => status === 429),
        [...Array<boolean>(12).fill(false), ...Array<boolean>(3).fill(true)],
      )
      assert.equal((await bob.get('/users/me')).status, 200)
    })
  },
  {},
  { rateLimits: { apiByUser: [{ windowSeconds: 60, maxRequests: 6 }] } },
)
