import assert from 'node:assert/strict'
import { it } from 'node:test'

import { bytesOf, entriesOf, rowsIn } from '../support/archives.js'
import type { Answer, Client } from '../support/client.js'
import { everyDatabase } from '../support/host.js'
import { idsOf, writtenFor } from '../support/written-messages.js'

const retentionSeconds = 30 * 60
const newest = { anchor: 'newest', num_before: 5, num_after: 0 }

everyDatabase('user messages that are not written at once', 'express', (at) => {
  it('are found by reads, which write nothing', async () => {
    const { alice, bob, carol } = at.people
    const { general } = at.channels
    await bob.say(general, 'before', 'received at once')

    const first = await alice.say(general, 'away', 'one')
    const second = await alice.say(general, 'away', 'two @**Carol Test**')
    assert.deepEqual(await writtenFor(at, first), [])
    assert.deepEqual(await writtenFor(at, second), idsOf(alice, carol))

    const { body } = await bob.get('/messages', newest)
    const seen = body.messages.slice(-2) as { id: number; flags: string[] }[]
    assert.deepEqual(
      seen.map(({ id, flags }) => ({ id, flags })),
      [first, second].map((id) => ({ id, flags: [] })),
    )
    const { body: registered } = await carol.post('/register', {
      event_types: ['message', 'update_message_flags'],
    })
    const { streams, mentions } = registered.unread_msgs
    const unread = streams.find(({ topic }: { topic: string }) => topic === 'away')
    assert.deepEqual(unread!.unread_message_ids, [first, second])
    assert.deepEqual(mentions, [second])
    assert.deepEqual(await writtenFor(at, first), [])
    assert.deepEqual(await writtenFor(at, second), idsOf(alice, carol))
  })

  it('are written by calls that change their flags, and by no others', async () => {
    const { alice, bob, carol } = at.people
    const { general } = at.channels
    const feed = await bob.listen({ event_types: ['message'] })

    const id = await alice.say(general, 'calls', 'here')
    await feed.until('the message', ({ type }) => type === 'message')
    await bob.post('/users/me/presence', { status: 'active' })
    const typing = { type: 'stream', op: 'start', stream_id: general, topic: 'calls' }
    assert.equal((await bob.post('/typing', typing)).status, 200)
    await bob.say(general, 'calls', 'and here')
    assert.equal((await carol.get('/users/me')).status, 200)
    const flag = { messages: [id], op: 'remove', flag: 'starred' }
    assert.equal((await carol.post('/messages/flags', flag)).status, 200)
    assert.deepEqual(await writtenFor(at, id), idsOf(carol))

    const flagged = await bob.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
    assert.equal(flagged.status, 200)
    assert.deepEqual(await writtenFor(at, id), idsOf(bob, carol))
    await bob.delete('/events', { queue_id: feed.queueId })
  })

  it('have the flags of messages that mention everybody', async () => {
    const { adam, alice, bob, carol } = at.people
    const { general } = at.channels
    const flagsFor = async (client: Client, id: number): Promise<string[]> =>
      (await client.get(`/messages/${id}`)).body.message.flags

    const id = await alice.say(general, 'everybody', '@**all** look')
    assert.deepEqual(await writtenFor(at, id), [])
    const flags = ['stream_wildcard_mentioned', 'wildcard_mentioned']
    assert.deepEqual(await flagsFor(bob, id), flags)
    const narrow = [{ operator: 'is', operand: 'mentioned' }]
    const { body } = await bob.get('/messages', { ...newest, narrow })
    assert.equal(body.messages.at(-1)!.id, id)

    const edit = async (content: string) => alice.patch(`/messages/${id}`, { content })
    const star = { messages: [id], op: 'add', flag: 'starred' }
    assert.equal((await bob.post('/messages/flags', star)).status, 200)
    assert.deepEqual(await flagsFor(bob, id), ['starred', ...flags])
    star.op = 'remove'
    assert.equal((await bob.post('/messages/flags', star)).status, 200)
    assert.equal((await edit('Look, @**all**')).status, 200)
    assert.deepEqual(await writtenFor(at, id), idsOf(bob))
    assert.equal((await edit('look')).status, 200)
    assert.deepEqual(await writtenFor(at, id), idsOf(bob))
    assert.deepEqual(await flagsFor(bob, id), [])
    assert.deepEqual(await flagsFor(carol, id), [])
    assert.equal((await edit('@**all** look')).status, 200)
    assert.deepEqual(await writtenFor(at, id), idsOf(bob))
    assert.deepEqual(await flagsFor(carol, id), flags)
    assert.deepEqual(await flagsFor(adam, id), flags)
  })

  it('are unread in answers to calls during which the messages arrive', async () => {
    const { alice, bob } = at.people
    const { general } = at.channels
    const arriving = async (
      operation: 'getMessages' | 'registerQueue' | 'updateMessageFlagsForNarrow' | 'muteUser',
      call: () => Promise<Answer>,
    ): Promise<{ readonly id: number; readonly answer: Answer }> => {
      let id = 0
      const end = at.host.chat.before(operation, async () => {
        id = await alice.say(general, 'arriving', 'x')
      })
      const answer = await call()
      end()
      assert.equal(answer.status, 200, answer.text)
      return { id, answer }
    }
    const flagsOf = async (id: number): Promise<string[]> =>
      (await bob.get(`/messages/${id}`)).body.message.flags
    const range = { ...newest, narrow: [{ operator: 'channel', operand: general }] }

    const fetched = await arriving('getMessages', () => bob.get('/messages', range))
    assert.equal(fetched.answer.body.messages.at(-1).id, fetched.id)
    assert.deepEqual(fetched.answer.body.messages.at(-1).flags, [])

    const event_types = ['message', 'update_message_flags']
    const registered = await arriving('registerQueue', () => bob.post('/register', { event_types }))
    const { unread_msgs, max_message_id, queue_id } = registered.answer.body
    const unread = unread_msgs.streams.find(({ topic }: { topic: string }) => topic === 'arriving')
    assert.deepEqual(unread.unread_message_ids, [fetched.id, registered.id])
    assert.equal(max_message_id, registered.id)
    await bob.delete('/events', { queue_id })

    const starred = await arriving('updateMessageFlagsForNarrow', () =>
      bob.post('/messages/flags/narrow', { ...range, op: 'add', flag: 'starred' }),
    )
    assert.deepEqual(await flagsOf(starred.id), ['starred'])

    const muted = await arriving('muteUser', () => bob.post(`/users/me/muted_users/${alice.id}`))
    assert.deepEqual(await flagsOf(muted.id), ['read'])
    await bob.delete(`/users/me/muted_users/${alice.id}`)
  })

  it('are in events, without being written while clients are idle', async () => {
    const { olga, alice, bob } = at.people
    const { general } = at.channels
    const feed = await bob.listen({
      event_types: ['message', 'update_message', 'update_message_flags'],
    })
    assert.equal((await bob.post('/users/me/presence', { status: 'idle' })).status, 200)
    assert.equal((await bob.post('/events/ticket', { queue_id: feed.queueId })).status, 200)

    const id = await alice.say(general, 'events', 'here')
    const next = async (wanted: string) => {
      const events = await feed.until(wanted, ({ type }) => type === wanted)
      return events.findLast(({ type }) => type === wanted)!
    }
    const sent = await next('message')
    await alice.patch(`/messages/${id}`, { content: 'there' })
    const edited = await next('update_message')
    assert.deepEqual([sent['flags'], edited['flags']], [[], []])
    assert.deepEqual(await writtenFor(at, id), [])

    await olga.delete('/users/me/subscriptions', {
      subscriptions: ['general'],
      principals: [bob.id],
    })
    const read = await next('update_message_flags')
    assert.ok((read['messages'] as number[]).includes(id))
    await alice.patch(`/messages/${id}`, { content: 'and there' })
    const again = await next('update_message')
    assert.deepEqual(again['flags'], ['read'])
    await olga.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'general' }],
      principals: [bob.id],
    })
    await bob.delete('/events', { queue_id: feed.queueId })
  })

  it('are in events about channels that users have left', async () => {
    const { olga, alice, adam } = at.people
    const { general } = at.channels
    const id = await alice.say(general, 'left', 'before')
    const subscriptions = { subscriptions: ['general'], principals: [adam.id] }
    await olga.delete('/users/me/subscriptions', subscriptions)
    const { body } = await adam.get('/events', { dont_block: true })

    await alice.patch(`/messages/${id}`, { content: 'after' })

    const events = (await adam.get('/events', { queue_id: body.queue_id, dont_block: true })).body
      .events as { readonly type: string; readonly flags?: readonly string[] }[]
    const edit = events.find(({ type }) => type === 'update_message')
    assert.deepEqual(edit?.flags, ['read'])
    assert.deepEqual(await writtenFor(at, id), [])
    await adam.delete('/events', { queue_id: body.queue_id })
    await olga.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'general' }],
      principals: [adam.id],
    })
  })

  it('are in events about channels with protected history', async () => {
    const { olga, alice, bob } = at.people
    await alice.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'protected' }],
      principals: [olga.id, alice.id, bob.id],
      invite_only: true,
      history_public_to_subscribers: false,
    })
    const { body } = await alice.get('/get_stream_id', { stream: 'protected' })
    const channel = body.stream_id
    const event_types = ['message', 'update_message', 'delete_message', 'reaction']
    const feed = await bob.listen({ event_types: [...event_types, 'typing_edit_message'] })
    const [first, second, third] = [
      await alice.say(channel, 'topic', 'one'),
      await alice.say(channel, 'topic', 'two'),
      await alice.say(channel, 'other', 'three'),
    ]

    await alice.patch(`/messages/${first}`, { content: 'edited' })
    await feed.until('the edit', ({ type }) => type === 'update_message')
    const answers = [
      await alice.patch(`/messages/${first}`, { topic: 'moved', propagate_mode: 'change_all' }),
      await alice.post(`/messages/${first}/reactions`, { emoji_name: 'smile' }),
      await alice.post(`/messages/${first}/typing`, { op: 'start' }),
      await alice.delete(`/messages/${first}`),
      await olga.post(`/streams/${channel}/delete_topic`, { topic_name: 'moved' }),
    ]
    assert.ok(answers.every(({ status }) => status === 200))
    await olga.patch(`/streams/${channel}`, { message_retention_days: 1 })
    at.clock.jump(2 * 24 * 60 * 60)
    const ended = at.clock.next('set', retentionSeconds)
    at.clock.fire(retentionSeconds)
    await ended

    const events = await feed.until(
      'the last deletion',
      ({ type, message_id }) => type === 'delete_message' && message_id === third,
    )
    const kinds = new Set(events.map(({ type }) => type))
    assert.deepEqual(
      [...kinds].filter((kind) => kind !== 'message'),
      ['update_message', 'reaction', 'typing_edit_message', 'delete_message'],
    )
    const deletions = events.filter(({ type }) => type === 'delete_message')
    const deleted = new Set(deletions.map((event) => event['message_id']))
    assert.ok([first, second, third].every((id) => deleted.has(id)))
    assert.deepEqual(await writtenFor(at, second), [])
    await bob.delete('/events', { queue_id: feed.queueId })
  })

  it('count for links to topics with protected history', async () => {
    const { alice, bob, carol } = at.people
    await alice.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'linked' }],
      principals: [alice.id, bob.id],
      invite_only: true,
      history_public_to_subscribers: false,
    })
    const { body } = await alice.get('/get_stream_id', { stream: 'linked' })
    const older = await alice.say(body.stream_id, 'plans', 'one')
    await alice.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'linked' }],
      principals: [carol.id],
    })
    const linked = async (client: Client): Promise<string> => {
      const id = await client.say(at.channels.general, 'links', '#**linked>plans**')
      return (await client.get(`/messages/${id}`)).body.message.content
    }

    assert.deepEqual(await writtenFor(at, older), [])
    assert.match(await linked(bob), new RegExp(`/with/${older}"`))
    assert.doesNotMatch(await linked(carol), /\/with\//)
  })

  it('are those of new and imported users', async () => {
    const { chat } = at.host
    const person = (id: number) => ({
      id,
      email: `p${id}@imported.example`,
      full_name: `Person ${id}`,
      api_key: String(id).repeat(8),
    })
    const notified = { ...person(9303), settings: { enable_stream_email_notifications: true } }
    await chat.organizations.load({
      organization: { name: 'Imported', subdomain: 'imported' },
      users: [{ ...person(9301), role: 100 }, person(9302), notified],
      channels: [{ id: 9310, name: 'all', subscribers: [9301, 9302, 9303] }],
      messages: [{ id: 9320, sender_id: 9301, channel_id: 9310, topic: 'a', content: 'old' }],
    })
    const [first, second] = [9301, 9302].map((id) => {
      const { email, api_key: apiKey } = person(id)
      return at.host.client('imported', { email, apiKey }, id, email)
    }) as [Client, Client]

    const id = await first.say(9310, 'a', 'new')

    assert.deepEqual(await writtenFor(at, id), [9303])
    const { body } = await second.get('/messages', newest)
    const seen = body.messages.filter(({ flags }: { flags: string[] }) => flags.length === 0)
    assert.deepEqual(
      seen.map((message: { id: number }) => message.id),
      [9320, id],
    )
  })

  it('are only those of which no notification is sent', async () => {
    const { alice, bob, carol, gus } = at.people
    const { general } = at.channels
    await bob.patch('/settings', { enable_stream_push_notifications: true })
    await carol.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: general, property: 'email_notifications', value: true }],
    })
    await gus.post('/user_topics', { stream_id: general, topic: 'mine', visibility_policy: 3 })

    const id = await alice.say(general, 'mine', 'followed by gus')
    const other = await alice.say(general, 'other', 'not followed')

    assert.deepEqual(await writtenFor(at, id), idsOf(bob, carol, gus))
    assert.deepEqual(await writtenFor(at, other), idsOf(bob, carol))
    await bob.patch('/settings', { enable_stream_push_notifications: false })
  })

  it('are seen at another server', async () => {
    const { alice, bob } = at.people
    const { general } = at.channels
    const other = await at.host.another('koa')
    other.clock.jump(at.clock.seconds - other.clock.seconds)
    const elsewhere = other.clientOf(bob)

    const id = await alice.say(general, 'servers', 'here')
    const { body } = await elsewhere.get(`/messages/${id}`)

    assert.deepEqual(body.message.flags, [])
    const { body: here } = await bob.get(`/messages/${id}`)
    assert.deepEqual(here.message.flags, [])
    await other.stop()
  })

  it('are in exports of users and of organizations', async () => {
    const { alice, bob } = at.people
    const { general } = at.channels
    const id = await alice.say(general, 'exports', 'x')

    const { users, organizations } = at.host.chat
    const options = { organization: at.subdomain }
    const exported = (await bytesOf(users.export({ userId: bob.id }, options))).toString()
    const received = exported
      .split('\n')
      .filter((line) => line.includes('"received_message"'))
      .map((line) => JSON.parse(line) as { readonly message_id: number })

    assert.equal(received.at(-1)?.message_id, id)
    const archive = await bytesOf(organizations.export(at.subdomain))
    const rows = rowsIn(await entriesOf(archive), 'user_messages')
    const receivers = rows.filter(({ message_id }) => message_id === id)
    assert.equal(new Set(receivers.map(({ user_id }) => user_id)).size, 8)
    assert.equal(receivers.length, 8)
    assert.ok((await writtenFor(at, id)).includes(bob.id))
  })
})
