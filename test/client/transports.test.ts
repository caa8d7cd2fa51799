import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'

import { ChatClient, type SocketConstructor } from '@parley/client'
import { WebSocket } from 'ws'

import { Connection } from '../../packages/client/src/connection.js'
import { Authorization } from '../../packages/client/src/credentials.js'
import { Http } from '../../packages/client/src/http.js'
import { PollTransport } from '../../packages/client/src/poll-transport.js'
import { everyDatabase } from '../support/host.js'
import { until } from '../support/waiting.js'
import { chatClientOf, socketOfNode } from './clients.js'
import { Page } from './page.js'
import { Told } from './told.js'

const minuteMilliseconds = 60_000

everyDatabase(
  'a client whose WebSockets do not open',
  'express',
  (at) => {
    it('uses long polls, and returns to WebSockets later without a gap', async () => {
      const { alice, bob } = at.people
      const page = new Page()
      const told = new Told()
      let refusals = 1
      let attempts = 0
      const Refusing = class extends (socketOfNode as new (url: string) => object) {
        constructor(url: string) {
          attempts += 1
          refusals -= 1
          super(refusals >= 0 ? url.replace('/events', '/nothing') : url)
        }
      } as SocketConstructor
      const url = at.host.origin
      const { api } = new ChatClient({
        url,
        credentials: { type: 'apiKey', email: bob.email, apiKey: bob.credentials?.apiKey ?? '' },
      })
      const environment = { ...page.environment, WebSocket: Refusing }
      const options = { url, registration: { event_types: ['message'] } }
      const connection = new Connection(api, environment, options, told)
      const ways = (): readonly string[] =>
        told.states.map((state) => (state.kind === 'connected' ? state.by : state.kind))
      try {
        connection.open()
        await until('polls', () => told.isConnected)
        assert.equal(attempts, 1)
        assert.equal(ways().at(-1), 'poll')
        await alice.say(at.channels.general, 'ways', 'one')
        await until('an event', () => told.contents.length === 1)

        const before = told.states.length
        refusals = 1
        page.passSlowly(minuteMilliseconds / 2)
        await until('an attempt', () => attempts === 2)
        await alice.say(at.channels.general, 'ways', 'two')
        await until('an event', () => told.contents.length === 2)
        assert.equal(told.states.length, before)
        page.passSlowly(4 * minuteMilliseconds)
        assert.equal(attempts, 2)
        page.passSlowly(minuteMilliseconds)
        await until('a WebSocket', () => ways().at(-1) === 'socket')
        assert.equal(told.states.length, before + 1)
        await alice.say(at.channels.general, 'ways', 'three')
        await until('an event', () => told.contents.length === 3)
        assert.deepEqual(told.contents, ['one', 'two', 'three'])
        assert.equal(told.registrations.length, 1)
      } finally {
        await connection.close()
      }
      assert.equal(page.timers, 0)
    })

    it('uses long polls after two seconds if the first gets no answer', async () => {
      const { alice, bob } = at.people
      const page = new Page()
      const told = new Told()
      const silent = createServer()
      silent.on('upgrade', () => {})
      silent.listen(0, '127.0.0.1')
      await once(silent, 'listening')
      const { port } = silent.address() as AddressInfo
      const begun = new Set<string>()
      const Silent = class extends (socketOfNode as new (url: string) => object) {
        constructor(url: string) {
          begun.add(url)
          super(url.replace(/:\d+/, `:${port}`))
        }
      } as SocketConstructor
      const { api } = chatClientOf(bob)
      const environment = { ...page.environment, WebSocket: Silent }
      const options = { url: at.host.origin, registration: { event_types: ['message'] } }
      const connection = new Connection(api, environment, options, told)
      try {
        connection.open()
        await until('an attempt', () => begun.size === 1)
        page.passSlowly(1900)
        await alice.say(at.channels.general, 'silence', 'one')
        assert.equal(told.isConnected, false)
        page.passSlowly(200)
        await until('the event', () => told.contents.length === 1)
        assert.deepEqual(
          told.states.map(({ kind }) => kind),
          ['connecting', 'connected'],
        )
      } finally {
        await connection.close()
        silent.closeAllConnections()
        silent.close()
      }
      assert.equal(page.timers, 0)
    })

    it('uses long polls if their frames are held back, and tries again more seldom', async () => {
      const { alice, bob } = at.people
      const page = new Page()
      const told = new Told()
      // Behind a proxy that passes on nothing but the first frame.
      const Stalling = class extends WebSocket {
        override addEventListener(name: string, listener: unknown, options?: object): void {
          const isFirstOnly = name === 'message' ? { ...options, once: true } : options
          super.addEventListener(name as 'message', listener as () => void, isFirstOnly)
        }
      } as unknown as SocketConstructor
      const { api } = chatClientOf(bob)
      const environment = { ...page.environment, WebSocket: Stalling }
      const options = { url: at.host.origin, registration: { event_types: ['message'] } }
      const connection = new Connection(api, environment, options, told)
      const ways = (): readonly string[] =>
        told.states.flatMap((state) => (state.kind === 'connected' ? [state.by] : []))
      try {
        connection.open()
        await until('a WebSocket', () => told.isConnected)
        await alice.say(at.channels.general, 'stalls', 'one')
        page.passSlowly(64_000)
        assert.deepEqual(told.contents, [])
        page.passSlowly(2000)
        await until('the event', () => told.contents.length === 1)
        assert.deepEqual(ways(), ['socket', 'poll'])

        page.passSlowly(5 * minuteMilliseconds)
        await until('another WebSocket', () => ways().length === 3)
        await alice.say(at.channels.general, 'stalls', 'two')
        page.passSlowly(66_000)
        await until('the next event', () => told.contents.length === 2)
        page.passSlowly(9 * minuteMilliseconds)
        assert.deepEqual(ways(), ['socket', 'poll', 'socket', 'poll'])
        assert.deepEqual(told.contents, ['one', 'two'])
        assert.equal(told.registrations.length, 1)
      } finally {
        await connection.close()
      }
      assert.equal(page.timers, 0)
    })
  },
  { resolveOrganization: undefined } as never,
)

describe('long polls of a server that does not work', () => {
  let isSilent = false
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    request.resume()
    if (isSilent) return
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end('{"result":"success","msg":"","events":[]}')
  })
  let page: Page
  let polls: PollTransport

  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  beforeEach(() => {
    requests = 0
    page = new Page()
    const http = new Http({
      // A server that listens on a port has an address of this kind.
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      authorization: new Authorization({ type: 'session' }),
      environment: page.environment,
      timeoutMilliseconds: 90_000,
      userAgent: undefined,
    })
    polls = new PollTransport(http.api, page.environment)
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  it('end after 65 seconds without an answer', async () => {
    isSilent = true
    const signal = new AbortController().signal
    const ended = assert.rejects(polls.run('1:x', -1, { received() {} }, signal), {
      code: 'TIMEOUT',
    })
    await until('the request', () => requests === 1)
    page.pass(64_000)
    assert.equal(page.timers, 1)
    page.pass(1000)
    await ended
    assert.equal(requests, 1)
    assert.equal(page.timers, 0)
  })

  it('are not repeated without end if it answers at once, and nothing', async () => {
    isSilent = false
    const ending = new AbortController()
    let batches = 0
    const received = (): void => void (batches += 1)
    const running = polls.run('1:x', -1, { received }, ending.signal)
    for (let seconds = 0; seconds < 3; seconds += 1) {
      // The first answer comes at once from every server.
      await until('the delay', () => batches === seconds + 2 && page.timers === 1)
      assert.equal(requests, seconds + 2)
      page.pass(1000)
    }
    await until('the delay', () => batches === 5 && page.timers === 1)
    ending.abort()
    await assert.rejects(running)
    assert.equal(page.timers, 0)
  })
})
