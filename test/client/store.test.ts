import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import {
  ApiError,
  directKey,
  topicKey,
  type ChatClient,
  type ChatState,
  type ClientOptions,
  type SocketConstructor,
} from '@parley/client'
import { WebSocket } from 'ws'

import { LiveStore } from '../../packages/client/src/store/live-store.js'
import { stateOf, storeRegistration } from '../../packages/client/src/store/registered.js'
import type { Client } from '../support/client.js'
import { everyDatabase } from '../support/host.js'
import { until } from '../support/waiting.js'
import { chatClientOf } from './chat-client.js'
import { HeldFetch } from './held-fetch.js'
import { Page } from './page.js'

/** Counts the frames with events, and can garble the next one. */
class Frames {
  count = 0
  garbles = false

  get Socket(): SocketConstructor {
    const note = (data: unknown): string => this.#note(String(data))
    class Socket extends WebSocket {
      override emit(name: string | symbol, ...values: unknown[]): boolean {
        if (name !== 'message') return super.emit(name, ...values)
        const [data, ...rest] = values
        return super.emit(name, note(data), ...rest)
      }
    }
    // It has more kinds of events than the client needs.
    return Socket as unknown as SocketConstructor
  }

  #note(text: string): string {
    const frame: { readonly events?: readonly { readonly id: number }[] } = JSON.parse(text)
    if (frame.events === undefined) return text
    this.count += 1
    if (!this.garbles) return text
    this.garbles = false
    return JSON.stringify({ events: frame.events.map(({ id }) => ({ id, type: 'message' })) })
  }
}

everyDatabase(
  'a live store',
  'express',
  (at) => {
    const closings: (() => Promise<void>)[] = []
    afterEach(async () => {
      for (const close of closings.splice(0)) await close()
    })

    async function opened(user: Client, options: Partial<ClientOptions> = {}): Promise<ChatClient> {
      await user.post('/mark_all_as_read')
      const client = chatClientOf(user, options)
      closings.push(() => client.close())
      client.open()
      await until('the registration', () => client.store.state.connection.kind === 'connected')
      return client
    }

    /** The values that a part of the state has from now on. */
    function noted<Value>({ store }: ChatClient, select: (state: ChatState) => Value): Value[] {
      const values: Value[] = []
      store.subscribe(select, (value) => values.push(value))
      return values
    }

    it('is empty until it is registered, and then has everything at once', async () => {
      const { alice, bob } = at.people
      const client = chatClientOf(alice)
      closings.push(() => client.close())
      const states = noted(client, (state) => state)
      assert.equal(client.store.state.isRegistered, false)
      assert.equal(client.store.state.channels.size, 0)
      client.open()
      await until('the connection', () => client.store.state.connection.kind === 'connected')
      const { me, users, channels, organization } = client.store.state
      assert.equal(me.user_id, alice.id)
      assert.equal(users.get(bob.id)?.full_name, 'Bob Test')
      assert.equal(users.get(at.people.dora.id)?.is_active, false)
      assert.equal(channels.get(at.channels.secret)?.subscription?.is_muted, false)
      assert.equal(channels.get(at.channels.empty)?.subscription, undefined)
      assert.deepEqual(channels.get(at.channels.secret)?.subscribers, [alice.id])
      assert.equal(organization.realm_name, 'Test')
      assert.equal(states.filter(({ isRegistered }) => isRegistered).length, 2)
      assert.deepEqual(
        states.map(({ connection, isRegistered }) => [connection.kind, isRegistered]),
        [
          ['connecting', false],
          ['connecting', true],
          ['connected', true],
        ],
      )
    })

    it('notifies once for each frame, and keeps what has not changed', async () => {
      const { alice, bob } = at.people
      const frames = new Frames()
      const client = await opened(bob, { WebSocket: frames.Socket })
      const before = client.store.state
      const notifications = noted(client, (state) => state)
      const channels = noted(client, (state) => state.channels)
      const answer = await alice.post('/channels/create', {
        name: 'one frame',
        subscribers: [alice.id, bob.id],
      })
      const id: number = answer.body.id
      await until('the channel', () => client.store.state.channels.has(id))
      assert.equal(client.store.state.channels.get(id)?.subscribers.length, 2)
      assert.equal(channels.length, 1)
      assert.equal(notifications.length, frames.count)
      const { users, groups, drafts, me } = client.store.state
      assert.ok(users === before.users && groups === before.groups && drafts === before.drafts)
      assert.equal(me, before.me)
      const { general } = at.channels
      assert.equal(client.store.state.channels.get(general), before.channels.get(general))
    })

    it('reports what a listener has thrown, and calls the others', async () => {
      const { alice, bob } = at.people
      const errors: unknown[] = []
      const held = new HeldFetch()
      const client = await opened(bob, {
        fetch: held.fetch,
        onError: (error) => errors.push(error),
      })
      const problem = new Error('of the page')
      const stop = client.store.subscribe(
        (state) => state.messages,
        () => {
          throw problem
        },
      )
      const list = client.messages([])
      await list.load('newest')
      errors.splice(0)
      list.subscribe(() => {
        throw problem
      })
      const others = noted(client, (state) => state.messages)
      await alice.say(at.channels.general, 'listeners', 'one')
      await until('the message', () => others.length > 0)
      assert.deepEqual(errors, [problem, problem])
      stop()
      await alice.say(at.channels.general, 'listeners', 'two')
      await until('the next message', () => others.length > 1)
      assert.equal(errors.length, 3)
      assert.equal(held.count('/register'), 1)
    })

    it('registers again when it cannot apply an event', async () => {
      const { alice, bob } = at.people
      const frames = new Frames()
      const errors: unknown[] = []
      const client = await opened(bob, {
        WebSocket: frames.Socket,
        onError: (error) => errors.push(error),
      })
      const list = client.messages([])
      await list.load('newest')
      frames.garbles = true
      const id = await alice.say(at.channels.general, 'garbled', 'lost')
      await until('the message', () => list.state.messages.at(-1)?.id === id)
      assert.equal(errors.length, 1)
      assert.deepEqual(client.store.state.unread.channels.get(at.channels.general)?.count, 1)
    })

    it('is replaced at once when its queue is gone, with its lists', async () => {
      const { alice, bob, olga } = at.people
      const held = new HeldFetch()
      let queueId = ''
      held.change = (path, answer) => {
        if (path === '/register') queueId = String(answer['queue_id'])
      }
      const client = await opened(bob, { fetch: held.fetch })
      const { general } = at.channels
      const [first = 0, second = 0, third = 0] = await Promise.all(
        ['first', 'second', 'third'].map((content) => alice.say(general, 'gone', content)),
      )
      const list = client.messages([
        { operator: 'channel', operand: general },
        { operator: 'topic', operand: 'gone' },
      ])
      await list.load('newest')
      assert.equal(list.state.messages.length, 3)
      const { generation } = list.state
      const registering = held.hold('/register', 'request')
      await bob.delete('/events', { queue_id: queueId })
      await registering.made()
      await olga.patch(`/streams/${general}`, { new_name: 'anew' })
      await olga.patch(`/users/${alice.id}`, { full_name: 'Alice Anew' })
      await alice.patch(`/messages/${first}`, { content: 'edited' })
      await olga.delete(`/messages/${second}`)
      const fourth = await alice.say(general, 'gone', 'fourth')
      const seen: (readonly [string | undefined, string | undefined, number])[] = []
      const note = (): void => {
        const { channels, users, unread } = client.store.state
        seen.push([channels.get(general)?.name, users.get(alice.id)?.full_name, unread.total])
      }
      for (const select of [
        (state: ChatState) => state.channels,
        (state: ChatState) => state.users,
        (state: ChatState) => state.unread,
      ]) {
        client.store.subscribe<unknown>(select, note)
      }
      assert.equal(list.state.messages.length, 3)
      registering.release()
      await until('the new state', () => seen.length > 0)
      // A message says that the channel was renamed.
      const unread = ['anew', 'Alice Anew', 4] as const
      assert.deepEqual(seen, [unread, unread, unread])
      await until('the list', () => list.state.messages.at(-1)?.id === fourth)
      assert.deepEqual(
        list.state.messages.map(({ id, content }) => [id, content]),
        [
          [first, '<p>edited</p>'],
          [third, '<p>third</p>'],
          [fourth, '<p>fourth</p>'],
        ],
      )
      assert.equal(list.state.generation, generation)
      assert.equal(list.state.haveNewest, true)
    })

    it('counts unread messages as the server does', async () => {
      const { alice, bob, carol } = at.people
      const { general, design } = at.channels
      const client = await opened(bob)
      const compare = async (title: string, total: number, mentions: number): Promise<void> => {
        const marker = await bob.whisper([bob], title)
        await until(title, () => client.store.state.messages.has(marker))
        const registration = await client.api.registerQueue(storeRegistration)
        await client.api.deleteQueue({ queue_id: registration.queue_id ?? '' })
        const { unread } = client.store.state
        assert.deepEqual(unread, stateOf(registration, { kind: 'closed' }).unread, title)
        const markers = unread.direct.get(directKey([], bob.id))?.length ?? 0
        assert.deepEqual([unread.total - markers, unread.mentions.length], [total, mentions], title)
        assert.equal(unread.total, registration.unread_msgs?.count)
      }
      const one = await alice.say(general, 'Tea', 'one')
      const two = await alice.say(general, 'tea', '@**Bob Test**')
      const three = await carol.say(general, 'coffee', '@**all**')
      const four = await alice.say(design, 'coffee', 'four')
      const five = await alice.whisper([bob], 'five')
      const six = await alice.whisper([bob, carol], 'six')
      await compare('sent', 6, 2)
      const { unread } = client.store.state
      assert.deepEqual(unread.channels.get(general)?.topics.get('tea')?.ids, [one, two])
      assert.deepEqual(unread.direct.get(directKey([bob.id, carol.id, alice.id], bob.id)), [six])
      await bob.post('/user_topics', { stream_id: general, topic: 'coffee', visibility_policy: 1 })
      await compare('a topic is muted', 5, 1)
      const mute = { stream_id: design, property: 'is_muted', value: true }
      await bob.post('/users/me/subscriptions/properties', { subscription_data: [mute] })
      await compare('a channel is muted', 4, 1)
      await at.people.olga.patch(`/messages/${four}`, {
        topic: 'tea',
        stream_id: general,
        send_notification_to_new_thread: false,
      })
      await compare('a message is moved', 5, 1)
      await alice.patch(`/messages/${one}`, { content: '@**Bob Test** one' })
      await alice.patch(`/messages/${five}`, { content: '@**Bob Test** five' })
      await compare('messages are edited', 5, 3)
      await bob.post('/messages/flags', { messages: [two, five], op: 'add', flag: 'read' })
      await compare('messages are read', 3, 1)
      await bob.post('/messages/flags', { messages: [two], op: 'remove', flag: 'read' })
      await compare('a message is unread again', 4, 2)
      await at.people.olga.delete(`/messages/${three}`)
      await at.people.olga.delete(`/messages/${one}`)
      await compare('messages are deleted', 3, 1)
      await bob.post('/mark_all_as_read')
      await compare('everything is read', 0, 0)
    })

    it('says if the server knows more unread messages', async () => {
      const held = new HeldFetch()
      held.change = (path, answer) => {
        if (path === '/register') {
          answer['unread_msgs'] = { ...Object(answer['unread_msgs']), old_unreads_missing: true }
        }
      }
      const client = await opened(at.people.carol, { fetch: held.fetch })
      assert.equal(client.store.state.unread.old_unreads_missing, true)
      await at.people.carol.post('/mark_all_as_read')
      await until('the flag', () => !client.store.state.unread.old_unreads_missing)
    })

    it('knows who is typing, until they send or stop', async () => {
      const { alice, bob } = at.people
      const { store } = await opened(bob)
      const { general } = at.channels
      const typing = (op: string): Promise<unknown> =>
        alice.post('/typing', { type: 'channel', stream_id: general, topic: 'Types', op })
      const typists = (): readonly number[] => [
        ...(store.state.typing.get(topicKey(general, 'types'))?.keys() ?? []),
      ]
      for (const end of [() => typing('stop'), () => alice.say(general, 'types', 'sent')]) {
        await typing('start')
        await until('the sign', () => typists().length === 1)
        assert.deepEqual(typists(), [alice.id])
        await end()
        await until('the end', () => store.state.typing.size === 0)
      }
      await alice.post('/typing', { type: 'direct', to: [bob.id], op: 'start' })
      await until('the direct sign', () => store.state.typing.has(directKey([alice.id], bob.id)))
    })

    it('forgets who is typing after the time that the server names', async () => {
      const { alice, bob } = at.people
      const page = new Page()
      const { api } = chatClientOf(bob)
      const { environment } = page
      const store = new LiveStore({ api, environment, onError: assert.ifError })
      const registration = await api.registerQueue(storeRegistration)
      const queue = { queue_id: registration.queue_id ?? '' }
      store.registered(registration)
      await alice.post('/typing', { type: 'direct', to: [bob.id], op: 'start' })
      const { events } = await api.getEvents({ ...queue, last_event_id: -1 })
      await api.deleteQueue(queue)
      store.received(events)
      const counts: number[] = []
      store.subscribe(
        ({ typing }) => typing.size,
        (count) => counts.push(count),
      )
      const milliseconds = registration.server_typing_started_expiry_period_milliseconds ?? 0
      page.pass(milliseconds - 1000)
      assert.equal(store.state.typing.size, 1)
      store.received(events)
      page.pass(1000)
      assert.equal(store.state.typing.size, 1)
      page.pass(milliseconds - 1000)
      assert.deepEqual(counts, [0])
      assert.equal(page.timers, 0)
      store.received(events)
      assert.equal(page.timers, 1)
      store.changed({ kind: 'closed' })
      assert.equal(page.timers, 0)
      assert.deepEqual(counts, [0, 1, 0])
    })

    it('reports the newest state last, also if a listener changes it', async () => {
      const { api } = chatClientOf(at.people.bob)
      const { environment } = new Page()
      const store = new LiveStore({ api, environment, onError: assert.ifError })
      store.subscribe(
        ({ connection }) => connection.kind,
        (kind) => {
          if (kind === 'refused') store.changed({ kind: 'replaced' })
        },
      )
      const kinds: string[] = []
      store.subscribe(
        ({ connection }) => connection.kind,
        (kind) => kinds.push(kind),
      )
      store.changed({ kind: 'refused', error: new ApiError(400, {}) })
      assert.deepEqual(kinds, ['replaced'])
    })

    it('knows who is present', async () => {
      const { bob, carol } = at.people
      const { store } = await opened(bob)
      assert.equal(store.state.presence.get(carol.id), undefined)
      await carol.post('/users/me/presence', { status: 'active' })
      await until('the presence', () => store.state.presence.has(carol.id))
      assert.equal(store.state.presence.get(carol.id)?.active_timestamp, at.clock.seconds)
    })

    it('is empty again after the credentials have become invalid', async () => {
      const { carol, olga } = at.people
      const client = await opened(carol)
      const list = client.messages([])
      await list.load('newest')
      await olga.delete(`/users/${carol.id}`)
      await until('the end', () => client.store.state.connection.kind === 'signedOut')
      assert.equal(client.store.state.isRegistered, false)
      assert.equal(client.store.state.users.size, 0)
      assert.equal(list.state.messages.length, 0)
      await olga.post(`/users/${carol.id}/reactivate`)
    })
  },
  { resolveOrganization: undefined } as never,
)
