import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { ChatError, type ChatEvents } from '@parley/core'

import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { everyDatabase, TestHost } from '../support/host.js'
import { until } from '../support/waiting.js'

const messages = { event_types: ['message'] }

everyDatabase("the application's hooks", 'koa', (at) => {
  it('are called after a message is committed, until they are removed', async () => {
    const { alice, bob } = at.people
    const received: ChatEvents['message'][] = []
    const end = at.host.chat.on('message', (event) => received.push(event))

    const id = await alice.whisper([bob], 'first *text*')
    end()
    await alice.whisper([bob], 'second')

    const event = await until('the event', () => received[0])
    assert.ok(event.organizationId > 0)
    assert.equal(event.type, 'message')
    assert.deepEqual(event.userIds?.toSorted(), [alice.id, bob.id].toSorted())
    assert.deepEqual(event.externalIds, {})
    const { sender_id, content, content_type } = event.message
    assert.deepEqual(
      [event.message.id, sender_id, content, content_type],
      [id, alice.id, 'first *text*', 'text/x-markdown'],
    )
    assert.equal(received.length, 1)
  })

  it('are called for every event, but not for internal log entries', async () => {
    const { alice, bob } = at.people
    const kinds: string[] = []
    const end = at.host.chat.on('*', ({ type }) => kinds.push(type))

    await bob.listen(messages)
    await alice.whisper([bob], 'an event')
    await bob.post('/typing', { op: 'start', to: [alice.id] })
    end()

    await until('the last event', () => kinds.includes('typing'))
    assert.deepEqual(kinds, ['message', 'typing'])
  })

  it('get the protocol event of each kind, with the application ids of its users', async () => {
    const { alice, bob } = at.people
    const { subdomain: organization } = alice.endpoint
    const identity = { externalId: 'p-9', email: 'p-9@product.example', fullName: 'Paula' }
    const paula = at.host.chat.as({ ...identity, organization })
    const paulaId = await paula.id()
    const reactions: ChatEvents['reaction/add'][] = []
    const added: ChatEvents['subscription/add'][] = []
    const ends = [
      at.host.chat.on('reaction/add', (event) => reactions.push(event)),
      at.host.chat.on('subscription/add', (event) => added.push(event)),
    ]
    const { id: messageId } = await paula.api.sendMessage({
      type: 'direct',
      to: [alice.id, bob.id],
      content: 'for three',
    })

    await paula.api.addReaction({ message_id: messageId, emoji_name: 'tada' })
    await paula.api.createChannel({ name: 'Order 4711', subscribers: [paulaId, bob.id] })
    for (const end of ends) end()

    const reaction = await until('the reaction', () => reactions[0])
    assert.deepEqual(
      [reaction.type, reaction.op, reaction.user_id, reaction.message_id, reaction.emoji_name],
      ['reaction', 'add', paulaId, messageId, 'tada'],
    )
    assert.deepEqual(reaction.externalIds, { [paulaId]: 'p-9' })
    await until('the subscriptions', () => added.flatMap(({ userIds = [] }) => userIds).length > 1)
    assert.deepEqual(
      added.flatMap(({ userIds = [] }) => userIds).toSorted(),
      [paulaId, bob.id].toSorted(),
    )
    assert.ok(added.every(({ subscriptions }) => subscriptions[0]?.name === 'Order 4711'))
  })

  it('are not called after an error', async () => {
    const received: unknown[] = []
    const end = at.host.chat.on('*', (event) => received.push(event))

    const answer = await at.people.alice.post('/messages', { type: 'direct', to: [] })
    end()

    assert.equal(answer.status, 400)
    assert.deepEqual(received, [])
  })

  it('change a message before it is sent, one after the other', async () => {
    const { alice, bob } = at.people
    const feed = await bob.listen(messages)
    const ends = [
      at.host.chat.before('sendMessage', ({ params: { content, topic }, user }) => {
        assert.equal(user?.id, alice.id)
        return { content: `${content} + 1`, ...(topic === undefined ? {} : { topic: 'moved' }) }
      }),
      at.host.chat.before('sendMessage', async ({ params: { content } }) => ({
        content: `${content} + 2`,
      })),
      at.host.chat.before('sendMessage', () => {}),
    ]

    await alice.say(at.channels.design, 'here', 'zero')
    for (const end of ends) end()
    await alice.say(at.channels.design, 'here', 'plain')

    const received = (await feed.drain()).map((event) => [
      event['message'].subject,
      event['message'].content,
    ])
    assert.deepEqual(received, [
      ['moved', 'zero + 1 + 2'],
      ['here', 'plain'],
    ])
  })

  it('reject a message with their own error, which its sender receives', async () => {
    const { alice, bob } = at.people
    const feed = await bob.listen(messages)
    const end = at.host.chat.before('sendMessage', ({ params: { content } }) => {
      if (content.includes('secret')) {
        throw new ChatError('BAD_REQUEST', { message: 'No secrets, please' })
      }
    })

    const send = (content: string) =>
      alice.post('/messages', { type: 'direct', to: [bob.id], content })
    const [refused, sent] = [await send('a secret'), await send('a rumour')]
    end()

    assert.equal(refused.status, 400)
    assert.equal(refused.body.msg, 'No secrets, please')
    assert.equal(sent.status, 200)
    const received = (await feed.drain()).map((event) => event['message'].content)
    assert.deepEqual(received, ['a rumour'])
  })

  it('are rejected if they would never be called', () => {
    const chat = at.host.chat as unknown as Record<
      'on' | 'before' | 'after',
      (name: unknown, callback: unknown) => void
    >

    const isWrong = { name: 'TypeError' }
    assert.throws(() => chat.on('messages', () => {}), isWrong)
    assert.throws(() => chat.on('update_display_settings', () => {}), isWrong)
    assert.throws(() => chat.on('message', undefined), isWrong)
    assert.throws(() => chat.before('sendMessage', undefined), isWrong)
    assert.throws(() => chat.after('content', () => {}), isWrong)
    assert.throws(() => chat.after('getEvents', () => {}), isWrong)
    assert.throws(() => chat.before('message.send', () => {}), {
      ...isWrong,
      message:
        "chat.before: there is no 'message.send', only the operations of chat.as().api, such as 'sendMessage', and 'content'",
    })
  })

  it('that fail otherwise reject the message, without details for its sender', async () => {
    const { alice, bob } = at.people
    const end = at.host.chat.before('sendMessage', () => {
      throw new Error('internal address 10.0.0.1')
    })

    const params = { type: 'direct', to: [bob.id], content: 'stopped' }
    const answer = await alice.post('/messages', params)
    end()

    assert.equal(answer.status, 500)
    assert.deepEqual(answer.body, {
      result: 'error',
      msg: 'Internal server error',
      code: 'INTERNAL_SERVER_ERROR',
    })
  })
})

everyDatabase('calls on behalf of users', 'express', (at) => {
  it('send messages with the rules and events of the API', async () => {
    const { alice, bob } = at.people
    const feed = await bob.listen(messages)
    const { api } = at.host.chat.as({ userId: alice.id, organization: at.subdomain })

    const direct = await api.sendMessage({ type: 'direct', to: [bob.id], content: 'direct' })
    await api.sendMessage({ type: 'channel', to: 'design', topic: 'by name', content: 'one' })
    await api.sendMessage({
      type: 'channel',
      to: at.channels.design,
      topic: 'by id',
      content: 'two',
    })

    const received = (await feed.drain()).map((event) => event['message'])
    assert.equal(received[0].id, direct.id)
    assert.equal(received[0].client, 'Internal')
    assert.deepEqual(
      received.map(({ sender_id, subject, content }) => [sender_id, subject, content]),
      [
        [alice.id, '', 'direct'],
        [alice.id, 'by name', 'one'],
        [alice.id, 'by id', 'two'],
      ],
    )
    await assert.rejects(
      at.host.chat
        .as({ userId: at.people.gus.id, organization: at.subdomain })
        .api.sendMessage({ type: 'channel', to: at.channels.secret, topic: 'x', content: 'y' }),
      ChatError,
    )
  })

  it('create a user who has not used the chat before', async () => {
    const { subdomain: organization } = at
    const email = 'new@product.example'
    const identity = { externalId: 'p-7', email, fullName: '\u202ENew Per\u200Bson' }

    await assert.rejects(at.host.chat.as({ externalId: 'p-7', organization }).id(), /No such user/)
    const first = await at.host.chat.as({ ...identity, organization }).id()
    const again = await at.host.chat.as({ externalId: 'p-7', organization }).id()

    assert.equal(first, again)
    const { body } = await at.people.alice.get(`/users/${first}`)
    assert.equal(body.user.full_name, 'New Person')
  })

  it('return an error for an invalid message', async () => {
    const { alice, bob } = at.people
    const feed = await bob.listen(messages)
    const { api } = at.host.chat.as({ userId: alice.id, organization: at.subdomain })

    await assert.rejects(api.sendMessage({ type: 'chanel', content: 'x' } as never), {
      name: 'ChatError',
      message: 'Invalid type',
    })
    await assert.rejects(api.sendMessage(undefined as never), { code: 'REQUEST_VARIABLE_MISSING' })
    await assert.rejects(api.sendMessage({ type: 'direct', to: [bob.id], text: 'x' } as never), {
      name: 'TypeError',
      message: 'sendMessage: there is no parameter text',
    })
    assert.deepEqual(await feed.drain(), [])
  })

  it('return an error for users and organizations that do not exist', async () => {
    const { subdomain: organization } = at
    const { alice } = at.people
    const refused = [
      [{ userId: at.unknownId, organization }, /No such user/],
      [{ userId: alice.id, organization: 'nowhere' }, /No such organization/],
      [
        { userId: alice.id, organization: (await at.host.organization()).subdomain },
        /No such user/,
      ],
      [{ userId: alice.id }, /no organization yet, or several/],
    ] as const

    for (const [reference, message] of refused) {
      await assert.rejects(at.host.chat.as(reference).id(), { code: 'BAD_REQUEST', message })
    }
  })
})

reportSkippedColumns()
for (const column of databaseColumns()) {
  describe(`the lifecycle of a server (${column.name})`, () => {
    it('returns 503 after close(), and passes on other requests', async (t) => {
      const host = new TestHost('express', column)
      await host.start()
      t.after(() => host.stop())
      const cast = await host.organization()
      const { alice } = cast.people

      await host.chat.close()
      const [own, foreign] = [await alice.get('/users/me'), await fetch(`${host.origin}/page`)]

      assert.equal(own.status, 503)
      assert.equal(own.body.code, 'SERVICE_UNAVAILABLE')
      assert.equal(foreign.status, 404)
      const { isLive, isReady, state } = await host.chat.health()
      assert.deepEqual(
        { isLive, isReady, state },
        { isLive: false, isReady: false, state: 'closed' },
      )
      await assert.rejects(host.chat.start(), /is closed; make a new one/)
      await assert.rejects(host.chat.as({ userId: alice.id }).id(), /The chat server is closed/)
    })

    it('completes pending calls when it closes', async (t) => {
      const host = new TestHost('koa', column)
      await host.start()
      t.after(() => host.stop())
      const { people } = await host.organization()
      let letGo = (): void => {}
      const isHeld = new Promise<void>((resolve) => {
        host.chat.before('sendMessage', async () => {
          resolve()
          await new Promise<void>((go) => (letGo = go))
        })
      })
      const params = { type: 'direct', to: [people.bob.id], content: 'held' }

      const sending = people.alice.post('/messages', params)
      await isHeld
      const closing = host.chat.close()
      letGo()

      assert.equal((await sending).status, 200)
      await closing
    })

    it('returns its health', async (t) => {
      const host = new TestHost('express', column)
      await host.start()
      t.after(() => host.stop())
      const cast = await host.organization()

      const before = await host.chat.health()
      await cast.people.alice.listen()
      const during = await host.chat.health()
      await host.chat.drain()
      const draining = await host.chat.health()

      const healthy = {
        isLive: true,
        isReady: true,
        state: 'started',
        database: 'up',
        bus: 'up',
        log: { lag: 0, entries: 0 },
        backlogs: {
          scheduledMessages: 0,
          reminders: 0,
          pushNotifications: 0,
          botWebhookCalls: 0,
        },
        oldSecretsInUse: [],
        consumers: {},
        searchIndex: { pendingMessages: 0 },
      }
      assert.deepEqual(before, { ...healthy, openQueues: 0 })
      assert.deepEqual(during, { ...healthy, openQueues: 1 })
      assert.deepEqual(draining, { ...healthy, state: 'draining', isReady: false, openQueues: 1 })
    })
  })
}
