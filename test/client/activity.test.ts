import assert from 'node:assert/strict'
import { beforeEach, it } from 'node:test'

import type { ChatClient, Registration, ServerEvent } from '@parley/client'

import { Presence } from '../../packages/client/src/presence.js'
import { Typing } from '../../packages/client/src/typing.js'
import type { EventFeed } from '../support/event-feed.js'
import { everyDatabase } from '../support/host.js'
import { listenAll } from '../support/typing.js'
import { until } from '../support/waiting.js'
import { chatClientOf } from './clients.js'
import { Page } from './page.js'

everyDatabase(
  'what a client tells about its user',
  'express',
  (at) => {
    let page: Page
    let client: ChatClient
    let registration: Registration
    /** What the client has called, when the server has answered. */
    let calls: string[]

    beforeEach(async () => {
      page = new Page()
      calls = []
      client = chatClientOf(at.people.alice, {
        fetch: async (address, init) => {
          const response = await fetch(address, init)
          const form = init?.body
          if (typeof address === 'string' && form instanceof URLSearchParams) {
            const what = form.get('op') ?? form.get('status')
            const where = form.get('topic') ?? form.get('to')
            if (what !== null) calls.push([what, ...(where === null ? [] : [where])].join(' '))
            assert.equal(response.status, 200)
          }
          return response
        },
      })
      registration = await client.api.registerQueue({ event_types: ['realm', 'user_settings'] })
      await client.api.deleteQueue({ queue_id: registration.queue_id ?? '' })
    })

    const called = async (...expected: string[]): Promise<void> => {
      await until(expected.join(), () => calls.length >= expected.length, { instead: () => calls })
      assert.deepEqual(calls.splice(0), expected)
    }

    it('is that the user is typing: at the intervals of the server, until a pause', async () => {
      const [feed] = (await listenAll(at.people.bob)) as [EventFeed]
      const typing = new Typing(client.api, page.environment)
      const to = { channel: at.channels.general, topic: 'typing' }
      typing.typed(to)
      await called()
      typing.registered(registration)
      typing.typed(to)
      await called('start typing')
      for (let second = 1; second <= 29; second += 1) {
        page.pass(1000)
        typing.typed({ ...to, topic: 'Typing' })
      }
      assert.deepEqual(calls, [])
      page.pass(1000)
      typing.typed(to)
      await called('start typing')
      page.pass(11_999)
      assert.deepEqual(calls, [])
      page.pass(1)
      await called('stop typing')
      assert.equal(page.timers, 0)
      const events = await feed.drain()
      assert.deepEqual(
        events.map(({ op, topic }) => [op, topic]),
        [
          ['start', 'typing'],
          ['start', 'typing'],
          ['stop', 'typing'],
        ],
      )
    })

    it('is that the user has stopped, when another conversation is typed in', async () => {
      const typing = new Typing(client.api, page.environment)
      typing.registered(registration)
      typing.typed({ channel: at.channels.general, topic: 'one' })
      await called('start one')
      typing.typed({ direct: [at.people.bob.id] })
      await called('stop one', `start [${at.people.bob.id}]`)
      typing.stop()
      typing.stop()
      await called(`stop [${at.people.bob.id}]`)
      assert.equal(page.timers, 0)
    })

    it('is not that the user is typing, if the user does not want it', async () => {
      const typing = new Typing(client.api, page.environment)
      typing.registered(registration)
      const change = (value: boolean): void => {
        const property = 'send_stream_typing_notifications'
        const event: ServerEvent = { type: 'user_settings', op: 'update', id: 1, property, value }
        typing.received([event])
      }
      change(false)
      typing.typed({ channel: at.channels.general, topic: 'private' })
      assert.equal(page.timers, 0)
      typing.typed({ direct: [at.people.bob.id] })
      await called(`start [${at.people.bob.id}]`)
      change(true)
      typing.stop()
      typing.typed({ channel: at.channels.general, topic: 'public' })
      await called(`stop [${at.people.bob.id}]`, 'start public')
      typing.stop()
      await called('stop public')
    })

    it('ends with the message, and with the client', async () => {
      client.open()
      const to = { channel: at.channels.general, topic: 'ends' }
      await until('the connection', () => {
        client.typing(to)
        return calls.length > 0
      })
      client.outbox.send({ to, content: 'x' })
      await called('start ends', 'stop ends')
      client.typing(to)
      await client.close()
      assert.deepEqual(calls, ['start ends', 'stop ends'])
    })

    it('is that the user is active, at the interval of the server; and once that not', async () => {
      const presence = new Presence(client.api, page.environment)
      presence.active()
      presence.registered(registration)
      assert.equal(page.timers, 0)
      presence.changed({ kind: 'connected', by: 'socket' })
      await called('active')
      for (let minute = 1; minute <= 4; minute += 1) {
        page.passSlowly(59_000)
        assert.deepEqual(calls, [])
        page.passSlowly(1000)
        await called('active')
      }
      page.passSlowly(60_000)
      await called('idle')
      page.passSlowly(600_000)
      assert.equal(page.timers, 0)
      assert.deepEqual(calls, [])
      presence.active()
      await called('active')
      presence.close()
      assert.equal(page.timers, 0)
    })

    it('is that the user is idle while the page is hidden, and nothing without a connection', async () => {
      const presence = new Presence(client.api, page.environment)
      presence.registered(registration)
      presence.changed({ kind: 'connected', by: 'socket' })
      assert.deepEqual(calls, [])
      presence.active()
      await called('active')
      page.hidden = true
      page.change('shown')
      await called('idle')
      presence.active()
      assert.equal(page.timers, 0)
      page.hidden = false
      page.change('shown')
      await called('active')
      presence.changed({ kind: 'connecting', since: 0, isOffline: false })
      assert.equal(page.timers, 0)
      presence.active()
      assert.equal(page.timers, 0)
      presence.close()
      assert.deepEqual(calls, [])
    })

    it('holds the end for five seconds at most, if the server does not answer', async () => {
      let begun = 0
      const { api } = chatClientOf(at.people.alice, {
        fetch: (_address, init) =>
          new Promise((_resolve, reject) => {
            begun += 1
            init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
          }),
      })
      const typing = new Typing(api, page.environment)
      typing.registered(registration)
      typing.typed({ channel: at.channels.general, topic: 'the end' })
      await until('the call', () => begun === 1)
      let isClosed = false
      const closing = typing.close().then(() => (isClosed = true))
      page.pass(4999)
      assert.equal(page.timers, 1)
      assert.equal(isClosed, false)
      page.pass(1)
      await closing
      assert.equal(page.timers, 0)
      assert.equal(begun, 1)
    })
  },
  { resolveOrganization: undefined } as never,
)
