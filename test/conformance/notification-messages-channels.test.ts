import assert from 'node:assert/strict'
import { it } from 'node:test'

import { kinds, makeChannel } from '../support/channels.js'
import { everyHost } from '../support/host.js'
import { bots, isOfBot, notificationMessagesOf, silent } from '../support/notification-messages.js'

const quote = (text: string): string => `\`\`\`\` quote\n${text}\n\`\`\`\``

everyHost('subscribe', (at) => {
  const join = (names: readonly string[], params: Record<string, unknown>) => () =>
    at.people.alice.post('/users/me/subscriptions', {
      subscriptions: names.map((name) => ({ name })),
      ...params,
    })

  it('sends a direct message to each human user whom another user has subscribed', async () => {
    const { alice, bob, carol, mona, bot } = at.people
    await makeChannel(alice, 'joined')

    const received = await notificationMessagesOf(
      { alice, bob, carol, mona, bot },
      join(['joined'], { principals: [alice.id, bob.id, carol.id, bot.id] }),
    )

    const content = `${silent(alice)} subscribed you to #**joined**.`
    const notice = { place: 'direct', content, flags: [] }
    assert.deepEqual(received, { alice: [], bob: [notice], carol: [notice], mona: [], bot: [] })
  })

  it('lists several channels in one message, without new channels and existing subscriptions', async () => {
    const { alice, bob, carol } = at.people
    for (const name of ['b list', 'a list', 'known list']) await makeChannel(alice, name)
    await join(['known list'], { principals: [bob.id] })()

    const received = await notificationMessagesOf(
      { bob, carol },
      join(['b list', 'a list', 'known list', 'brand new'], { principals: [bob.id, carol.id] }),
    )

    const listed = (names: readonly string[]) => ({
      place: 'direct',
      content: `${silent(alice)} subscribed you to the following channels:\n\n${names
        .map((name) => `* #**${name}**`)
        .join('\n')}`,
      flags: [],
    })
    const direct = (name: 'bob' | 'carol') =>
      received[name].filter(({ place }) => place === 'direct')
    assert.deepEqual(direct('bob'), [listed(['a list', 'b list'])])
    assert.deepEqual(direct('carol'), [listed(['a list', 'b list', 'known list'])])
  })

  it('sends no message if send_new_subscription_messages is false', async () => {
    const { alice, bob } = at.people
    await makeChannel(alice, 'untold')

    const received = await notificationMessagesOf(
      { bob },
      join(['untold'], { principals: [bob.id], send_new_subscription_messages: false }),
    )

    assert.deepEqual(received.bob, [])
  })

  it('links a private channel in the message', async () => {
    const { alice, carol } = at.people
    const feed = await carol.listen({ event_types: ['message'], apply_markdown: true })

    await join(['secret'], { principals: [carol.id] })()

    const [event] = await feed.drain()
    assert.match(event?.['message'].content, /class="stream" data-stream-id="\d+"/)
    assert.deepEqual(
      [event?.['message'].sender_id, event?.['message'].sender_email],
      [bots.notification, 'notification-bot@zulip.com'],
    )
    assert.equal(event?.['message'].sender_full_name, 'Notification Bot')
    assert.deepEqual(
      event?.['message'].display_recipient
        .map((person: { id: number }) => person.id)
        .sort((a: number, b: number) => a - b),
      [carol.id, bots.notification],
    )
    await carol.delete('/users/me/subscriptions', { subscriptions: ['secret'] })
    const { body } = await alice.get('/messages', {
      narrow: [{ operator: 'sender', operand: bots.notification }],
      anchor: 'newest',
      num_before: 100,
      num_after: 0,
    })
    assert.ok(
      body.messages.every(({ display_recipient: list }) =>
        Array.isArray(list) ? list.some(({ id }) => id === alice.id) : true,
      ),
    )
  })

  it('posts a message in a new channel after the events about the channel', async () => {
    const { alice, bob, carol } = at.people
    const feed = await bob.listen()

    const received = await notificationMessagesOf({ alice, bob, carol }, () =>
      alice.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'fresh', description: 'For **new** ````things````' }],
        principals: [alice.id, bob.id],
      }),
    )

    const notice = {
      place: 'fresh > channel events',
      content: `**Public** channel created by ${silent(alice)}. **Description:**\n\`\`\`\`\` quote\nFor **new** \`\`\`\`things\`\`\`\`\n\`\`\`\`\``,
      flags: [],
    }
    assert.deepEqual(received, {
      alice: [{ ...notice, flags: ['read'] }],
      bob: [notice],
      carol: [],
    })
    assert.deepEqual(
      kinds(await feed.drain()).filter((kind) => kind !== 'message'),
      ['stream/create', 'subscription/add'],
    )
  })

  it('names the privacy of each channel and a missing description', async () => {
    const { alice } = at.people
    const made = async (name: string, params: Record<string, unknown>): Promise<string[]> => {
      const received = await notificationMessagesOf({ alice }, join([name], params))
      return received.alice.map(({ content }) => content)
    }
    const text = (kind: string) =>
      `**${kind}** channel created by ${silent(alice)}. **Description:**\n${quote('*No description.*')}`

    assert.deepEqual(await made('kind a', {}), [text('Public')])
    assert.deepEqual(await made('kind b', { invite_only: true }), [
      text('Private, protected history'),
    ])
    assert.deepEqual(
      await made('kind c', { invite_only: true, history_public_to_subscribers: true }),
      [text('Private, shared history')],
    )
  })

  it('uses the empty topic in channels that allow no other', async () => {
    const { alice } = at.people

    const received = await notificationMessagesOf({ alice }, () =>
      at.people.adam.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'one topic' }],
        principals: [alice.id],
        topics_policy: 'empty_topic_only',
      }),
    )

    assert.deepEqual(
      received.alice.map(({ place }) => place),
      ['one topic > '],
    )
  })

  it('sends no announcement without an announcement channel', async () => {
    const { alice, carol } = at.people

    const received = await notificationMessagesOf(
      { alice, carol },
      join(['unannounced'], { announce: true }),
    )

    assert.deepEqual(received.carol, [])
    assert.equal(received.alice.length, 1)
  })
})

everyHost('subscribe', (at) => {
  it('announces new channels in the announcement channel, as read for their creator', async () => {
    const { adam, alice, bob, gus } = at.people
    await adam.patch('/realm', { new_stream_announcements_stream_id: at.channels.general })
    const make = (names: readonly string[]) => () =>
      alice.post('/users/me/subscriptions', {
        subscriptions: names.map((name) => ({ name })),
        announce: true,
      })

    const one = await notificationMessagesOf({ alice, bob, gus }, make(['first']))
    const two = await notificationMessagesOf({ bob }, make(['second', 'third']))
    const none = await notificationMessagesOf({ bob }, make(['third']))

    const content = `${silent(alice)} created a new channel #**first**.`
    const notice = { place: 'general > new channels', content, flags: [] }
    assert.deepEqual(one.bob, [notice])
    assert.deepEqual(one.gus, [notice])
    assert.deepEqual(one.alice[0], { ...notice, flags: ['read'] })
    assert.deepEqual(
      two.bob.map((received) => received.content),
      [`${silent(alice)} created the following channels: #**second**, #**third**.`],
    )
    assert.deepEqual(none.bob, [])
  })
})

everyHost('create-channel', (at) => {
  it('posts a message in the new channel and sends its first subscribers no direct messages', async () => {
    const { alice, bob, carol } = at.people

    const received = await notificationMessagesOf({ alice, bob, carol }, () =>
      makeChannel(alice, 'made', { subscribers: [alice.id, bob.id], description: 'Plans' }),
    )

    const content = `**Public** channel created by ${silent(alice)}. **Description:**\n${quote('Plans')}`
    const notice = { place: 'made > channel events', content, flags: [] }
    assert.deepEqual(received, {
      alice: [{ ...notice, flags: ['read'] }],
      bob: [notice],
      carol: [],
    })
  })

  it('adds the message to the history of a channel without subscribers', async () => {
    const { alice, bob } = at.people
    const id = await makeChannel(alice, 'lonely')

    const { body } = await bob.get('/messages', {
      narrow: [{ operator: 'channel', operand: id }],
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      apply_markdown: false,
    })

    assert.deepEqual(
      body.messages.map((message: Record<string, unknown>) => [
        message['subject'],
        message['sender_id'],
        message['sender_full_name'],
        message['client'],
        message['flags'],
      ]),
      [
        [
          'channel events',
          bots.notification,
          'Notification Bot',
          'Internal',
          ['read', 'historical'],
        ],
      ],
    )
    const channel = await bob.get(`/streams/${id}`)
    assert.equal(channel.body.stream.first_message_id, body.messages[0]!.id)
  })
})

everyHost('update-stream', (at) => {
  const made = async (name: string, params: Record<string, unknown> = {}): Promise<number> => {
    const { alice, bob } = at.people
    return makeChannel(alice, name, { subscribers: [alice.id, bob.id], ...params })
  }
  const changed = async (id: number, params: Record<string, unknown>) => {
    const { alice, bob, carol } = at.people
    const received = await notificationMessagesOf({ alice, bob, carol }, () =>
      alice.patch(`/streams/${id}`, params),
    )
    assert.deepEqual(received.carol, [])
    assert.deepEqual(
      received.alice,
      received.bob.map((notice) => ({ ...notice, flags: ['read'] })),
    )
    return received.bob.map(({ place, content }) => `${place}: ${content}`)
  }

  it('posts a message about a new name', async () => {
    const { alice } = at.people
    const id = await made('old name')

    assert.deepEqual(await changed(id, { new_name: 'new name' }), [
      `new name > channel events: ${silent(alice)} renamed channel **old name** to **new name**.`,
    ])
  })

  it('posts a message about a new description', async () => {
    const { alice } = at.people
    const id = await made('described')
    const text = (before: string, after: string) =>
      `described > channel events: ${silent(alice)} changed the description for this channel.\n\n* **Old description:**\n${quote(before)}\n* **New description:**\n${quote(after)}`

    assert.deepEqual(await changed(id, { description: 'What for' }), [
      text('*No description.*', 'What for'),
    ])
    assert.deepEqual(await changed(id, { description: 'What for' }), [])
  })

  it('posts a message about new privacy', async () => {
    const { alice } = at.people
    const id = await made('hidden soon')

    assert.deepEqual(await changed(id, { is_private: true }), [
      `hidden soon > channel events: ${silent(alice)} changed the [access permissions](/help/channel-permissions) for this channel from **Public** to **Private, protected history**.`,
    ])
  })

  it('posts a message about new posting permissions', async () => {
    const { alice, bob } = at.people
    const id = await made('quiet')
    const { body } = await alice.get('/user_groups')
    const groupId = (name: string): number =>
      body.user_groups.find((group) => group.name === name)!.id
    const text = (before: string, after: string) =>
      `quiet > channel events: ${silent(alice)} changed the [posting permissions](/help/channel-posting-policy) for this channel:\n\n* **Old**: ${before}\n* **New**: ${after}`

    assert.deepEqual(
      await changed(id, { can_send_message_group: { new: groupId('role:moderators') } }),
      [text('@_*role:everyone*', '@_*role:moderators*')],
    )
    const value = { direct_members: [bob.id], direct_subgroups: [groupId('role:owners')] }
    assert.deepEqual(await changed(id, { can_send_message_group: { new: value } }), [
      text('@_*role:moderators*', `@_*role:owners*, ${silent(bob)}`),
    ])
  })

  it('posts the messages after the event of the change, one per changed property', async () => {
    const { alice, bob } = at.people
    const id = await made('many')
    const feed = await bob.listen()

    await alice.patch(`/streams/${id}`, { new_name: 'many changes', description: 'New' })

    const events = await feed.drain()
    assert.deepEqual(kinds(events), [
      'stream/update:description',
      'stream/update:name',
      'message',
      'message',
    ])
    assert.ok(events.slice(2).every(isOfBot))
  })

  it('posts no message about changes that do not concern readers', async () => {
    const id = await made('silent')

    assert.deepEqual(await changed(id, { is_private: false, is_default_stream: false }), [])
  })

  it('posts a message when the channel is unarchived', async () => {
    const { adam, alice, bob } = at.people
    const id = await made('phoenix')
    await adam.delete(`/streams/${id}`)

    const received = await notificationMessagesOf({ alice, bob }, () =>
      alice.patch(`/streams/${id}`, { is_archived: false }),
    )

    const content = 'Channel #**phoenix** has been unarchived.'
    const notice = { place: 'phoenix > channel events', content, flags: [] }
    assert.deepEqual(received, { alice: [{ ...notice, flags: ['read'] }], bob: [notice] })
  })
})

everyHost('archive-stream', (at) => {
  it('posts a message to the subscribers in the archived channel', async () => {
    const { adam, alice, bob, carol } = at.people
    const id = await makeChannel(alice, 'doomed', { subscribers: [bob.id] })

    const received = await notificationMessagesOf({ adam, bob, carol }, () =>
      adam.delete(`/streams/${id}`),
    )

    const content = 'Channel #**doomed** has been archived.'
    const notice = { place: 'doomed > channel events', content, flags: [] }
    assert.deepEqual(received, { adam: [], bob: [notice], carol: [] })
  })
})
