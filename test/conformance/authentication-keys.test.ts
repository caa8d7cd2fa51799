import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import { everyHost, type HostCase } from '../support/host.js'

const withKey = (at: HostCase, client: Client, apiKey: string): Client =>
  at.host.client(at.subdomain, { email: client.email, apiKey }, client.id, client.name)

everyHost('regenerate-own-api-key', (at) => {
  it('invalidates the old key at once and keeps the event queues', async () => {
    const { carol } = at.people
    const feed = await carol.listen()

    const { body } = await carol.post('/users/me/api_key/regenerate')

    assert.match(body.api_key, /^[A-Za-z0-9]{32}$/)
    const old = await carol.get('/users/me')
    assert.deepEqual([old.status, old.body.code], [401, 'INVALID_API_KEY'])
    const renewed = withKey(at, carol, body.api_key)
    assert.equal((await renewed.get('/users/me')).body.user_id, carol.id)
    const id = await at.people.alice.whisper([carol], 'still there?')
    const { events } = (
      await renewed.get('/events', { queue_id: feed.queueId, last_event_id: feed.lastEventId })
    ).body
    assert.deepEqual(
      events.map((event: { type: string; message?: { id: number } }) => [
        event.type,
        event.message?.id,
      ]),
      [['message', id]],
    )
  })

  it("sends a bot's new key to its owner alone, and no event for a user's own key", async () => {
    const { bot, alice, bob, adam, olga, mona, gus } = at.people
    const types = { event_types: ['realm_bot'] }
    const ownerFeed = await alice.listen(types)
    const bobFeed = await bob.listen(types)
    const otherFeeds = await Promise.all(
      [adam, olga, mona, gus].map((other) => other.listen(types)),
    )

    const forBot = await bot.post('/users/me/api_key/regenerate')
    const forBob = await bob.post('/users/me/api_key/regenerate')

    assert.deepEqual(
      (await ownerFeed.drain()).map(({ id: _, ...event }) => event),
      [
        {
          type: 'realm_bot',
          op: 'update',
          bot: { user_id: bot.id, api_key: forBot.body.api_key },
        },
      ],
    )
    for (const feed of otherFeeds) assert.deepEqual(await feed.drain(), [])
    const renewed = withKey(at, bob, forBob.body.api_key)
    const { queueId, lastEventId } = bobFeed
    const params = { queue_id: queueId, last_event_id: lastEventId, dont_block: true }
    assert.deepEqual((await renewed.get('/events', params)).body.events, [])
  })

  it('returns 401 without credentials', async () => {
    assert.equal((await at.nobody.post('/users/me/api_key/regenerate')).status, 401)
  })
})
