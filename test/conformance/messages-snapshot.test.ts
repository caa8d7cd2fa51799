import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client, Parameters } from '../support/client.js'
import { everyHost } from '../support/host.js'

const snapshotOf = async (client: Client, types: readonly string[], more: Parameters = {}) =>
  (await client.post('/register', { fetch_event_types: types, ...more })).body

everyHost('register-queue', (at) => {
  it('returns the id of the last message that the user has received', async () => {
    const { alice, carol, mona } = at.people

    assert.equal((await snapshotOf(mona, ['message'])).max_message_id, -1)
    const id = await alice.say(at.channels.general, 'lunch', 'Soup')
    await alice.say(at.channels.design, 'logo', 'Round')
    assert.equal((await snapshotOf(carol, ['message'])).max_message_id, id)
  })

  it('groups unread messages by conversation', async () => {
    const { alice, bob, carol, mona } = at.people
    const { design, general } = at.channels
    const logo = await alice.say(design, 'Logo', 'One')
    const logoAgain = await alice.say(design, 'logo', 'Two')
    const inEmptyTopic = await alice.say(design, '', `@**Bob Test** Three`)
    const lunch = await alice.say(general, 'Lunch', '@**all** Four')
    const group = await alice.whisper([bob, carol], 'Five')
    const pair = await alice.whisper([bob], 'Six')
    const own = await bob.whisper([mona], 'Seven')
    const self = await bob.whisper([bob], 'Eight')
    const read = await alice.say(design, 'logo', 'Nine')
    await bob.post('/messages/flags', { messages: [read], op: 'add', flag: 'read' })

    const types = ['message', 'update_message_flags']
    const { unread_msgs } = await snapshotOf(bob, types)

    const before = await snapshotOf(bob, types, {
      client_capabilities: { notification_settings_null: true, empty_topic_name: true },
    })
    const withoutEarlier = {
      ...unread_msgs,
      streams: unread_msgs.streams.map((topic) => ({
        ...topic,
        unread_message_ids: topic.unread_message_ids.filter((id) => id >= logo),
      })),
    }
    assert.deepEqual(withoutEarlier, {
      count: unread_msgs.count,
      pms: [
        { other_user_id: mona.id, sender_id: mona.id, unread_message_ids: [own] },
        { other_user_id: alice.id, sender_id: alice.id, unread_message_ids: [pair] },
        { other_user_id: bob.id, sender_id: bob.id, unread_message_ids: [self] },
      ],
      streams: [
        { stream_id: general, topic: 'Lunch', unread_message_ids: [lunch] },
        { stream_id: design, topic: 'general chat', unread_message_ids: [inEmptyTopic] },
        { stream_id: design, topic: 'logo', unread_message_ids: [logo, logoAgain] },
      ],
      huddles: [
        {
          user_ids_string: [alice.id, bob.id, carol.id].join(','),
          unread_message_ids: [group],
        },
      ],
      mentions: [inEmptyTopic, lunch],
      old_unreads_missing: false,
    })
    assert.equal(before.unread_msgs.streams[1]!.topic, '')
  })

  it('includes muted messages in the unread messages, but not in their count', async () => {
    const { alice, bob } = at.people
    await bob.post('/mark_all_as_read')
    await bob.post('/user_topics', {
      stream_id: at.channels.design,
      topic: 'noise',
      visibility_policy: 1,
    })
    const noise = await alice.say(at.channels.design, 'noise', '@**all** One')
    const personal = await alice.say(at.channels.design, 'noise', '@**Bob Test** Two')

    const { unread_msgs } = await snapshotOf(bob, ['message', 'update_message_flags'])

    assert.equal(unread_msgs.count, 0)
    assert.deepEqual(unread_msgs.streams, [
      { stream_id: at.channels.design, topic: 'noise', unread_message_ids: [noise, personal] },
    ])
    assert.deepEqual(unread_msgs.mentions, [personal])
  })

  it('includes no messages of channels that the user has left', async () => {
    const { alice, bob } = at.people
    await bob.post('/mark_all_as_read')
    await alice.say(at.channels.design, 'logo', 'One')
    await bob.delete('/users/me/subscriptions', { subscriptions: ['design'] })

    const { unread_msgs } = await snapshotOf(bob, ['message', 'update_message_flags'])

    assert.deepEqual(unread_msgs.streams, [])
    assert.equal(unread_msgs.count, 0)
  })

  it('returns unread messages only to clients that fetch both messages and flags', async () => {
    const { bob } = at.people

    assert.equal('unread_msgs' in (await snapshotOf(bob, ['message'])), false)
    assert.equal('unread_msgs' in (await snapshotOf(bob, ['update_message_flags'])), false)
    assert.deepEqual(
      Object.keys((await snapshotOf(bob, ['starred_messages'])) as object).filter((key) =>
        ['unread_msgs', 'max_message_id', 'starred_messages'].includes(key),
      ),
      ['starred_messages'],
    )
  })

  it('lists starred messages in order', async () => {
    const { alice, bob } = at.people
    const ids = [
      await alice.say(at.channels.general, 'stars', 'One'),
      await alice.say(at.channels.general, 'stars', 'Two'),
    ]
    assert.deepEqual((await snapshotOf(bob, ['starred_messages'])).starred_messages, [])
    for (const id of [...ids].reverse()) {
      await bob.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
    }

    assert.deepEqual((await snapshotOf(bob, ['starred_messages'])).starred_messages, ids)
  })

  it('lists conversations of direct messages, the latest first', async () => {
    const { adam, alice, mona } = at.people
    await adam.whisper([alice], 'One')
    const pair = await alice.whisper([adam], 'Two')
    const group = await mona.whisper([adam, alice], 'Three')
    const self = await adam.whisper([adam], 'Four')

    const types = ['recent_private_conversations']
    const { recent_private_conversations } = await snapshotOf(adam, types)

    assert.deepEqual(recent_private_conversations, [
      { max_message_id: self, user_ids: [] },
      { max_message_id: group, user_ids: [mona.id, alice.id] },
      { max_message_id: pair, user_ids: [alice.id] },
    ])
  })
})
