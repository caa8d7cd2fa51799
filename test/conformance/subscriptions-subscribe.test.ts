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
  it('subscribes to an existing channel and tells the subscriber and the peers', async () => {
    const { alice, bob, carol, gus } = at.people
    let answer: Awaited<ReturnType<typeof subscribe>> | undefined
    const heard = await hearing({ alice, carol, gus }, async () => {
      answer = await subscribe(carol, ' Design ')
    })

    assert.deepEqual(answer?.body, {
      result: 'success',
      msg: '',
      subscribed: { [carol.id]: ['design'] },
      already_subscribed: {},
      new_subscription_messages_sent: true,
    })
    assert.deepEqual(kinds(heard.carol), ['subscription/add'])
    const [subscription] = heard.carol[0]?.['subscriptions'] ?? []
    assert.equal(subscription.stream_id, at.channels.design)
    assert.deepEqual(subscription.subscribers, [alice.id, bob.id, carol.id])
    assert.equal(subscription.subscriber_count, 3)
    assert.match(subscription.color, /^#[0-9a-f]{6}$/)
    assert.equal(subscription.desktop_notifications, null)
    assert.equal(subscription.in_home_view, true)
    assert.deepEqual(withoutIds(heard.alice), [
      {
        type: 'subscription',
        op: 'peer_add',
        stream_ids: [at.channels.design],
        user_ids: [carol.id],
      },
    ])
    assert.deepEqual(heard.gus, [])
  })

  it('says who was subscribed already, and tells nobody', async () => {
    const { alice, bob } = at.people
    let answer: Awaited<ReturnType<typeof subscribe>> | undefined
    const heard = await hearing({ alice, bob }, async () => {
      answer = await subscribe(bob, 'general')
    })

    assert.deepEqual(answer?.body.subscribed, {})
    assert.deepEqual(answer?.body.already_subscribed, { [bob.id]: ['general'] })
    assert.deepEqual(heard, { alice: [], bob: [] })
  })

  it('makes a public channel, tells all non-guests of it and then of its subscribers', async () => {
    const { alice, bob, gus } = at.people
    const heard = await hearing({ alice, bob, gus }, () =>
      alice.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'rocket ', description: 'To the\nmoon' }],
        principals: [alice.id, gus.id],
      }),
    )

    assert.deepEqual(kinds(heard.bob), ['stream/create', 'subscription/peer_add'])
    const [channel] = heard.bob[0]?.['streams'] ?? []
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
    assert.deepEqual(heard.bob[1]?.['user_ids'], [alice.id, gus.id])
    assert.deepEqual(kinds(heard.alice), ['stream/create', 'subscription/add'])
    // A guest knows no public channel before being subscribed to it.
    assert.deepEqual(kinds(heard.gus), ['stream/create', 'subscription/add'])
    assert.deepEqual(heard.gus[1]?.['subscriptions'][0].subscribers, [alice.id, gus.id])
  })

  it('tells of a private channel only its subscribers, administrators and permitted groups', async () => {
    const { alice, bob, carol, adam, olga, mona, gus } = at.people
    const group = await makeGroup(alice, 'watchers', { members: [carol.id, gus.id] })
    const heard = await hearing({ alice, bob, carol, adam, olga, mona, gus }, () =>
      subscribe(alice, 'bunker', {
        principals: [alice.id, bob.id],
        invite_only: true,
        can_subscribe_group: group,
      }),
    )

    assert.deepEqual(kinds(heard.alice), ['stream/create', 'subscription/add'])
    assert.deepEqual(kinds(heard.bob), ['stream/create', 'subscription/add'])
    for (const observer of [heard.carol, heard.adam, heard.olga]) {
      assert.deepEqual(kinds(observer), ['stream/create', 'subscription/peer_add'])
    }
    assert.equal(heard.carol[0]?.['streams'][0].history_public_to_subscribers, false)
    assert.equal(heard.carol[0]?.['streams'][0].can_subscribe_group, group)
    assert.deepEqual(heard.mona, [])
    assert.deepEqual(heard.gus, [], 'a guest never has a permission that guests cannot be given')
  })

  it('tells all of a web-public channel where the organization has those', async () => {
    const { olga } = at.people

    const answer = await subscribe(olga, 'fair', { is_web_public: true })

    assertRefused(answer, 'Web-public channels are not enabled.')
  })

  it('tells the newly subscribed of a private channel and its observers of them', async () => {
    const { alice, bob, carol, adam, mona } = at.people
    const heard = await hearing({ bob, carol, adam, mona }, () =>
      subscribe(bob, 'vault', { principals: [carol.id] }),
    )

    assert.deepEqual(kinds(heard.carol), ['stream/create', 'subscription/add'])
    assert.equal(heard.carol[0]?.['streams'][0].subscriber_count, 2)
    assert.deepEqual(heard.carol[1]?.['subscriptions'][0].subscribers, [alice.id, bob.id, carol.id])
    assert.deepEqual(kinds(heard.bob), ['subscription/peer_add'])
    assert.deepEqual(kinds(heard.adam), ['subscription/peer_add'])
    assert.deepEqual(heard.mona, [])
  })

  it('takes principals by id or address and several channels at once, merging what peers hear', async () => {
    const { adam, alice, bob, carol } = at.people
    await makeChannel(alice, 'one')
    await makeChannel(alice, 'two')
    let answer: Awaited<ReturnType<typeof subscribe>> | undefined
    const heard = await hearing({ adam, bob }, async () => {
      answer = await alice.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'one' }, { name: 'two' }],
        principals: [bob.email.toUpperCase(), carol.email],
      })
    })

    assert.deepEqual(answer?.body.subscribed, {
      [bob.id]: ['one', 'two'],
      [carol.id]: ['one', 'two'],
    })
    assert.deepEqual(kinds(heard.adam), ['subscription/peer_add'])
    assert.equal(heard.adam[0]?.['stream_ids'].length, 2)
    assert.deepEqual(heard.adam[0]?.['user_ids'], [bob.id, carol.id])
    const colors = heard.bob[0]?.['subscriptions'].map(({ color }: { color: string }) => color)
    assert.equal(new Set(colors).size, 2, 'each subscription has a colour of its own')
  })

  it('gives the asked colour, and brings old settings back to who returns', async () => {
    const { carol } = at.people
    await carol.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'empty', color: '#ABC' }],
    })
    await carol.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: at.channels.empty, property: 'pin_to_top', value: true }],
    })
    await carol.delete('/users/me/subscriptions', { subscriptions: ['empty'] })

    const heard = await hearing({ carol }, () => subscribe(carol, 'empty'))

    const [subscription] = heard.carol[0]?.['subscriptions'] ?? []
    assert.equal(subscription.color, '#aabbcc')
    assert.equal(subscription.pin_to_top, true)
    assert.equal(subscription.is_muted, false)
  })

  it('subscribes to an archived channel, which only some clients hear of', async () => {
    const { bob, carol } = at.people
    const aware = await carol.listen({
      ...channelEvents,
      client_capabilities: { notification_settings_null: true, archived_channels: true },
    })
    const heard = await hearing({ carol }, () => subscribe(carol, 'attic'))

    assert.deepEqual(heard.carol, [])
    assert.deepEqual(kinds(await aware.drain()), ['subscription/add'])
    assert.equal((await subscribe(bob, 'attic')).status, 200)
  })

  it('makes a channel once that many want at the same moment', async () => {
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

  it('receives the messages of the channel from then on', async () => {
    const { alice, carol, mona } = at.people
    const id = await makeChannel(alice, 'chatter', { subscribers: [alice.id] })
    await alice.say(id, 'before', 'one')
    await subscribe(alice, 'chatter', { principals: [carol.id] })
    const [carolHears, monaHears] = [await carol.listen(), await mona.listen()]

    const sent = await alice.say(id, 'after', 'two')

    assert.deepEqual(
      (await carolHears.drain()).map((event) => event['message'].id),
      [sent],
    )
    assert.deepEqual(await monaHears.drain(), [])
  })

  it('makes default channels for administrators and says so to all but guests', async () => {
    const { adam, bob, gus } = at.people
    const heard = await hearing({ bob, gus }, () =>
      subscribe(adam, 'welcome', { is_default_stream: true }),
    )

    assert.deepEqual(kinds(heard.bob), [
      'stream/create',
      'subscription/peer_add',
      'default_streams',
    ])
    const [created] = heard.bob[0]?.['streams'] ?? []
    assert.deepEqual(heard.bob[2]?.['default_streams'], [at.channels.general, created.stream_id])
    assert.deepEqual(heard.gus, [])
  })

  it('says nothing about messages if none are wanted', async () => {
    const answer = await subscribe(at.people.mona, 'empty', {
      send_new_subscription_messages: false,
    })

    assert.equal('new_subscription_messages_sent' in answer.body, false)
  })
})
