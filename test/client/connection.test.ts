import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import { ApiError, ChatClient, ConnectionError, type SocketConstructor } from '@parley/client'
import { WebSocket } from 'ws'

import type { Client } from '../support/client.js'
import { everyDatabase } from '../support/host.js'
import { until } from '../support/waiting.js'
import { Told } from './told.js'

everyDatabase(
  'a client in Node.js',
  'express',
  (at) => {
    const closings: (() => Promise<void>)[] = []
    afterEach(async () => {
      for (const close of closings.splice(0)) await close()
    })

    function clientOf({ email, credentials }: Client, socket?: SocketConstructor): ChatClient {
      const apiKey = credentials?.apiKey ?? ''
      return new ChatClient({
        url: at.host.origin,
        credentials: { type: 'apiKey', email, apiKey },
        ...(socket !== undefined && { WebSocket: socket }),
      })
    }

    async function connected(user: Client, socket?: SocketConstructor): Promise<Told> {
      const told = new Told()
      const registration = { event_types: ['message'], fetch_event_types: ['realm_user'] }
      const connection = clientOf(user, socket).connection(registration, told)
      closings.push(() => connection.close())
      connection.open()
      await until('the connection', () => told.isConnected)
      return told
    }

    it('calls operations, and tells what the server refuses', async () => {
      const { api } = clientOf(at.people.alice)
      const { id } = await api.sendMessage({
        type: 'channel',
        to: at.channels.general,
        topic: 'tea & [milk]',
        content: 'with "sugar"',
      })
      const { messages } = await api.getMessages({
        anchor: id,
        num_before: 0,
        num_after: 0,
        narrow: [{ operator: 'channel', operand: at.channels.general }],
        apply_markdown: false,
      })
      assert.deepEqual(
        messages.map(({ subject, content }) => [subject, content]),
        [['tea & [milk]', 'with "sugar"']],
      )
      await assert.rejects(api.deleteMessage({ message_id: id + 1000 }), (error) => {
        assert.ok(error instanceof ApiError)
        assert.equal(error.status, 400)
        return true
      })
    })

    it('receives events by long polls from a server without WebSockets', async () => {
      const { alice, bob } = at.people
      const told = new Told()
      const client = new ChatClient({
        url: at.host.origin,
        credentials: { type: 'apiKey', email: bob.email, apiKey: bob.credentials?.apiKey ?? '' },
        WebSocket: WebSocket as unknown as SocketConstructor,
        fetch: (address, init) =>
          address === `${at.host.origin}/api/v1/events/ticket`
            ? Promise.resolve(Response.json({ result: 'error', msg: 'No' }, { status: 404 }))
            : fetch(address, init),
      })
      const connection = client.connection({ event_types: ['message'] }, told)
      closings.push(() => connection.close())
      connection.open()
      await until('the connection', () => told.isConnected)
      await alice.say(at.channels.general, 'polls', 'hello')
      await until('the events', () => told.contents.length > 0)
      assert.deepEqual(told.contents, ['hello'])
      assert.deepEqual(connection.state, { kind: 'connected', by: 'poll' })
    })

    it('uploads files, and returns them', async () => {
      const { api } = clientOf(at.people.alice)
      const content = new Blob(['a leaf'], { type: 'text/plain' })
      const { url } = await api.uploadFile({ file: { name: 'leaf.txt', content } })
      const [, realm = '', ...path] = url.replace('/user_uploads', '').split('/')
      const file = await api.readFile({ realm_id_str: Number(realm), filename: path.join('/') })
      assert.equal(await file.text(), 'a leaf')
    })

    it('tells apart what is not the chat', async () => {
      const { api } = new ChatClient({ url: `${at.host.origin}/elsewhere` })
      await assert.rejects(
        api.sendMessage({ type: 'direct', to: [1], content: '' }),
        (error) => error instanceof ConnectionError && /the option url/.test(error.message),
      )
    })

    for (const [name, socket] of [
      ['a WebSocket', WebSocket as unknown as SocketConstructor],
      ['long polls', undefined],
    ] as const) {
      it(`receives events by ${name}`, async () => {
        const told = await connected(at.people.bob, socket)
        assert.deepEqual(told.states.at(-1), {
          kind: 'connected',
          by: socket === undefined ? 'poll' : 'socket',
        })
        for (const content of ['one', 'two', 'three']) {
          await at.people.alice.say(at.channels.general, name, content)
        }
        await until('the events', () => told.contents.length === 3)
        assert.deepEqual(told.contents, ['one', 'two', 'three'])
        assert.equal(told.registrations.length, 1)
      })

      it(`registers again if its queue is gone, by ${name}`, async () => {
        const told = await connected(at.people.bob, socket)
        const { queue_id } = told.registrations[0] as { queue_id: string }
        await at.people.bob.delete('/events', { queue_id })
        await until('another queue', () => told.registrations.length === 2 && told.isConnected)
        await at.people.alice.say(at.channels.general, name, 'after')
        await until('the events', () => told.contents.length > 0)
        assert.deepEqual(told.contents, ['after'])
      })

      it(`registers again if the application fails to take an event, by ${name}`, async () => {
        const told = await connected(at.people.bob, socket)
        const failures: unknown[] = []
        const problem = new Error('a garbled state')
        Object.assign(told, {
          failed: (error: unknown) => failures.push(error),
          received() {
            delete (told as Partial<Told>).received
            throw problem
          },
        })
        await at.people.alice.say(at.channels.general, name, 'lost')
        await until('another state', () => told.registrations.length === 2 && told.isConnected)
        assert.deepEqual(failures, [problem])
        await at.people.alice.say(at.channels.general, name, 'taken')
        await until('the events', () => told.contents.length > 0)
        assert.deepEqual(told.contents, ['taken'])
      })

      it(`deletes its queue when it is closed, by ${name}`, async () => {
        const told = await connected(at.people.bob, socket)
        const { queue_id } = told.registrations[0] as { queue_id: string }
        await closings.pop()?.()
        assert.deepEqual(told.states.at(-1), { kind: 'closed' })
        const answer = await at.people.bob.get('/events', { queue_id, last_event_id: -1 })
        assert.equal(answer.body.code, 'BAD_EVENT_QUEUE_ID')
      })
    }
  },
  { resolveOrganization: undefined } as never,
)
