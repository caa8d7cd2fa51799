import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'

import { ChatClient } from '@parley/client'

import { Connection } from '../../packages/client/src/connection.js'
import { everyDatabase } from '../support/host.js'
import { until } from '../support/waiting.js'
import { CuttingProxy } from './cutting-proxy.js'
import { Page } from './page.js'
import { Told } from './told.js'

everyDatabase(
  'a connected client',
  'express',
  (at) => {
    let proxy: CuttingProxy
    let page: Page
    let told: Told
    let connection: Connection

    beforeEach(async () => {
      const { email, credentials } = at.people.bob
      proxy = await CuttingProxy.before(at.host.origin)
      page = new Page()
      told = new Told()
      const { api } = new ChatClient({
        url: proxy.origin,
        credentials: { type: 'apiKey', email, apiKey: credentials?.apiKey ?? '' },
      })
      const options = { url: proxy.origin, registration: { event_types: ['message'] } }
      connection = new Connection(api, page.environment, options, told)
      connection.open()
      await until('the connection', () => told.isConnected)
    })
    afterEach(async () => {
      await connection.close()
      await proxy.close()
      assert.equal(page.timers, 0)
    })

    const count = (kind: string): number =>
      told.states.filter((state) => state.kind === kind).length

    async function lose(): Promise<void> {
      proxy.isDown = true
      proxy.cut()
      await until('the loss', () => connection.state.kind === 'connecting')
      // The connection is tried again at once; after that, each attempt waits longer.
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const before = proxy.refused
        page.pass(30_000)
        await until('an attempt', () => proxy.refused > before)
        // The watch on the clock, and the delay.
        await until('the next delay', () => page.timers === 2)
      }
    }

    it('says since when it is not, and whether the network is away', async () => {
      page.offline = true
      await lose()
      assert.ok(connection.state.kind === 'connecting')
      assert.equal(connection.state.since, 1_000_000)
      assert.equal(connection.state.isOffline, true)
    })

    it('is connected again at once when the network comes back, or the application asks', async () => {
      for (const again of [() => page.change('network'), () => connection.retryNow()]) {
        await lose()
        proxy.isDown = false
        again()
        await until('the connection', () => told.isConnected)
      }
      assert.equal(told.registrations.length, 1)
    })

    it('is connected again at once also if it waits for an answer that never comes', async () => {
      proxy.isSilent = true
      proxy.cut()
      await until('the loss', () => connection.state.kind === 'connecting')
      page.pass(1000)
      await until('an attempt', () => proxy.connections > 0)
      proxy.isSilent = false
      page.change('network')
      await until('the connection', () => told.isConnected)
      assert.equal(told.registrations.length, 1)
    })

    it('connects anew at once when the network changes, or goes', async () => {
      page.offline = true
      page.change('network')
      await until('another connection', () => count('connected') === 2)
      assert.equal(count('connecting'), 2)
      assert.equal(told.registrations.length, 1)
    })

    it('stays connected when its page is shown', () => {
      page.change('shown')
      assert.equal(count('connecting'), 1)
    })

    it('connects anew when it hears nothing for 65 seconds', async () => {
      page.pass(64_000)
      assert.equal(count('connecting'), 1)
      page.pass(2_000)
      await until('another connection', () => count('connected') === 2)
    })

    it('stays connected while its page is hidden, and its timers are called once a minute', async () => {
      page.hidden = true
      page.change('shown')
      for (let minute = 0; minute < 5; minute += 1) {
        page.pass(60_000)
        const before = told.events.length
        await at.people.bob.say(at.channels.general, 'hidden', `Minute ${minute}`)
        await until('a sign of life', () => told.events.length > before)
      }
      page.hidden = false
      page.change('shown')
      page.pass(20_000)
      assert.deepEqual([count('connected'), count('connecting')], [1, 1])
    })

    it('connects anew after the computer has slept', async () => {
      page.pass(21_000)
      await until('another connection', () => count('connected') === 2)
      assert.equal(told.registrations.length, 1)
    })
  },
  { resolveOrganization: undefined } as never,
)
