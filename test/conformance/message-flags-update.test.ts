import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'

const flagsOf = async (client: Client, id: number): Promise<string[]> =>
  (await client.get(`/messages/${id}`)).body.message.flags

everyHost('update-message-flags', (at) => {
  it('adds a flag, and sends an event only to the clients of the user', async () => {
    const { alice, bob } = at.people
    const id = await alice.say(at.channels.design, 'logo', 'Hello')
    const [bobFeed, aliceFeed] = [await bob.listen(), await alice.listen()]

    const answer = await bob.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })

    assert.deepEqual(answer.body, { result: 'success', msg: '', messages: [id] })
    assert.deepEqual(await flagsOf(bob, id), ['starred'])
    assert.deepEqual(await flagsOf(alice, id), [])
    assert.deepEqual(withoutIds(await bobFeed.drain()), [
      {
        type: 'update_message_flags',
        op: 'add',
        operation: 'add',
        flag: 'starred',
        messages: [id],
        all: false,
      },
    ])
    assert.deepEqual(await aliceFeed.drain(), [])
  })

  it('returns and sends only the messages that changed', async () => {
    const { alice, bob } = at.people
    const first = await alice.say(at.channels.design, 'logo', 'One')
    const second = await alice.say(at.channels.design, 'logo', 'Two')
    await bob.post('/messages/flags', { messages: [first], op: 'add', flag: 'read' })
    const feed = await bob.listen()

    const messages = [second, first, second]
    const answer = await bob.post('/messages/flags', { messages, op: 'add', flag: 'read' })
    const again = await bob.post('/messages/flags', { messages, op: 'add', flag: 'read' })

    assert.deepEqual(answer.body.messages, [second])
    assert.deepEqual(again.body.messages, [])
    assert.deepEqual(
      (await feed.drain()).map((event) => event['messages']),
      [[second]],
    )
  })

  it('sends details of the messages that are unread again', async () => {
    const { alice, bob, carol } = at.people
    const inChannel = await bob.say(at.channels.design, 'logo', `@**Alice Test** hello`)
    const inEmptyTopic = await bob.say(at.channels.design, '', 'Hello')
    const direct = await bob.whisper([alice, carol], 'Hello')
    const messages = [inChannel, inEmptyTopic, direct]
    await alice.post('/messages/flags', { messages, op: 'add', flag: 'read' })
    const [feed, modern] = [
      await alice.listen(),
      await alice.listen({
        client_capabilities: { notification_settings_null: true, empty_topic_name: true },
      }),
    ]

    const answer = await alice.post('/messages/flags', { messages, op: 'remove', flag: 'read' })

    assert.deepEqual(answer.body, {
      result: 'success',
      msg: '',
      messages,
      ignored_because_not_subscribed_channels: [],
    })
    const details = (emptyTopic: string) => ({
      [inChannel]: {
        type: 'stream',
        stream_id: at.channels.design,
        topic: 'logo',
        unmuted_stream_msg: true,
        mentioned: true,
      },
      [inEmptyTopic]: {
        type: 'stream',
        stream_id: at.channels.design,
        topic: emptyTopic,
        unmuted_stream_msg: true,
      },
      [direct]: { type: 'private', user_ids: [bob.id, carol.id] },
    })
    assert.deepEqual(withoutIds(await feed.drain()), [
      {
        type: 'update_message_flags',
        op: 'remove',
        operation: 'remove',
        flag: 'read',
        messages,
        all: false,
        message_details: details('general chat'),
      },
    ])
    const [event] = await modern.drain()
    assert.deepEqual(event?.['message_details'], details(''))
  })

  it('keeps messages of unsubscribed channels read, and returns these channels', async () => {
    const { alice, carol } = at.people
    const foreign = await alice.say(at.channels.design, 'logo', 'Hello')
    const own = await alice.say(at.channels.general, 'logo', 'Hello')
    await carol.post('/messages/flags', { messages: [own], op: 'add', flag: 'read' })
    const feed = await carol.listen()

    const messages = [foreign, own]
    const answer = await carol.post('/messages/flags', { messages, op: 'remove', flag: 'read' })

    assert.deepEqual(answer.body.messages, [own])
    assert.deepEqual(answer.body.ignored_because_not_subscribed_channels, [at.channels.design])
    assert.deepEqual(await flagsOf(carol, foreign), ['read', 'historical'])
    assert.deepEqual(
      (await feed.drain()).map((event) => event['messages']),
      [[own]],
    )
  })

  it('adds a readable message to the history of a user who stars it', async () => {
    const { alice, carol } = at.people
    const id = await alice.say(at.channels.design, 'logo', 'Hello')

    const added = await carol.post('/messages/flags', {
      messages: [id],
      op: 'add',
      flag: 'starred',
    })
    const flags = await flagsOf(carol, id)
    const removed = await carol.post('/messages/flags', {
      messages: [id],
      op: 'remove',
      flag: 'starred',
    })

    assert.deepEqual(added.body.messages, [id])
    assert.deepEqual(flags, ['read', 'starred', 'historical'])
    assert.deepEqual(removed.body.messages, [id])
    assert.deepEqual(await flagsOf(carol, id), ['read', 'historical'])
  })

  it('changes nothing if the user cannot see one of the messages', async () => {
    const { alice, bob, carol } = at.people
    const own = await alice.say(at.channels.general, 'logo', 'Hello')
    const direct = await alice.whisper([bob], 'Hush')
    const missing = { messages: [own, at.unknownId], op: 'add', flag: 'starred' }
    const feed = await carol.listen()

    const answers = [
      await carol.post('/messages/flags', missing),
      await carol.post('/messages/flags', { ...missing, messages: [own, direct] }),
      await carol.post('/messages/flags', { messages: [direct], op: 'remove', flag: 'read' }),
    ]

    for (const answer of answers) {
      assert.equal(answer.status, 400)
      assert.equal(
        answer.text,
        '{"result":"error","msg":"Invalid message(s)","code":"BAD_REQUEST"}',
      )
    }
    assert.deepEqual(await flagsOf(carol, own), [])
    assert.deepEqual(await feed.drain(), [])
  })

  it('ignores messages without a user message if their flag would not change', async () => {
    const { alice, bob, carol } = at.people
    const direct = await alice.whisper([bob], 'Hush')

    for (const [op, flag] of [
      ['add', 'read'],
      ['remove', 'starred'],
      ['remove', 'collapsed'],
    ]) {
      const messages = [direct, at.unknownId]
      const answer = await carol.post('/messages/flags', { messages, op, flag })
      assert.deepEqual(answer.body.messages, [], `${op} ${flag}`)
    }
  })

  it('accepts more messages than a statement can have placeholders', async () => {
    const { alice, bob } = at.people
    const id = await alice.say(at.channels.design, 'logo', 'Hello')
    const messages = Array.from({ length: 45_000 }, (_, index) => id + index)

    const read = await bob.post('/messages/flags', { messages, op: 'add', flag: 'read' })
    const starred = await bob.post('/messages/flags', { messages, op: 'add', flag: 'starred' })

    assert.deepEqual(read.body.messages, [id])
    assert.equal(starred.body.msg, 'Invalid message(s)')
  })

  it('collapses and expands messages', async () => {
    const { alice, bob } = at.people
    const id = await alice.say(at.channels.design, 'logo', 'Hello')

    await bob.post('/messages/flags', { messages: [id], op: 'add', flag: 'collapsed' })
    assert.deepEqual(await flagsOf(bob, id), ['collapsed'])
    await bob.post('/messages/flags', { messages: [id], op: 'remove', flag: 'collapsed' })
    assert.deepEqual(await flagsOf(bob, id), [])
  })

  it('refuses unknown flags and operations', async () => {
    const { alice } = at.people
    const cases: readonly (readonly [string, string, string])[] = [
      ['add', 'shiny', "Invalid flag: 'shiny'"],
      ['add', 'wildcard_mentioned', "Invalid flag: 'wildcard_mentioned'"],
      ['add', 'toString', "Invalid flag: 'toString'"],
      ['add', 'has_alert_word', "Flag not editable: 'has_alert_word'"],
      ['add', 'mentioned', "Flag not editable: 'mentioned'"],
      ['add', 'stream_wildcard_mentioned', "Flag not editable: 'stream_wildcard_mentioned'"],
      ['add', 'topic_wildcard_mentioned', "Flag not editable: 'topic_wildcard_mentioned'"],
      ['add', 'historical', "Flag not editable: 'historical'"],
      ['add', 'group_mentioned', "Flag not editable: 'group_mentioned'"],
      ['toggle', 'read', "Invalid message flag operation: 'toggle'"],
      ['toggle', 'shiny', "Invalid flag: 'shiny'"],
    ]

    for (const [op, flag, msg] of cases) {
      const { status, body } = await alice.post('/messages/flags', { messages: [], op, flag })
      assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', msg])
    }
  })

  it('refuses messages that are not a list of ids', async () => {
    const { alice } = at.people
    const errorFor = async (messages: unknown) =>
      (await alice.post('/messages/flags', { messages, op: 'add', flag: 'read' })).body.msg

    assert.equal(await errorFor('x'), 'messages is not valid JSON')
    assert.equal(await errorFor(7), 'messages is not a list')
    assert.equal(await errorFor(['x']), 'messages[0] is not an integer')
    assert.equal(await errorFor(undefined), "Missing 'messages' argument")
  })
})
