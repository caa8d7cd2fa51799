import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { ChatClient, ClientOptions, MessageList, NarrowTerm } from '@parley/client'

import type { Client } from '../support/client.js'
import { everyDatabase } from '../support/host.js'
import { until } from '../support/waiting.js'
import { chatClientOf } from './chat-client.js'
import { HeldFetch } from './held-fetch.js'

everyDatabase(
  'a list of messages',
  'express',
  (at) => {
    const closings: (() => Promise<void>)[] = []
    afterEach(async () => {
      for (const close of closings.splice(0)) await close()
    })

    async function opened(user: Client, options: Partial<ClientOptions> = {}): Promise<ChatClient> {
      const client = chatClientOf(user, options)
      closings.push(() => client.close())
      client.open()
      await until('the connection', () => client.store.state.connection.kind === 'connected')
      return client
    }

    const inTopic = (topic: string, channel = at.channels.general): readonly NarrowTerm[] => [
      { operator: 'channel', operand: channel },
      { operator: 'topic', operand: topic },
    ]

    /** Sends messages one after the other. @returns their ids. */
    async function say(count: number, topic: string, by = at.people.alice): Promise<number[]> {
      const ids: number[] = []
      for (let one = 1; one <= count; one += 1) {
        ids.push(await by.say(at.channels.general, topic, `${topic} ${one}`))
      }
      return ids
    }

    const move = (id: number, to: object): Promise<unknown> =>
      at.people.olga.patch(`/messages/${id}`, {
        ...to,
        send_notification_to_new_thread: false,
        send_notification_to_old_thread: false,
      })

    const idsOf = ({ state }: MessageList): readonly number[] => state.messages.map(({ id }) => id)

    it('is loaded from an end or in the middle, and extended to both ends', async () => {
      const ids = await say(20, 'pages')
      const client = await opened(at.people.carol)
      const list = client.messages(inTopic('pages'), { pageSize: 6 })
      await list.load('newest')
      assert.deepEqual(idsOf(list), ids.slice(-3))
      assert.deepEqual([list.state.haveOldest, list.state.haveNewest], [false, true])
      await list.older()
      assert.deepEqual(idsOf(list), ids.slice(-9))
      await list.load('oldest')
      assert.deepEqual(idsOf(list), ids.slice(0, 3))
      assert.deepEqual([list.state.haveOldest, list.state.haveNewest], [true, false])
      await list.load(ids[9] ?? 0)
      assert.deepEqual(idsOf(list), ids.slice(6, 13))
      assert.equal(list.state.generation, 3)
      // A new message is not shown after a gap.
      const [next = 0] = await say(1, 'pages')
      await until('the message', () => client.store.state.messages.has(next))
      assert.deepEqual(idsOf(list), ids.slice(6, 13))
      await Promise.all([list.newer(), list.newer()])
      assert.deepEqual(idsOf(list), ids.slice(6, 19))
      await list.newer()
      assert.deepEqual(idsOf(list), [...ids.slice(6), next])
      assert.equal(list.state.haveNewest, true)
      const [last = 0] = await say(1, 'PAGES')
      await until('the next message', () => idsOf(list).at(-1) === last)
      while (!list.state.haveOldest) await list.older()
      assert.deepEqual(idsOf(list), [...ids, next, last])
      assert.equal(list.state.generation, 3)
    })

    it('begins at the first unread message, and remembers it', async () => {
      const { carol } = at.people
      const read = await say(3, 'unread')
      await carol.post('/mark_all_as_read')
      const unread = await say(3, 'unread')
      const client = await opened(carol)
      const list = client.messages(inTopic('unread'))
      await list.load('first_unread')
      assert.deepEqual(idsOf(list), [...read, ...unread])
      assert.equal(list.state.firstUnreadId, unread[0])
      await carol.post('/mark_all_as_read')
      await until('the flags', () =>
        list.state.messages.every(({ flags }) => flags.includes('read')),
      )
      assert.equal(list.state.firstUnreadId, unread[0])
      await list.load('first_unread')
      assert.equal(list.state.firstUnreadId, undefined)
    })

    it('ignores answers that come after another load', async () => {
      const ids = await say(9, 'late')
      const held = new HeldFetch()
      const client = await opened(at.people.carol, { fetch: held.fetch })
      const list = client.messages(inTopic('late'), { pageSize: 4 })
      const holding = held.hold('/messages', 'answer')
      const first = list.load('newest')
      await holding.made()
      await list.load('oldest')
      holding.release()
      await first
      assert.deepEqual(idsOf(list), ids.slice(0, 2))
      assert.equal(list.state.isLoading, undefined)
      assert.equal(list.state.generation, 1)
      const again = held.hold('/messages', 'answer')
      const newer = list.newer()
      await again.made()
      assert.equal(list.state.isLoading, 'newer')
      await list.load('newest')
      again.release()
      await newer
      assert.deepEqual(idsOf(list), ids.slice(-2))
    })

    for (const side of ['request', 'answer'] as const) {
      it(`has the effects of events that come before its ${side}`, async () => {
        const { alice, carol, olga } = at.people
        const { general, design } = at.channels
        const topic = `races ${side}`
        const [one = 0, two = 0, three = 0, four = 0, five = 0] = await say(5, topic)
        const elsewhere = await alice.say(general, `${topic} elsewhere`, 'moved here')
        const held = new HeldFetch()
        const client = await opened(carol, { fetch: held.fetch })
        // The messages that are moved here were not received by this client.
        const list = client.messages(inTopic(topic))
        const holding = held.hold('/messages', side)
        const loading = list.load('newest')
        await holding.made()
        await alice.patch(`/messages/${one}`, { content: 'edited' })
        await olga.delete(`/messages/${two}`)
        await move(three, { topic: 'races away' })
        await move(four, { stream_id: design })
        await move(elsewhere, { topic })
        await alice.post(`/messages/${five}/reactions`, { emoji_name: 'tada' })
        await carol.post('/messages/flags', { messages: [five], op: 'add', flag: 'starred' })
        const six = await alice.say(general, topic, 'six')
        await until('the last event', () => client.store.state.messages.has(six))
        holding.release()
        await loading
        await until('the moved message', () => idsOf(list).includes(elsewhere))
        assert.deepEqual(idsOf(list), [one, five, elsewhere, six])
        const [edited, flagged] = list.state.messages
        assert.equal(edited?.content, '<p>edited</p>')
        assert.deepEqual(
          flagged?.reactions.map(({ user_id }) => user_id),
          [alice.id],
        )
        assert.deepEqual(flagged?.flags, ['starred'])
        // And it goes on.
        await alice.patch(`/messages/${one}`, { content: 'again' })
        await alice.delete(`/messages/${five}/reactions`, { emoji_name: 'tada' })
        await until(
          'the changes',
          () =>
            list.state.messages[0]?.content === '<p>again</p>' &&
            list.state.messages[1]?.reactions.length === 0,
        )
      })
    }

    it('has no gap where a message came while older or newer ones were requested', async () => {
      const [one = 0, two = 0, three = 0, four = 0] = await say(4, 'gaps')
      const [other = 0] = await say(1, 'gaps elsewhere')
      const [five = 0, six = 0] = await say(2, 'gaps')
      const held = new HeldFetch()
      const client = await opened(at.people.carol, { fetch: held.fetch })
      const list = client.messages(inTopic('gaps'), { pageSize: 4 })
      await list.load(three)
      assert.deepEqual(idsOf(list), [one, two, three, four, five])
      const holding = held.hold('/messages', 'answer')
      const newer = list.newer()
      await holding.made()
      const [seven = 0] = await say(1, 'gaps')
      await until('the message', () => client.store.state.messages.has(seven))
      assert.deepEqual(idsOf(list).at(-1), five)
      holding.release()
      await newer
      assert.deepEqual(idsOf(list), [one, two, three, four, five, six, seven])
      // A message that is moved in between is requested.
      await move(other, { topic: 'gaps' })
      await until('the moved message', () => idsOf(list).includes(other))
      assert.deepEqual(idsOf(list), [one, two, three, four, other, five, six, seven])
    })

    it('gets a message that was moved there, also while older ones are requested', async () => {
      const [one = 0, two = 0] = await say(2, 'moved')
      const [other = 0] = await say(1, 'moved from here')
      const [three = 0, four = 0] = await say(2, 'moved')
      const held = new HeldFetch()
      const client = await opened(at.people.carol, { fetch: held.fetch })
      const list = client.messages(inTopic('moved'), { pageSize: 6 })
      await list.load('newest')
      assert.deepEqual(idsOf(list), [two, three, four])
      const holding = held.hold('/messages', 'answer')
      await move(other, { topic: 'moved' })
      await holding.made()
      await list.older()
      assert.deepEqual(idsOf(list), [one, two, three, four])
      holding.release()
      await until('the moved message', () => idsOf(list).length === 5)
      assert.deepEqual(idsOf(list), [one, two, other, three, four])
      // Of a channel to which the user is not subscribed.
      const five = await at.people.alice.say(at.channels.window, 'elsewhere', 'five')
      await move(five, { stream_id: at.channels.general, topic: 'moved' })
      await until('the next moved message', () => idsOf(list).at(-1) === five)
    })

    it('may be loaded before the store has its state', async () => {
      const { alice, carol } = at.people
      const [one = 0, two = 0] = await say(2, 'early')
      const held = new HeldFetch()
      const client = chatClientOf(carol, { fetch: held.fetch })
      closings.push(() => client.close())
      const holding = held.hold('/register', 'request')
      client.open()
      const list = client.messages(inTopic('early'))
      await list.load('newest')
      assert.deepEqual(idsOf(list), [one, two])
      assert.equal(client.store.state.isRegistered, false)
      const { generation } = list.state
      // There is no event about this.
      await alice.patch(`/messages/${one}`, { content: 'edited' })
      await at.people.olga.delete(`/messages/${two}`)
      holding.release()
      await until('the change', () => list.state.messages[0]?.content === '<p>edited</p>')
      assert.deepEqual(idsOf(list), [one])
      assert.equal(list.state.generation, generation)
    })

    it('adds new messages to a search if the server finds them', async () => {
      const ids = [await at.people.alice.say(at.channels.general, 'search', 'a rare word')]
      const client = await opened(at.people.carol)
      const list = client.messages([{ operator: 'search', operand: 'rare' }])
      await list.load('newest')
      assert.deepEqual(idsOf(list), ids)
      assert.match(list.state.matches.get(ids[0] ?? 0)?.match_content ?? '', /highlight/)
      const [other = 0] = await say(1, 'something else')
      ids.push(await at.people.alice.say(at.channels.general, 'search', 'rare again'))
      await until('the next message', () => list.state.messages.length === 2)
      assert.ok(client.store.state.messages.has(other))
      assert.deepEqual([idsOf(list), list.state.haveNewest], [ids, true])
      assert.match(list.state.matches.get(ids[1] ?? 0)?.match_content ?? '', /highlight/)
    })

    it('asks again whether the server finds new messages if there was no answer', async () => {
      const held = new HeldFetch()
      const client = await opened(at.people.carol, { fetch: held.fetch })
      const list = client.messages([{ operator: 'search', operand: 'unanswered' }])
      await list.load('newest')
      held.isDown = true
      const [first = 0] = await say(1, 'unanswered')
      await until('the error', () => list.state.error !== undefined)
      assert.deepEqual(idsOf(list), [])
      held.isDown = false
      await list.older()
      const [second = 0] = await say(1, 'something else')
      await until('the next event', () => client.store.state.messages.has(second))
      await until('the message', () => idsOf(list).includes(first))
      assert.equal(list.state.error, undefined)
    })

    it('follows narrows by conversation, sender and flag', async () => {
      const { alice, bob, carol } = at.people
      const client = await opened(carol)
      const narrows = {
        everything: [],
        direct: [{ operator: 'dm', operand: [alice.id, bob.id] }],
        including: [{ operator: 'dm-including', operand: bob.id }],
        sender: [{ operator: 'sender', operand: bob.id }],
        starred: [{ operator: 'is', operand: 'starred' }],
        mentioned: [{ operator: 'is', operand: 'mentioned' }],
        others: [
          { operator: 'is', operand: 'dm', negated: true },
          { operator: 'sender', operand: alice.id },
        ],
      } satisfies Record<string, readonly NarrowTerm[]>
      const lists = Object.entries(narrows).map(
        ([name, narrow]) => [name, client.messages(narrow)] as const,
      )
      for (const [, list] of lists) await list.load('newest')
      const before = new Map(lists.map(([name, list]) => [name, idsOf(list).length]))
      const one = await alice.whisper([bob, carol], 'one')
      const two = await bob.whisper([carol], 'two')
      const three = await alice.say(at.channels.general, 'narrows', '@**Carol Test**')
      const flags = { messages: [one, two], op: 'add', flag: 'starred' }
      await carol.post('/messages/flags', flags)
      const fresh = (name: keyof typeof narrows): readonly number[] => {
        const list = lists.find(([other]) => other === name)?.[1]
        return list === undefined ? [] : idsOf(list).slice(before.get(name))
      }
      await until('the flags', () => fresh('starred').length === 2)
      assert.deepEqual(fresh('everything'), [one, two, three])
      assert.deepEqual(fresh('direct'), [one])
      assert.deepEqual(fresh('including'), [one, two])
      assert.deepEqual(fresh('sender'), [two])
      assert.deepEqual(fresh('starred'), [one, two])
      assert.deepEqual(fresh('mentioned'), [three])
      assert.deepEqual(fresh('others'), [three])
    })

    it('gets an old message that the user stars elsewhere', async () => {
      const { carol } = at.people
      const [id = 0] = await say(1, 'to be starred')
      const client = await opened(carol)
      const list = client.messages([{ operator: 'is', operand: 'starred' }])
      await list.load('newest')
      assert.equal(client.store.state.messages.has(id), false)
      await carol.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
      await until('the message', () => idsOf(list).includes(id))
      await carol.post('/messages/flags', { messages: [id], op: 'remove', flag: 'starred' })
      await until('the flag', () => !client.store.state.starred.has(id))
      // It does not disappear while the user looks at the list.
      assert.deepEqual(list.state.messages.find((message) => message.id === id)?.flags, [])
    })

    it('is empty when its channel is lost, and has it back', async () => {
      const { alice, carol } = at.people
      const { secret } = at.channels
      const id = await alice.say(secret, 'private', 'for us')
      const client = await opened(carol)
      const list = client.messages(inTopic('private', secret))
      await list.load('newest')
      assert.deepEqual([list.state.messages, list.state.error], [[], undefined])
      const params = { subscriptions: [{ name: 'secret' }], principals: [carol.id] }
      await alice.post('/users/me/subscriptions', params)
      await until('the message', () => list.state.messages[0]?.id === id)
      await carol.delete('/users/me/subscriptions', { subscriptions: ['secret'] })
      await until('the loss', () => list.state.messages.length === 0)
      assert.equal(client.store.state.messages.has(id), false)
    })

    it('loses what was sent before the user joined when its history becomes protected', async () => {
      const { alice, bob, olga } = at.people
      const { design } = at.channels
      const before = await alice.say(design, 'history', 'before')
      const name = { subscriptions: [{ name: 'design' }], principals: [at.people.mona.id] }
      await alice.post('/users/me/subscriptions', name)
      const received = await bob.say(design, 'history', 'after')
      const list = (await opened(at.people.mona)).messages(inTopic('history', design))
      await list.load('newest')
      assert.deepEqual(idsOf(list), [before, received])
      await olga.patch(`/streams/${design}`, {
        is_private: true,
        history_public_to_subscribers: false,
      })
      await until('the loss', () => list.state.messages.length === 1)
      assert.deepEqual(idsOf(list), [received])
    })

    it('says why a request has failed, and can be loaded again', async () => {
      const [id] = await say(1, 'failing')
      const held = new HeldFetch()
      const client = await opened(at.people.carol, { fetch: held.fetch })
      const list = client.messages(inTopic('failing'))
      let notifications = 0
      list.subscribe(() => (notifications += 1))
      held.isDown = true
      await list.load('newest')
      assert.match(String(list.state.error), /network/)
      assert.equal(list.state.isLoading, undefined)
      assert.equal(notifications, 2)
      held.isDown = false
      await list.load('newest')
      assert.equal(list.state.error, undefined)
      assert.deepEqual(idsOf(list), [id])
      list.close()
      await say(1, 'failing')
      assert.equal(notifications, 4)
    })
  },
  { resolveOrganization: undefined } as never,
)
