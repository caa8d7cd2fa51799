import assert from 'node:assert/strict'
import { it } from 'node:test'

import { archiveAware, hearing, kinds, makeChannel } from '../support/channels.js'
import type { Answer, Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'

const unsubscribe = (client: Client, name: string, principals?: unknown) =>
  client.delete('/users/me/subscriptions', { subscriptions: [name], principals })

everyHost('unsubscribe', (at) => {
  it('unsubscribes the caller and sends events to the caller and the peers', async () => {
    const { alice, bob, gus } = at.people
    const id = await makeChannel(alice, 'leaving', { subscribers: [alice.id, bob.id] })
    let answer: Answer | undefined
    const received = await hearing({ alice, bob, gus }, async () => {
      answer = await unsubscribe(bob, ' LEAVING')
    })

    assert.deepEqual(answer?.body, {
      result: 'success',
      msg: '',
      removed: ['leaving'],
      not_removed: [],
    })
    assert.deepEqual(withoutIds(received.bob), [
      { type: 'subscription', op: 'remove', subscriptions: [{ stream_id: id, name: 'leaving' }] },
    ])
    assert.deepEqual(withoutIds(received.alice), [
      { type: 'subscription', op: 'peer_remove', stream_ids: [id], user_ids: [bob.id] },
    ])
    assert.deepEqual(received.gus, [])
  })

  it('lists who was not subscribed, and sends no event', async () => {
    const { carol, alice } = at.people
    let answer: Answer | undefined
    const received = await hearing({ alice, carol }, async () => {
      answer = await unsubscribe(carol, 'design')
    })

    assert.deepEqual(answer?.body.removed, [])
    assert.deepEqual(answer?.body.not_removed, ['design'])
    assert.deepEqual(received, { alice: [], carol: [] })
  })

  it('removes a private channel from a user who unsubscribes, but not from administrators', async () => {
    const { alice, bob, adam, mona } = at.people
    const id = await makeChannel(alice, 'den', {
      invite_only: true,
      subscribers: [alice.id, bob.id, adam.id],
    })
    const received = await hearing({ alice, bob, adam, mona }, () =>
      unsubscribe(adam, 'den', [bob.id, adam.id]),
    )

    assert.deepEqual(kinds(received.bob), ['subscription/remove', 'stream/delete'])
    assert.deepEqual(received.bob[1]?.['stream_ids'], [id])
    assert.deepEqual(received.bob[1]?.['streams'], [{ stream_id: id }])
    assert.deepEqual(kinds(received.adam), ['subscription/remove'])
    assert.deepEqual(received.alice[0]?.['user_ids'], [adam.id, bob.id])
    assert.deepEqual(received.mona, [])
  })

  it('removes a public channel from a guest, but not a web-public channel', async () => {
    const { alice, gus } = at.people
    await makeChannel(alice, 'guested', { subscribers: [alice.id, gus.id] })
    await alice.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'window' }],
      principals: [gus.id],
    })
    const received = await hearing({ gus }, async () => {
      await unsubscribe(gus, 'guested')
      await unsubscribe(gus, 'window')
    })

    assert.deepEqual(kinds(received.gus), [
      'subscription/remove',
      'stream/delete',
      'subscription/remove',
    ])
  })

  it('marks the unread messages there as read, only for the users who unsubscribe', async () => {
    const { alice, bob, carol } = at.people
    const id = await makeChannel(alice, 'unread', { subscribers: [alice.id, bob.id, carol.id] })
    const other = await makeChannel(alice, 'unread too', { subscribers: [alice.id, bob.id] })
    const made = (await alice.get(`/streams/${id}`)).body.stream.first_message_id
    const messages = [
      made,
      await alice.say(id, 'topic', 'one'),
      await alice.say(id, 'topic', 'two'),
    ]
    await alice.say(other, 'topic', 'three')
    const received = await hearing({ alice, bob, carol }, () => unsubscribe(bob, 'unread'), {
      event_types: ['update_message_flags'],
    })

    assert.deepEqual(withoutIds(received.bob), [
      {
        type: 'update_message_flags',
        op: 'add',
        operation: 'add',
        flag: 'read',
        messages,
        all: false,
      },
    ])
    assert.deepEqual([received.alice, received.carol], [[], []])
    const flags = async (client: Client, messageId: number | undefined) =>
      (await client.get(`/messages/${messageId}`)).body.message.flags
    assert.deepEqual(await flags(bob, messages[2]), ['read'])
    assert.deepEqual(await flags(carol, messages[2]), [])
  })

  it('ends the delivery of messages', async () => {
    const { alice, bob } = at.people
    const id = await makeChannel(alice, 'fading', { subscribers: [alice.id, bob.id] })
    await alice.say(id, 'topic', 'one')
    await unsubscribe(bob, 'fading')
    const feed = await bob.listen({ event_types: ['message'] })

    await alice.say(id, 'topic', 'two')

    assert.deepEqual(await feed.drain(), [])
  })

  it('unsubscribes from archived channels, for clients that support them', async () => {
    const { alice } = at.people
    const received = await hearing({ alice }, () => unsubscribe(alice, 'attic'), archiveAware)

    assert.deepEqual(kinds(received.alice), ['subscription/remove'])
  })

  it('returns the same error for an unknown channel and an inaccessible one', async () => {
    const { bob, mona } = at.people
    for (const [client, name] of [
      [bob, 'no such'],
      [mona, 'secret'],
    ] as const) {
      assertRefused(await unsubscribe(client, name), `Channel '${name}' does not exist`, {
        code: 'STREAM_DOES_NOT_EXIST',
        stream: name,
      })
    }
  })

  it('rejects principals who do not exist or are deactivated', async () => {
    const { adam, dora } = at.people

    assertRefused(await unsubscribe(adam, 'general', [at.unknownId]), 'No such user')
    assertRefused(await unsubscribe(adam, 'general', [dora.id]), 'User is deactivated')
  })

  it('lets members, moderators and guests unsubscribe only themselves and their bots', async () => {
    const { alice, bob, mona, gus, bot, carol } = at.people

    for (const client of [bob, mona, gus, bot]) {
      assertRefused(await unsubscribe(client, 'general', [carol.id]), 'Insufficient permission')
    }
    assert.deepEqual((await unsubscribe(alice, 'general', [bot.id])).body.removed, ['general'])
    assert.deepEqual((await unsubscribe(gus, 'general', [gus.id])).body.removed, ['general'])
  })

  it('lets administrators, channel administrators and permitted groups unsubscribe others', async () => {
    const { olga, alice, bob, mona, carol } = at.people
    const alone = (id: number) => ({ direct_members: [id], direct_subgroups: [] })
    await makeChannel(alice, 'strict', {
      subscribers: [alice.id, carol.id],
      can_remove_subscribers_group: alone(bob.id),
    })
    const again = () =>
      alice.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'strict' }],
        principals: [carol.id],
      })

    for (const client of [olga, alice, bob]) {
      assert.deepEqual((await unsubscribe(client, 'strict', [carol.id])).body.removed, ['strict'])
      await again()
    }
    assertRefused(await unsubscribe(mona, 'strict', [carol.id]), 'Insufficient permission')
  })
})

everyHost('update-subscriptions', (at) => {
  it('subscribes and unsubscribes in one request', async () => {
    const { bob } = at.people

    const answer = await bob.patch('/users/me/subscriptions', {
      add: [{ name: 'empty', color: '#123456' }, { name: 'general' }],
      delete: ['design'],
    })

    assert.deepEqual(answer.body, {
      result: 'success',
      msg: '',
      subscribed: { [bob.id]: ['empty'] },
      already_subscribed: { [bob.id]: ['general'] },
      new_subscription_messages_sent: true,
      removed: ['design'],
      not_removed: [],
    })
  })

  it('applies all changes or none', async () => {
    const { carol } = at.people

    const answer = await carol.patch('/users/me/subscriptions', {
      add: [{ name: 'fresh' }],
      delete: ['no such'],
    })

    assertRefused(answer, "Channel 'no such' does not exist", {
      code: 'STREAM_DOES_NOT_EXIST',
      stream: 'no such',
    })
    assertRefused(
      await carol.get('/get_stream_id', { stream: 'fresh' }),
      "Invalid channel name 'fresh'",
    )
  })

  it('rejects an empty request, and to subscribe guests', async () => {
    const { gus, bob } = at.people

    assertRefused(
      await bob.patch('/users/me/subscriptions'),
      'Nothing to do. Specify at least one of "add" or "delete".',
    )
    assertRefused(
      await gus.patch('/users/me/subscriptions', { add: [{ name: 'design' }] }),
      'Not allowed for guest users',
    )
    assert.equal((await gus.patch('/users/me/subscriptions', { delete: ['general'] })).status, 200)
    assertRefused(
      await bob.patch('/users/me/subscriptions', { add: [{ name: 'x', color: 'x' }] }),
      'Invalid add[0]: Value error, add.color is not a valid hex color code',
    )
  })
})
