import assert from 'node:assert/strict'
import { it } from 'node:test'

import { archiveAware, channelEvents, hearing, kinds, makeChannel } from '../support/channels.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'

everyHost('update-stream', (at) => {
  it('tells who took an archived channel for deleted who subscribes to it', async () => {
    const { olga, alice, bob, mona, gus } = at.people
    const subscribers = [alice.id, bob.id]
    const id = await makeChannel(olga, 'returning', { invite_only: true, subscribers })
    await bob.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: id, property: 'color', value: '#123456' }],
    })
    await olga.delete(`/streams/${id}`)

    const heard = await hearing({ olga, alice, bob, mona, gus }, () =>
      olga.patch(`/streams/${id}`, { is_archived: false }),
    )

    const asNew = ['stream/create', 'subscription/add']
    assert.deepEqual([kinds(heard.alice), kinds(heard.bob)], [asNew, asNew])
    for (const [events, color] of [
      [heard.alice, undefined],
      [heard.bob, '#123456'],
    ] as const) {
      const subscription = events[1]?.['subscriptions'][0] as Record<string, unknown> | undefined
      assert.equal(subscription?.['stream_id'], id)
      assert.equal(subscription?.['is_archived'], false)
      assert.equal(subscription?.['subscriber_count'], 2)
      assert.deepEqual(subscription?.['subscribers'], subscribers)
      assert.equal(color ?? subscription?.['color'], subscription?.['color'])
    }
    assert.deepEqual(kinds(heard.olga), ['stream/create', 'subscription/peer_add'])
    const [created, peers] = withoutIds(heard.olga)
    const channels = created?.['streams'] as Record<string, unknown>[] | undefined
    assert.equal(
      channels?.[0]?.['subscriber_count'],
      0,
      'those who follow are counted by the client',
    )
    assert.deepEqual(peers, {
      type: 'subscription',
      op: 'peer_add',
      stream_ids: [id],
      user_ids: subscribers,
    })
    assert.deepEqual([heard.mona, heard.gus], [[], []], 'who may not know of it')
  })

  it('tells who knows archived channels only that it is one no longer', async () => {
    const { olga, alice, bob } = at.people
    const id = await makeChannel(olga, 'waking', { subscribers: [alice.id] })
    await olga.delete(`/streams/${id}`)

    const heard = await hearing(
      { alice, bob },
      () => olga.patch(`/streams/${id}`, { is_archived: false }),
      archiveAware,
    )

    const woken = ['stream/update:is_archived']
    assert.deepEqual([kinds(heard.alice), kinds(heard.bob)], [woken, woken])
  })

  it('tells those who come to know of it at the same time once', async () => {
    const { olga, alice, bob } = at.people
    const id = await makeChannel(olga, 'opening', {
      invite_only: true,
      subscribers: [olga.id, alice.id],
    })
    await olga.delete(`/streams/${id}`)

    const heard = await hearing({ alice, bob }, () =>
      olga.patch(`/streams/${id}`, { is_archived: false, is_private: false }),
    )

    assert.deepEqual(kinds(heard.bob), ['stream/create', 'subscription/peer_add'])
    assert.deepEqual(kinds(heard.alice), [
      'stream/create',
      'subscription/add',
      'stream/update:invite_only',
    ])
  })
})

everyHost('reactivate-user', (at) => {
  it('puts the user back into archived channels, for clients that know such channels', async () => {
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
  it('tells of archived channels only who knows such channels', async () => {
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
