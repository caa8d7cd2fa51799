import assert from 'node:assert/strict'
import { it } from 'node:test'

import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'

const events = ['stream', 'subscription', 'default_streams']

everyHost('subscribe', (at) => {
  it('subscribes to an existing channel and tells the subscriber and the peers', async () => {
    const { alice, bob, carol, gus } = at.people
    const feeds = await Promise.all(
      [carol, alice, gus].map((person) => person.listen({ event_types: events })),
    )

    const answer = await carol.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'Design ' }],
    })

    assert.deepEqual(answer.body, {
      result: 'success',
      msg: '',
      subscribed: { [carol.id]: ['design'] },
      already_subscribed: {},
      new_subscription_messages_sent: true,
    })
    const [carolHears, aliceHears, gusHears] = await Promise.all(feeds.map((feed) => feed.drain()))
    assert.equal(carolHears?.length, 1)
    assert.equal(carolHears?.[0]?.['op'], 'add')
    const [subscription] = carolHears?.[0]?.['subscriptions'] ?? []
    assert.equal(subscription.stream_id, at.channels.design)
    assert.deepEqual(subscription.subscribers, [alice.id, bob.id, carol.id])
    assert.equal(subscription.subscriber_count, 3)
    assert.match(subscription.color, /^#[0-9a-f]{6}$/)
    assert.equal(subscription.desktop_notifications, null)
    assert.equal(subscription.in_home_view, true)
    assert.deepEqual(withoutIds(aliceHears ?? []), [
      {
        type: 'subscription',
        op: 'peer_add',
        stream_ids: [at.channels.design],
        user_ids: [carol.id],
      },
    ])
    assert.deepEqual(gusHears, [])
  })
})
