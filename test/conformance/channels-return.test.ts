import assert from 'node:assert/strict'
import { it } from 'node:test'

import { archiveAware, channelEvents, hearing, kinds, makeChannel } from '../support/channels.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'

everyHost('update-stream', (at) => {
  it('sends an unarchived channel and its subscribers to clients without archived_channels', async () => {
    const { olga, alice, bob, mona, gus } = at.people
    const subscribers = [alice.id, bob.id]
    const id = await makeChannel(olga, 'returning', { invite_only: true, subscribers })
    await bob.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: id, property: 'color', value: '#123456' }],
    })
    await olga.delete(`/streams/${id}`)

    const received = await hearing({ olga, alice, bob, mona, gus }, () =>
      olga.patch(`/streams/${id}`, { is_archived: false }),
    )

    const asNew = ['stream/create', 'subscription/add']
    assert.deepEqual([kinds(received.alice), kinds(received.bob)], [asNew, asNew])
    for (const [events, color] of [
      [received.alice, undefined],
      [received.bob, '#123456'],
    ] as const) {
      const subscription = events[1]?.['subscriptions'][0] as Record<string, unknown> | undefined
      assert.equal(subscription?.['stream_id'], id)
      assert.equal(subscription?.['is_archived'], false)
      assert.equal(subscription?.['subscriber_count'], 2)
      assert.deepEqual(subscription?.['subscribers'], subscribers)
      assert.equal(color ?? subscription?.['color'], subscription?.['color'])
    }
    assert.deepEqual(kinds(received.olga), ['stream/create', 'subscription/peer_add'])
    const [created, peers] = withoutIds(received.olga)
    const channels = created?.['streams'] as Record<string, unknown>[] | undefined
    assert.equal(
      channels?.[0]?.['subscriber_count'],
      0,
      'the client adds the subscribers of the next event',
    )
    assert.deepEqual(peers, {
      type: 'subscription',
      op: 'peer_add',
      stream_ids: [id],
      user_ids: subscribers,
    })
    assert.deepEqual([received.mona, received.gus], [[], []], 'users without access')
  })

  it('sends only the change of is_archived to clients with archived_channels', async () => {
    const { olga, alice, bob } = at.people
    const id = await makeChannel(olga, 'waking', { subscribers: [alice.id] })
    await olga.delete(`/streams/${id}`)

    const received = await hearing(
      { alice, bob },
      () => olga.patch(`/streams/${id}`, { is_archived: false }),
      archiveAware,
    )

    const unarchived = ['stream/update:is_archived']
    assert.deepEqual([kinds(received.alice), kinds(received.bob)], [unarchived, unarchived])
  })

  it('sends stream/create only once to users who gain access at the same time', async () => {
    const { olga, alice, bob } = at.people
    const id = await makeChannel(olga, 'opening', {
      invite_only: true,
      subscribers: [olga.id, alice.id],
    })
    await olga.delete(`/streams/${id}`)

    const received = await hearing({ alice, bob }, () =>
      olga.patch(`/streams/${id}`, { is_archived: false, is_private: false }),
    )

    assert.deepEqual(kinds(received.bob), ['stream/create', 'subscription/peer_add'])
    assert.deepEqual(kinds(received.alice), [
      'stream/create',
      'subscription/add',
      'stream/update:invite_only',
    ])
  })
})

everyHost('reactivate-user', (at) => {
  it('sends the subscriptions to archived channels only to clients with archived_channels', async () => {
    const { olga, alice, bob } = at.people
    const id = await makeChannel(olga, 'asleep', { subscribers: [alice.id, bob.id] })
    await olga.delete(`/streams/${id}`)
    await olga.delete(`/users/${bob.id}`)
    const feeds = [await alice.listen(archiveAware), await alice.listen(channelEvents)]

    await olga.post(`/users/${bob.id}/reactivate`)

    const [aware = [], unaware = []] = await Promise.all(feeds.map(async (feed) => feed.drain()))
    const added = { type: 'subscription', op: 'peer_add', user_ids: [bob.id] }
    const idsOf = (events: typeof aware) =>
      withoutIds(events).flatMap(({ stream_ids, ...rest }) => {
        assert.deepEqual(rest, added)
        return stream_ids as number[]
      })
    assert.ok(idsOf(aware).includes(id))
    assert.ok(idsOf(unaware).includes(at.channels.general))
    assert.ok(!idsOf(unaware).includes(id))
  })
})

everyHost('unsubscribe', (at) => {
  it('sends changes of archived channels only to clients with archived_channels', async () => {
    const { olga, alice, bob } = at.people
    const id = await makeChannel(olga, 'still', { subscribers: [alice.id, bob.id] })
    await olga.delete(`/streams/${id}`)
    const feeds = [await alice.listen(archiveAware), await alice.listen(channelEvents)]

    const answer = await olga.delete('/users/me/subscriptions', {
      subscriptions: ['still'],
      principals: [bob.id],
    })

    assert.equal(answer.status, 200)
    const [aware = [], unaware = []] = await Promise.all(feeds.map(async (feed) => feed.drain()))
    assert.deepEqual(kinds(aware), ['subscription/peer_remove'])
    assert.deepEqual(unaware, [])
  })
})
