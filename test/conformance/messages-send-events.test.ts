import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client, Parameters } from '../support/client.js'
import type { FedEvent } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'

const modern = { notification_settings_null: true, empty_topic_name: true }
const messages = { event_types: ['message'] }

everyHost('send-message', (at) => {
  const subjects = (events: readonly FedEvent[]) =>
    events.map((event) => event['message'].subject as string)

  it('sends recipients the message as they would fetch it', async () => {
    const { alice, bob } = at.people
    const feed = await bob.listen(messages)
    const id = await alice.say(at.channels.design, 'logo', 'Is it **round**?')

    const [event, ...more] = await feed.drain()

    const { flags, ...message } = (await bob.get(`/messages/${id}`, { apply_markdown: false })).body
      .message
    assert.deepEqual(more, [])
    assert.deepEqual(Object.keys(event ?? {}).sort(), ['flags', 'id', 'message', 'type'])
    assert.deepEqual(event?.['message'], message)
    assert.deepEqual(event?.['flags'], flags)
  })

  it('sends each queue the message in the format that its client requested', async () => {
    const { alice, bob } = at.people
    const plain = await bob.listen(messages)
    const rich = await bob.listen({
      ...messages,
      apply_markdown: true,
      client_gravatar: false,
      client_capabilities: modern,
    })
    await alice.say(at.channels.design, '', '**Hi**')

    const [[first], [second]] = [await plain.drain(), await rich.drain()]

    const { content, content_type, subject, avatar_url } = first?.['message'] ?? {}
    assert.deepEqual(
      { content, content_type, subject, avatar_url },
      {
        content: '**Hi**',
        content_type: 'text/x-markdown',
        subject: 'general chat',
        avatar_url: `/user_avatars/default/${alice.id}.png?version=1`,
      },
    )
    assert.equal(second?.['message'].content, '<p><strong>Hi</strong></p>')
    assert.equal(second?.['message'].content_type, 'text/html')
    assert.equal(second?.['message'].subject, '')
    assert.equal(second?.['message'].avatar_url, avatar_url)
  })

  it("sends local_message_id only to the sender's queue", async () => {
    const { alice, bob } = at.people
    const [own, other, foreign] = [
      await alice.listen(messages),
      await alice.listen(messages),
      await bob.listen(messages),
    ]
    const send = (params: Parameters) =>
      alice.post('/messages', {
        type: 'channel',
        to: 'design',
        topic: 'logo',
        content: 'Hello',
        ...params,
      })
    await send({ queue_id: own.queueId, local_id: '100.01' })
    await send({ local_id: '100.02' })
    await send({ queue_id: 'unknown', local_id: '100.03' })
    await send({ queue_id: own.queueId })

    const names = (events: readonly FedEvent[]) =>
      events
        .filter((event) => event['message'].type === 'stream')
        .map((event) => event['local_message_id'] as unknown)
    assert.deepEqual(names(await own.drain()), ['100.01', undefined, undefined, undefined])
    for (const feed of [other, foreign]) {
      assert.deepEqual(names(await feed.drain()), [undefined, undefined, undefined, undefined])
    }
  })

  it('creates user messages and sends events only for the participants of a direct message', async () => {
    const { alice, bob, carol, mona } = at.people
    const feeds = await Promise.all(
      [alice, bob, carol, mona].map((client) => client.listen(messages)),
    )
    const id = await alice.whisper([bob, carol], 'Hush')

    const received = await Promise.all(feeds.map((feed) => feed.drain()))

    assert.deepEqual(
      received.map((events) => events.map((event) => event['message'].id)),
      [[id], [id], [id], []],
    )
    const [forAlice, forBob] = received.map(([event]) => event?.['message'].recipient_id)
    assert.equal(forAlice, forBob)
  })

  it('creates no user message and sends no event for a sender without a subscription', async () => {
    const { carol } = at.people
    const feed = await carol.listen(messages)
    const id = await carol.say(at.channels.design, 'logo', 'From outside')

    assert.deepEqual(await feed.drain(), [])
    const { message } = (await carol.get(`/messages/${id}`)).body
    assert.deepEqual(message.flags, ['read', 'historical'])
  })

  it('sends the messages of all public channels to queues with all_public_streams', async () => {
    const { alice, carol } = at.people
    const feed = await carol.listen({ ...messages, all_public_streams: true })
    await alice.say(at.channels.design, 'public', 'One')
    await alice.say(at.channels.window, 'web-public', 'Two')
    await alice.say(at.channels.secret, 'private', 'Three')
    await alice.whisper([at.people.bob], 'Four')
    await alice.say(at.channels.general, 'own', '@**all** Five')

    const events = await feed.drain()

    assert.deepEqual(subjects(events), ['public', 'web-public', 'own'])
    assert.deepEqual(
      events.map((event) => event['flags']),
      [[], [], ['stream_wildcard_mentioned', 'wildcard_mentioned']],
    )
  })

  it('sends only matching messages to queues with a narrow', async () => {
    const { alice, bob } = at.people
    const feed = (narrow: readonly (readonly [string, string])[]) =>
      bob.listen({ ...messages, narrow })
    const cases: readonly (readonly [readonly (readonly [string, string])[], string[]])[] = [
      [[['channel', 'DESIGN']], ['logo', '✔ done', 'general chat']],
      [[['stream', 'design']], ['logo', '✔ done', 'general chat']],
      [
        [
          ['channel', 'design'],
          ['topic', 'Logo'],
        ],
        ['logo'],
      ],
      [[['topic', 'general chat']], ['general chat']],
      [[['sender', alice.email]], ['logo', 'lunch', 'general chat', '']],
      [[['is', 'dm']], ['']],
      [[['is', 'private']], ['']],
      [[['is', 'resolved']], ['✔ done']],
      [[['is', 'mentioned']], ['lunch']],
      [[['is', 'alerted']], ['lunch']],
      [[['is', 'starred']], []],
      [[['is', 'unread']], ['logo', '✔ done', 'lunch', 'general chat', '']],
      [[['is', 'whatever']], ['logo', '✔ done', 'lunch', 'general chat', '']],
    ]
    const feeds = []
    for (const [narrow] of cases) feeds.push(await feed(narrow))

    await alice.say(at.channels.design, 'logo', 'One')
    await bob.say(at.channels.design, '✔ done', 'Two')
    await alice.say(at.channels.general, 'lunch', '@**Bob Test** Three')
    await alice.say(at.channels.design, '', 'Four')
    await alice.whisper([bob], 'Five')

    // The narrow would exclude the marker of `drain`, so the queues are polled until empty.
    const marker = await bob.listen(messages)
    await marker.drain()
    for (const [index, [narrow, expected]] of cases.entries()) {
      const events = await (feeds[index] as Awaited<ReturnType<typeof feed>>).poll({
        dont_block: true,
      })
      const found = subjects(events.filter((event) => !event['message'].content.includes('marker')))
      assert.deepEqual(found, expected, JSON.stringify(narrow))
    }
  })

  it('does not send a mirror the messages that it has posted', async () => {
    const { alice, bob } = at.people
    const feeds = []
    for (const client of ['irc_mirror', 'jabber_mirror']) {
      feeds.push(await bob.listen({ ...messages, client }))
    }
    const send = (client: string, content: string) =>
      alice.post('/messages', {
        type: 'channel',
        to: 'design',
        topic: 'bridge',
        content,
        client,
      })

    await send('IRC_Mirror', 'from there')
    await send('irc', 'from here')

    const received = await Promise.all(
      feeds.map(async (feed) =>
        (await feed.poll({ dont_block: true })).map((event) => event['message'].content),
      ),
    )
    assert.deepEqual(received, [['from here'], ['from there', 'from here']])
  })

  it('sends the messages of a muted sender as read', async () => {
    const { alice, bob, carol } = at.people
    const muted = await bob.post(`/users/me/muted_users/${carol.id}`)
    assert.equal(muted.status, 200, muted.text)
    const [bobFeed, aliceFeed] = [await bob.listen(messages), await alice.listen(messages)]
    await carol.say(at.channels.general, 'lunch', 'Hello')
    await carol.whisper([alice, bob], 'Hello')

    const flags = (events: readonly FedEvent[]) => events.map((event) => event['flags'] as unknown)

    assert.deepEqual(flags(await bobFeed.drain()), [['read'], ['read']])
    assert.deepEqual(flags(await aliceFeed.drain()), [[], []])
    await bob.delete(`/users/me/muted_users/${carol.id}`)
  })

  it('sends the message to a mentioned bot, and to no other users without a subscription', async () => {
    const { alice, bot, carol } = at.people
    const [botFeed, carolFeed] = [await bot.listen(messages), await carol.listen(messages)]
    const id = await alice.say(at.channels.design, 'logo', '@**Bot Test** and @**Carol Test**')

    const [event, ...more] = await botFeed.drain()

    assert.deepEqual(more, [])
    assert.deepEqual(event?.['flags'], ['mentioned'])
    assert.deepEqual(await carolFeed.drain(), [])
    assert.deepEqual((await bot.get(`/messages/${id}`)).body.message.flags, ['mentioned'])
  })
})

everyHost('send-message', (at) => {
  const { none, unmuted, followed } = { none: 0, unmuted: 2, followed: 3 }
  const settings = (client: Client, follow: number, unmute: number) =>
    client.patch('/settings', {
      automatically_follow_topics_policy: follow,
      automatically_unmute_topics_in_muted_streams_policy: unmute,
    })
  const send = async (client: Client, topic: string) => {
    const { body, text } = await client.post('/messages', {
      type: 'channel',
      to: 'design',
      topic,
      content: 'Hello',
    })
    assert.equal(body.result, 'success', text)
    return body.automatic_new_visibility_policy as number | undefined
  }
  const setPolicy = (client: Client, topic: string, visibility_policy: number) =>
    client.post('/user_topics', { stream_id: at.channels.design, topic, visibility_policy })
  const muteChannel = (client: Client, value: boolean) =>
    client.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: at.channels.design, property: 'is_muted', value }],
    })

  it('follows a topic for the user who starts it, if enabled, and sends that event before the message', async () => {
    const { alice, bob } = at.people
    await settings(alice, 3, 4)
    const types = { event_types: ['user_topic', 'message'] }
    const [feed, bobFeed] = [await alice.listen(types), await bob.listen(types)]

    assert.equal(await send(alice, 'mine'), followed)
    assert.equal(await send(alice, 'MINE'), undefined)

    const events = await feed.drain()
    assert.deepEqual(
      events.map(({ type }) => type),
      ['user_topic', 'message', 'message'],
    )
    assert.deepEqual(
      [events[0]?.['topic_name'], events[0]?.['visibility_policy']],
      ['mine', followed],
    )
    assert.deepEqual(
      (await bobFeed.drain()).map(({ type }) => type),
      ['message', 'message'],
    )
  })

  it("follows a topic that others have started only if the user's setting includes it", async () => {
    const { alice, bob } = at.people
    await settings(alice, 3, 4)
    await send(bob, 'theirs')

    assert.equal(await send(alice, 'theirs'), undefined)
    await settings(alice, 2, 4)
    assert.equal(await send(alice, 'theirs'), followed)
    await setPolicy(alice, 'theirs', 1)
    assert.equal(await send(alice, 'theirs'), followed)
    await setPolicy(alice, 'theirs', none)
    await settings(alice, 1, 4)
    assert.equal(await send(alice, 'theirs'), followed)
  })

  it('unmutes topics only in muted channels', async () => {
    const { alice, bob } = at.people
    await settings(alice, 4, 2)
    await send(bob, 'unmuting')

    assert.equal(await send(alice, 'unmuting'), undefined)
    await muteChannel(alice, true)
    assert.equal(await send(alice, 'unmuting'), unmuted)
    assert.equal(await send(alice, 'unmuting'), undefined)
    await settings(alice, 4, 3)
    assert.equal(await send(alice, 'unmuted at the start'), unmuted)
    assert.equal(await send(alice, 'unmuting'), undefined)
    await setPolicy(alice, 'unmuting', none)
    assert.equal(await send(alice, 'unmuting'), undefined)
    await settings(alice, 4, 4)
    assert.equal(await send(alice, 'left alone'), undefined)
    await muteChannel(alice, false)
  })

  it('follows a topic for users who are mentioned, if enabled', async () => {
    const { alice, bob, carol, bot } = at.people
    await settings(alice, 4, 4)
    await setPolicy(bob, 'calls', unmuted)
    const types = { event_types: ['user_topic', 'message'] }
    const feeds = await Promise.all([bob, carol, bot].map((client) => client.listen(types)))
    const content = '@**Bob Test** @**Carol Test** @**Bot Test** @_**Alice Test**'
    await alice.say(at.channels.design, 'calls', content)
    await alice.say(at.channels.design, 'calls', content)

    const [bobEvents, carolEvents, botEvents] = await Promise.all(feeds.map((feed) => feed.drain()))

    assert.deepEqual(
      bobEvents?.map(({ type }) => type),
      ['user_topic', 'message', 'message'],
    )
    assert.equal(bobEvents?.[0]?.['visibility_policy'], followed)
    assert.deepEqual(carolEvents, [])
    assert.deepEqual(
      botEvents?.map(({ type }) => type),
      ['message', 'message'],
    )
    for (const [topic, policy, setting] of [
      ['muted', 1, true],
      ['unwanted', none, false],
    ] as const) {
      await setPolicy(bob, topic, policy)
      await bob.patch('/settings', { automatically_follow_topics_where_mentioned: setting })
      const feed = await bob.listen(types)
      await alice.say(at.channels.design, topic, '@**Bob Test**')
      assert.deepEqual(
        (await feed.drain()).map(({ type }) => type),
        ['message'],
      )
    }
  })

  it('does not change the visibility policies of bots', async () => {
    assert.equal(await send(at.people.bot, 'of a bot'), undefined)
  })
})
