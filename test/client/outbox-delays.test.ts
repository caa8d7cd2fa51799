import assert from 'node:assert/strict'
import { beforeEach, it } from 'node:test'

import type { Registration } from '@parley/client'

import { OutboxSender } from '../../packages/client/src/outbox.js'
import { everyDatabase } from '../support/host.js'
import { until } from '../support/waiting.js'
import { chatClientOf } from './clients.js'
import { Page } from './page.js'
import { contentsOf, SendingNetwork } from './sent-messages.js'

const hourMilliseconds = 60 * 60_000

everyDatabase(
  'an outbox, as time passes',
  'express',
  (at) => {
    let page: Page
    let network: SendingNetwork
    let outbox: OutboxSender

    /** A registration with another queue, as far as the outbox reads it. */
    const registered = (queueId: string): void =>
      outbox.registered({
        queue_id: queueId,
        user_id: at.people.alice.id,
        max_message_id: -1,
      } as Registration)

    const state = (): string | undefined => outbox.messages[0]?.state
    const requests = (count: number): Promise<unknown> =>
      until('the request', () => network.requests.length === count && state() !== 'sending')

    beforeEach(() => {
      page = new Page()
      network = new SendingNetwork()
      const { api } = chatClientOf(at.people.alice, { fetch: network.fetch })
      const { environment } = page
      outbox = new OutboxSender({
        api,
        environment,
        storage: undefined,
        failed: assert.ifError,
        begun() {},
      })
      registered('first')
    })

    it('waits longer after each attempt, and not at all when the connection is back', async () => {
      network.next = 'lost'
      outbox.send({ to: { channel: at.channels.general, topic: 'delays' }, content: 'x' })
      await requests(1)
      network.next = 'lost'
      page.pass(500)
      await requests(2)
      page.pass(499)
      assert.equal(state(), 'waiting')
      network.next = 'lost'
      page.pass(501)
      await requests(3)
      outbox.changed({ kind: 'connected', by: 'socket' })
      assert.equal(state(), 'sending')
      await requests(4)
      assert.equal(state(), 'sent')
      assert.equal(new Set(network.requests.map(({ localId }) => localId)).size, 1)
    })

    it('waits as long as the server says, and may be edited meanwhile', async () => {
      const to = { channel: at.channels.general, topic: 'limits' }
      network.next = 'over a limit'
      const { localId } = outbox.send({ to, content: 'x' })
      await requests(1)
      outbox.changed({ kind: 'connecting', since: 0, isOffline: false })
      outbox.changed({ kind: 'connected', by: 'socket' })
      page.passSlowly(99_000)
      assert.equal(state(), 'waiting')
      network.next = 'over a limit'
      page.passSlowly(1000)
      await requests(2)
      assert.equal(outbox.edit(localId, 'y'), true)
      await requests(3)
      assert.deepEqual(await contentsOf(at.people.bob, to.channel, to.topic), ['y'])
    })

    it('waits while the user is signed out', async () => {
      const to = { channel: at.channels.general, topic: 'signed out' }
      network.next = 'signed out'
      outbox.send({ to, content: '1' })
      await requests(1)
      outbox.send({ to: { ...to, topic: 'another one' }, content: '2' })
      page.passSlowly(60_000)
      assert.deepEqual(
        outbox.messages.map((message) => message.state),
        ['waiting', 'waiting'],
      )
      assert.equal(network.requests.length, 1)
      registered('second')
      await until('both', () => outbox.messages.every((message) => message.state === 'sent'))
      assert.deepEqual(await contentsOf(at.people.bob, to.channel, to.topic), ['1'])
    })

    it('is left by messages of which there is no event, if there could be one', async () => {
      outbox.changed({ kind: 'connecting', since: 0, isOffline: false })
      outbox.send({ to: { channel: at.channels.empty, topic: 'x' }, content: 'x' })
      await requests(1)
      page.pass(31_000)
      assert.equal(state(), 'sent')
      outbox.changed({ kind: 'connected', by: 'socket' })
      page.pass(31_000)
      assert.equal(state(), undefined)
      assert.equal(page.timers, 0)
    })

    it('asks again when the connection was lost during a request', async () => {
      network.next = 'answered late'
      outbox.send({ to: { channel: at.channels.general, topic: 'doubt' }, content: 'x' })
      await until('the answer', () => network.requests.length === 1)
      outbox.changed({ kind: 'connected', by: 'socket' })
      assert.equal(network.requests.length, 1)
      outbox.changed({ kind: 'connecting', since: 0, isOffline: true })
      outbox.changed({ kind: 'connected', by: 'socket' })
      await requests(2)
      assert.deepEqual(network.requests[0], network.requests[1])
      assert.equal(state(), 'sent')
      network.answer()
    })

    it('gives up after 23 hours, and takes another key if the user wants it again', async () => {
      const to = { channel: at.channels.general, topic: 'a day' }
      network.next = 'lost'
      const { localId } = outbox.send({ to, content: 'x' })
      await requests(1)
      network.next = 'lost'
      page.pass(22 * hourMilliseconds)
      await requests(2)
      page.pass(2 * hourMilliseconds)
      assert.equal(outbox.messages[0]?.error?.code, 'RESULT_UNKNOWN')
      assert.equal(network.requests.length, 2)
      assert.equal(outbox.edit(localId, 'y'), false)

      registered('second')
      outbox.retry(localId)
      await requests(3)
      assert.equal(state(), 'sent')
      assert.deepEqual(
        network.requests.map(({ queueId }) => queueId),
        ['first', 'first', 'second'],
      )
      assert.deepEqual(await contentsOf(at.people.bob, to.channel, to.topic), ['x'])
    })

    it('leaves no timer when it is closed, and continues after another registration', async () => {
      network.next = 'lost'
      outbox.send({ to: { channel: at.channels.general, topic: 'closed' }, content: 'x' })
      await requests(1)
      assert.equal(page.timers, 1)
      outbox.close()
      assert.equal(page.timers, 0)
      assert.equal(state(), 'waiting')
      registered('second')
      await requests(2)
      assert.equal(network.requests[1]?.queueId, 'first')
      assert.equal(state(), 'sent')
    })
  },
  { resolveOrganization: undefined } as never,
)
