import assert from 'node:assert/strict'
import { it } from 'node:test'

import { channelEvents, hearing, kinds, makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { makeGroup, systemGroupId } from '../support/groups.js'
import { everyHost } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'

const subscribe = (client: Client, name: string, params: Record<string, unknown> = {}) =>
  client.post('/users/me/subscriptions', { subscriptions: [{ name }], ...params })

everyHost('subscribe', (at) => {
  it('subscribes to an existing channel and sends events to the subscriber and the peers', async () => {
    const { alice, bob, carol, gus } = at.people
    let answer: Awaited<ReturnType<typeof subscribe>> | undefined
    const received = await hearing({ alice, carol, gus }, async () => {
      answer = await subscribe(carol, ' Design ')
    })

    assert.deepEqual(answer?.body, {
      result: 'success',
      msg: '',
      subscribed: { [carol.id]: ['design'] },
      already_subscribed: {},
      new_subscription_messages_sent: true,
    })
    assert.deepEqual(kinds(received.carol), ['subscription/add'])
    const [subscription] = received.carol[0]?.['subscriptions'] ?? []
    assert.equal(subscription.stream_id, at.channels.design)
    assert.deepEqual(subscription.subscribers, [alice.id, bob.id, carol.id])
    assert.equal(subscription.subscriber_count, 3)
    assert.match(subscription.color, /^#[0-9a-f]{6}$/)
    assert.equal(subscription.desktop_notifications, null)
    assert.equal(subscription.in_home_view, true)
    assert.deepEqual(withoutIds(received.alice), [
      {
        type: 'subscription',
        op: 'peer_add',
        stream_ids: [at.channels.design],
        user_ids: [carol.id],
      },
    ])
    assert.deepEqual(received.gus, [])
  })

  it('lists who was subscribed already, and sends no event', async () => {
    const { alice, bob } = at.people
    let answer: Awaited<ReturnType<typeof subscribe>> | undefined
    const received = await hearing({ alice, bob }, async () => {
      answer = await subscribe(bob, 'general')
    })

    assert.deepEqual(answer?.body.subscribed, {})
    assert.deepEqual(answer?.body.already_subscribed, { [bob.id]: ['general'] })
    assert.deepEqual(received, { alice: [], bob: [] })
  })

  it('creates a public channel, and sends all non-guests the channel and then its subscribers', async () => {
    const { alice, bob, gus } = at.people
    const received = await hearing({ alice, bob, gus }, () =>
      alice.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'rocket ', description: 'To the\nmoon' }],
        principals: [alice.id, gus.id],
      }),
    )

    assert.deepEqual(kinds(received.bob), ['stream/create', 'subscription/peer_add'])
    const [channel] = received.bob[0]?.['streams'] ?? []
    assert.equal(channel.name, 'rocket')
    assert.equal(channel.description, 'To the moon')
    assert.equal(channel.rendered_description, '<p>To the moon</p>')
    assert.equal(channel.creator_id, alice.id)
    assert.equal(channel.invite_only, false)
    assert.equal(channel.history_public_to_subscribers, true)
    assert.equal(channel.subscriber_count, 0)
    assert.equal(channel.stream_weekly_traffic, null)
    assert.equal(channel.date_created, at.clock.seconds)
    assert.deepEqual(channel.can_administer_channel_group, {
      direct_members: [alice.id],
      direct_subgroups: [],
    })
    const nobody = await systemGroupId(alice, 'role:nobody')
    assert.equal(channel.can_subscribe_group, nobody)
    assert.deepEqual(received.bob[1]?.['user_ids'], [alice.id, gus.id])
    assert.deepEqual(kinds(received.alice), ['stream/create', 'subscription/add'])
    // A guest has no access to a public channel before being subscribed to it.
    assert.deepEqual(kinds(received.gus), ['stream/create', 'subscription/add'])
    assert.deepEqual(received.gus[1]?.['subscriptions'][0].subscribers, [alice.id, gus.id])
  })

  it('sends events of a private channel only to subscribers, administrators and permitted groups', async () => {
    const { alice, bob, carol, adam, olga, mona, gus } = at.people
    const group = await makeGroup(alice, 'watchers', { members: [carol.id, gus.id] })
    const received = await hearing({ alice, bob, carol, adam, olga, mona, gus }, () =>
      subscribe(alice, 'bunker', {
        principals: [alice.id, bob.id],
        invite_only: true,
        can_subscribe_group: group,
      }),
    )

    assert.deepEqual(kinds(received.alice), ['stream/create', 'subscription/add'])
    assert.deepEqual(kinds(received.bob), ['stream/create', 'subscription/add'])
    for (const observer of [received.carol, received.adam, received.olga]) {
      assert.deepEqual(kinds(observer), ['stream/create', 'subscription/peer_add'])
    }
    assert.equal(received.carol[0]?.['streams'][0].history_public_to_subscribers, false)
    assert.equal(received.carol[0]?.['streams'][0].can_subscribe_group, group)
    assert.deepEqual(received.mona, [])
    assert.deepEqual(
      received.gus,
      [],
      'a guest never has a permission that cannot be assigned to guests',
    )
  })

  it('sends events of a web-public channel to all users if the organization allows such channels', async () => {
    const { olga } = at.people

    const answer = await subscribe(olga, 'fair', { is_web_public: true })

    assertRefused(answer, 'Web-public channels are not enabled.')
  })

  it('sends a private channel to its new subscribers, and the peer events to its other users', async () => {
    const { alice, bob, carol, adam, mona } = at.people
    const received = await hearing({ bob, carol, adam, mona }, () =>
      subscribe(bob, 'vault', { principals: [carol.id] }),
    )

    assert.deepEqual(kinds(received.carol), ['stream/create', 'subscription/add'])
    assert.equal(received.carol[0]?.['streams'][0].subscriber_count, 2)
    assert.deepEqual(received.carol[1]?.['subscriptions'][0].subscribers, [
      alice.id,
      bob.id,
      carol.id,
    ])
    assert.deepEqual(kinds(received.bob), ['subscription/peer_add'])
    assert.deepEqual(kinds(received.adam), ['subscription/peer_add'])
    assert.deepEqual(received.mona, [])
  })

  it('accepts several principals by id or address, and several channels, with merged peer events', async () => {
    const { adam, alice, bob, carol } = at.people
    await makeChannel(alice, 'one')
    await makeChannel(alice, 'two')
    let answer: Awaited<ReturnType<typeof subscribe>> | undefined
    const received = await hearing({ adam, bob }, async () => {
      answer = await alice.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'one' }, { name: 'two' }],
        principals: [bob.email.toUpperCase(), carol.email],
      })
    })

    assert.deepEqual(answer?.body.subscribed, {
      [bob.id]: ['one', 'two'],
      [carol.id]: ['one', 'two'],
    })
    assert.deepEqual(kinds(received.adam), ['subscription/peer_add'])
    assert.equal(received.adam[0]?.['stream_ids'].length, 2)
    assert.deepEqual(received.adam[0]?.['user_ids'], [bob.id, carol.id])
    const colors = received.bob[0]?.['subscriptions'].map(({ color }: { color: string }) => color)
    assert.equal(new Set(colors).size, 2, 'each subscription has its own color')
  })

  it('uses the given color, and restores the settings of a former subscription', async () => {
    const { carol } = at.people
    await carol.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'empty', color: '#ABC' }],
    })
    await carol.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: at.channels.empty, property: 'pin_to_top', value: true }],
    })
    await carol.delete('/users/me/subscriptions', { subscriptions: ['empty'] })

    const received = await hearing({ carol }, () => subscribe(carol, 'empty'))

    const [subscription] = received.carol[0]?.['subscriptions'] ?? []
    assert.equal(subscription.color, '#aabbcc')
    assert.equal(subscription.pin_to_top, true)
    assert.equal(subscription.is_muted, false)
  })

  it('subscribes to an archived channel, and sends the event only to supporting clients', async () => {
    const { bob, carol } = at.people
    const aware = await carol.listen({
      ...channelEvents,
      client_capabilities: { notification_settings_null: true, archived_channels: true },
    })
    const received = await hearing({ carol }, () => subscribe(carol, 'attic'))

    assert.deepEqual(received.carol, [])
    assert.deepEqual(kinds(await aware.drain()), ['subscription/add'])
    assert.equal((await subscribe(bob, 'attic')).status, 200)
  })

  it('creates a channel once for many concurrent requests', async () => {
    const { olga, adam, mona, alice, bob, carol } = at.people
    const people = [olga, adam, mona, alice, bob, carol]

    const answers = await Promise.all(
      people.map((person, index) => {
        const names = [{ name: 'rush' }, { name: 'hour' }]
        return person.post('/users/me/subscriptions', {
          subscriptions: index % 2 === 0 ? names : names.reverse(),
        })
      }),
    )

    for (const [index, { body }] of answers.entries()) {
      assert.deepEqual(body.subscribed[people[index]?.id ?? 0]?.toSorted(), ['hour', 'rush'])
    }
    const { stream_id } = (await alice.get('/get_stream_id', { stream: 'rush' })).body
    const { subscribers } = (await alice.get(`/streams/${stream_id}/members`)).body
    assert.deepEqual(
      subscribers,
      people.map(({ id }) => id).toSorted((a, b) => a - b),
    )
  })

  it('sends the messages of the channel from then on', async () => {
    const { alice, carol, mona } = at.people
    const id = await makeChannel(alice, 'chatter', { subscribers: [alice.id] })
    await alice.say(id, 'before', 'one')
    await subscribe(alice, 'chatter', { principals: [carol.id] })
    const [carolFeed, monaFeed] = [await carol.listen(), await mona.listen()]

    const sent = await alice.say(id, 'after', 'two')

    assert.deepEqual(
      (await carolFeed.drain()).map((event) => event['message'].id),
      [sent],
    )
    assert.deepEqual(await monaFeed.drain(), [])
  })

  it('creates default channels for administrators, and sends the event to all users but guests', async () => {
    const { adam, bob, gus } = at.people
    const received = await hearing({ bob, gus }, () =>
      subscribe(adam, 'welcome', { is_default_stream: true }),
    )

    assert.deepEqual(kinds(received.bob), [
      'stream/create',
      'subscription/peer_add',
      'default_streams',
    ])
    const [created] = received.bob[0]?.['streams'] ?? []
    assert.deepEqual(received.bob[2]?.['default_streams'], [at.channels.general, created.stream_id])
    assert.deepEqual(received.gus, [])
  })

  it('posts no message if send_new_subscription_messages is false', async () => {
    const answer = await subscribe(at.people.mona, 'empty', {
      send_new_subscription_messages: false,
    })

    assert.equal('new_subscription_messages_sent' in answer.body, false)
  })
})
