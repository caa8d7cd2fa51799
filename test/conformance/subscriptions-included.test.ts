import assert from 'node:assert/strict'
import { it } from 'node:test'

import { channelEvents, hearing, makeChannel } from '../support/channels.js'
import type { Client, Parameters } from '../support/client.js'
import type { FedEvent } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { SocketClient } from '../support/socket-client.js'

const { event_types } = channelEvents

const listKeys = (subscription: object): string[] =>
  Object.keys(subscription).filter((key) => ['subscribers', 'partial_subscribers'].includes(key))

const addedIn = (events: readonly FedEvent[]): Record<string, unknown>[] =>
  events
    .filter(({ type, op }) => type === 'subscription' && op === 'add')
    .flatMap((event) => event['subscriptions'] as Record<string, unknown>[])

/** The same event, as one client of each kind receives it. */
async function addedFor(
  client: Client,
  kinds: readonly Parameters[],
  act: () => Promise<unknown>,
): Promise<Record<string, unknown>[][]> {
  const feeds = []
  for (const kind of kinds) feeds.push(await client.listen({ event_types, ...kind }))
  await act()
  const added = []
  for (const feed of feeds) added.push(addedIn(await feed.drain()))
  return added
}

const kinds = [{}, ...['false', 'true', 'partial'].map((value) => ({ include_subscribers: value }))]
const expectedKeys = [[], [], ['subscribers'], ['subscribers']]

everyHost(
  'subscribe',
  (at) => {
    it('includes the subscribers of new subscriptions only for queues with include_subscribers', async () => {
      const { alice, bob } = at.people
      await makeChannel(alice, 'existing', { subscribers: [alice.id] })
      const acts = [
        // In an existing channel, and in one that the request creates.
        () => bob.post('/users/me/subscriptions', { subscriptions: [{ name: 'existing' }] }),
        () => bob.post('/users/me/subscriptions', { subscriptions: [{ name: 'made' }] }),
        () => makeChannel(alice, 'made for him', { subscribers: [alice.id, bob.id] }),
      ]

      for (const [index, act] of acts.entries()) {
        const added = await addedFor(bob, kinds, act)

        assert.deepEqual(
          added.map((subscriptions) => subscriptions.map(listKeys)),
          expectedKeys.map((keys) => [keys]),
          String(index),
        )
        const [without, , all, partial] = added.map(([subscription]) => subscription ?? {})
        const { subscribers, ...rest } = all ?? {}
        assert.deepEqual(subscribers, index === 1 ? [bob.id] : [alice.id, bob.id])
        assert.deepEqual(partial, all)
        assert.deepEqual(without, rest)
        assert.equal(rest['subscriber_count'], subscribers.length)
      }
    })

    it('includes them over a WebSocket and if GET /events registers the queue', async () => {
      const { alice, bob } = at.people
      const params = { event_types: ['subscription'] }
      const sockets = []
      const polls = []
      for (const kind of kinds) {
        sockets.push(await SocketClient.open(bob, { ...params, ...kind }))
        const { body } = await bob.get('/events', { ...params, ...kind, dont_block: true })
        polls.push({ queue_id: body.queue_id as string })
      }

      await makeChannel(alice, 'streamed', { subscribers: [bob.id] })
      const overSockets = []
      const overPolls = []
      for (const [index, socket] of sockets.entries()) {
        overSockets.push(addedIn(await socket.events(1)).map(listKeys))
        const { body } = await bob.get('/events', polls[index])
        overPolls.push(addedIn(body.events as FedEvent[]).map(listKeys))
        await socket.close()
      }

      const expected = expectedKeys.map((keys) => [keys])
      assert.deepEqual(overSockets, expected)
      assert.deepEqual(overPolls, expected)
    })

    it('includes them for unarchived channels, and never in stream events', async () => {
      const { alice, bob, carol } = at.people
      const id = await makeChannel(alice, 'returning', { subscribers: [alice.id, bob.id] })
      await alice.delete(`/streams/${id}`)

      const added = await addedFor(bob, kinds, () =>
        alice.patch(`/streams/${id}`, { is_archived: false }),
      )

      assert.deepEqual(
        added.map((subscriptions) => subscriptions.map(listKeys)),
        expectedKeys.map((keys) => [keys]),
      )
      const received = await hearing({ carol }, () => makeChannel(alice, 'seen by peers'))
      const [created] = received.carol
      assert.equal(created?.type, 'stream')
      assert.deepEqual(listKeys(created?.['streams'][0]), [])
    })

    it('sends peer events whatever the queue was registered with', async () => {
      const { alice, bob, carol } = at.people
      const id = await makeChannel(alice, 'counted', { subscribers: [alice.id, carol.id] })
      const join = () =>
        bob.post('/users/me/subscriptions', { subscriptions: [{ name: 'counted' }] })
      const leave = () => bob.delete('/users/me/subscriptions', { subscriptions: ['counted'] })

      for (const kind of kinds) {
        const received = await hearing(
          { carol },
          async () => {
            await join()
            await leave()
          },
          { event_types: ['subscription'], ...kind },
        )

        assert.deepEqual(
          received.carol.map(({ op, stream_ids, user_ids }) => [op, stream_ids, user_ids]),
          [
            ['peer_add', [id], [bob.id]],
            ['peer_remove', [id], [bob.id]],
          ],
        )
      }
    })

    it('returns a partial list for a channel with very many subscribers', async () => {
      const { alice, bob } = at.people
      const crowd = Array.from({ length: 249 }, (_, index) => at.people.bot.id + 1000 + index)

      const added = await addedFor(bob, kinds, () =>
        makeChannel(alice, 'crowded', { subscribers: [bob.id, ...crowd] }),
      )

      assert.deepEqual(
        added.map((subscriptions) => subscriptions.map(listKeys)),
        [[[]], [[]], [['subscribers']], [['partial_subscribers']]],
      )
      assert.deepEqual(added[3]?.[0]?.['partial_subscribers'], [bob.id, ...crowd])
    })
  },
  {
    more: ({ people }) => ({
      bots: [0, ...Array.from({ length: 249 }, (_, index) => 1000 + index)].map((offset) => ({
        id: people.bot + offset,
        email: `crowd${offset}@crowd.example`,
        full_name: `Crowd ${offset}`,
        owner_id: people.alice,
      })),
    }),
  },
)
