import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import type { Client } from '../support/client.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { statementsOf } from '../support/statements.js'

reportSkippedColumns()
for (const column of databaseColumns()) {
  describe(`the number of statements (${column.name})`, () => {
    const [few, many] = [2, 200]
    const firstId = 5000
    let host: TestHost
    let clients: readonly Client[]
    const [small, large] = [firstId, firstId + 1]

    before(async () => {
      host = new TestHost('express', column)
      await host.start()
      const subdomain = 'crowd'
      const users = Array.from({ length: many }, (_, index) => ({
        id: firstId + index,
        email: `user${index}@crowd.example`,
        full_name: `User ${index}`,
        role: index === 0 ? 100 : 400,
        api_key: `key${index}`.padEnd(32, 'x'),
      }))
      const ids = users.map(({ id }) => id)
      await host.chat.organizations.load({
        organization: { name: 'Crowd', subdomain },
        users,
        channels: [
          { id: small, name: 'small', subscribers: ids.slice(0, few) },
          { id: large, name: 'large', subscribers: ids },
        ],
      })
      clients = users.map(({ id, email, api_key, full_name }) =>
        host.client(subdomain, { email, apiKey: api_key }, id, full_name),
      )
    })
    after(() => host.stop())

    /** Counts after a first call, which fills the caches of the server. */
    const countOf = async (work: () => Promise<unknown>): Promise<number> => {
      await work()
      return (await statementsOf(host, work)).length
    }

    it('of sending is the same for 2 recipients and for 200', async () => {
      const [owner] = clients as [Client]
      const say = (channelId: number) => () => owner.say(channelId, 'topic', '@**all** hello')
      const whisper = (count: number) => () => owner.whisper(clients.slice(0, count), 'hello')

      assert.equal(await countOf(say(large)), await countOf(say(small)))
      // A direct conversation has at most 100 users.
      assert.equal(await countOf(whisper(100)), await countOf(whisper(2)))
    })

    it('of fetching is the same for 1 message and for 60', async () => {
      const [owner] = clients as [Client]
      for (const client of clients.slice(0, 60)) await client.say(large, 'crowded', 'Hello')
      for (const client of clients.slice(0, 60)) await client.whisper([owner], 'Hello')
      const fetch =
        (num_before: number, narrow: readonly unknown[] = []) =>
        async () => {
          const { body } = await owner.get('/messages', { anchor: 'newest', num_before, narrow })
          assert.equal(body.messages.length, num_before)
        }

      const [channel, direct] = [[['channel', 'large']], [['is', 'dm']]]
      assert.equal(await countOf(fetch(60, channel)), await countOf(fetch(1, channel)))
      assert.equal(await countOf(fetch(60, direct)), await countOf(fetch(1, direct)))
      // A result with both kinds of messages uses at most the statements of each kind.
      assert.ok((await countOf(fetch(100))) <= (await countOf(fetch(1, direct))) + 1)
    })

    it('of changing flags is the same for 1 message and for 60', async () => {
      const [owner] = clients as [Client]
      const narrow = [['channel', 'large']]
      const { body } = await owner.get('/messages', { anchor: 'newest', num_before: 61, narrow })
      const ids = (body.messages as { id: number }[]).map(({ id }) => id)
      const change = (messages: readonly number[], op: string, flag: string) =>
        statementsOf(host, async () => {
          const answer = await owner.post('/messages/flags', { messages, op, flag })
          assert.equal(answer.body.messages.length, messages.length)
        })
      const [one, sixty] = [ids.slice(0, 1), ids.slice(1)]
      // It writes what the user has received.
      for (const op of ['add', 'remove']) await change(ids, op, 'starred')

      for (const [op, flag] of [
        ['add', 'starred'],
        ['add', 'read'],
        ['remove', 'read'],
      ] as const) {
        const [single, all] = [await change(one, op, flag), await change(sixty, op, flag)]
        assert.equal(all.length, single.length, `${op} ${flag}`)
      }
    })
  })
}
