import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import { ChatClient } from '@parley/client'

import { Visits } from '../../packages/client/src/visits.js'
import { everyDatabase } from '../support/host.js'
import { until } from '../support/waiting.js'
import { chatClientOf } from './chat-client.js'
import { Page } from './page.js'
import { Told } from './told.js'

everyDatabase(
  'a client without an account',
  'express',
  (at) => {
    const closings: (() => Promise<void>)[] = []
    afterEach(async () => {
      for (const close of closings.splice(0)) await close()
    })

    it('reads what the organization shows to the web, and asks for nothing else', async () => {
      const { alice } = at.people
      const { window, general } = at.channels
      await alice.say(window, 'open', 'For all')
      await alice.say(general, 'closed', 'For users')
      const operations: string[] = []
      const client = chatClientOf(alice, {
        credentials: { type: 'visitor' },
        log: (entry) => {
          if (entry.kind === 'call') operations.push(`${entry.operation} ${entry.status}`)
        },
      })
      closings.push(() => client.close())
      const list = client.messages([])
      await list.load('first_unread')
      client.active()
      client.open()
      await until('the state', () => client.store.state.connection.kind === 'visiting')
      client.typing({ channel: window, topic: 'open' })
      const { state } = client.store
      assert.deepEqual([...state.channels.keys()], [window])
      assert.equal(state.me.user_id, 0)
      const contents = (): readonly string[] => list.state.messages.map(({ content }) => content)
      assert.deepEqual(contents(), ['<p>For all</p>'])

      await alice.say(window, 'open', 'Another one')
      client.retryNow()
      await until('the new message', () => contents().length === 2)
      assert.equal(contents()[1], '<p>Another one</p>')
      assert.equal(list.state.generation, 1)
      await client.close()
      assert.equal(client.store.state.connection.kind, 'closed')
      assert.deepEqual([...new Set(operations)].sort(), ['getMessages 200', 'registerQueue 200'])
    })

    it('reads again every two minutes, but not while the page is hidden', async () => {
      const page = new Page()
      const told = new Told()
      const { api } = chatClientOf(at.people.alice, { credentials: { type: 'visitor' } })
      const visits = new Visits(api, page.environment, {
        registered: (registration) => told.registered(registration),
        changed: (state) => told.changed(state),
        failed: assert.ifError,
      })
      closings.push(() => visits.close())
      const waits = (count: number) => (): boolean =>
        told.registrations.length === count && page.timers === 1
      visits.open()
      await until('the first one', waits(1))
      page.passSlowly(119_000)
      assert.equal(page.timers, 1)
      page.change('shown')
      assert.equal(page.timers, 1, 'it is too early')
      page.pass(1000)
      await until('the second one', waits(2))
      page.hidden = true
      page.passSlowly(600_000)
      assert.equal(page.timers, 0)
      page.hidden = false
      page.change('shown')
      await until('the third one', waits(3))
      visits.retryNow()
      await until('the fourth one', waits(4))
      assert.deepEqual(
        told.states.map(({ kind }) => kind),
        ['connecting', 'visiting', 'visiting', 'visiting', 'visiting'],
      )
      await visits.close()
      assert.equal(page.timers, 0)
      visits.open()
      await until('another one', waits(5))
      void visits.close()
      visits.open()
      await until('one after an end that was not awaited', waits(6))
      const own = told.changed.bind(told)
      told.changed = (state) => {
        own(state)
        void visits.close()
      }
      visits.retryNow()
      await until('the end that the application wants', () => told.states.at(-1)?.kind === 'closed')
      assert.equal(page.timers, 0)
    })

    it('needs no account for the state, but for events', async () => {
      const client = new ChatClient({
        url: at.host.origin,
        credentials: { type: 'visitor' },
        fetch: (address, init) =>
          fetch(address, {
            ...init,
            headers: { 'x-organization': at.people.alice.endpoint.subdomain },
          }),
      })
      const told = new Told()
      const connection = client.connection({ event_types: ['message'] }, told)
      closings.push(() => connection.close())
      connection.open()
      await until('the end', () => connection.state.kind === 'signedOut')
      assert.equal(told.registrations.length, 0)
    })

    it('tries again if there is no answer, and ends when the web may read no more', async () => {
      const { alice, olga } = at.people
      const page = new Page()
      const told = new Told()
      let isBroken = true
      const { api } = chatClientOf(alice, {
        credentials: { type: 'visitor' },
        fetch: (...call) => (isBroken ? Promise.reject(new TypeError('cut')) : fetch(...call)),
      })
      const visits = new Visits(api, page.environment, {
        registered: (registration) => told.registered(registration),
        changed: (state) => told.changed(state),
        failed: assert.ifError,
      })
      closings.push(() => visits.close())
      visits.open()
      await until('the delay', () => page.timers === 1)
      assert.equal(told.states.at(-1)?.kind, 'connecting')
      isBroken = false
      page.passSlowly(30_000)
      await until('the state', () => told.states.at(-1)?.kind === 'visiting')
      await olga.patch('/realm', { enable_spectator_access: false })
      visits.retryNow()
      await until('the end', () => told.states.at(-1)?.kind === 'signedOut')
      assert.equal(page.timers, 0)
    })
  },
  {},
  { settings: { enable_spectator_access: true } },
)
