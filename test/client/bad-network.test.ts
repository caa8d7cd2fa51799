import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'

import { everyDatabase } from '../support/host.js'
import { until } from '../support/waiting.js'
import { chatClientOf, socketOfNode } from './clients.js'
import { allFaults, FaultyProxy, latenessOnly, noFaults, type Faults } from './faulty-proxy.js'
import { faultSeed, randomOf } from './random.js'
import { contentsOf } from './sent-messages.js'
import { StoreObserver } from './store-observer.js'
import { Told } from './told.js'

const rounds = Number(process.env['CHAT_TEST_FAULT_ROUNDS'] ?? 40)
const connectionFaults = ['delayed', 'slow', 'halved'] as const
const requestFaults = [...connectionFaults, 'overtaken', 'lostRequest', 'lostAnswer'] as const
const topics = ['one', 'two', 'three']

everyDatabase(
  `a client with a bad network (seed ${faultSeed})`,
  'express',
  (at) => {
    let proxy: FaultyProxy
    let random: () => number
    const closings: (() => Promise<void>)[] = []

    beforeEach(async () => {
      random = randomOf(faultSeed)
      proxy = await FaultyProxy.before([at.host.origin], allFaults, random)
    })
    afterEach(async () => {
      // Otherwise clients would wait for answers to their last requests.
      proxy.faults = noFaults
      await Promise.all(closings.splice(0).map((close) => close()))
      await proxy.close()
    })

    /**
     * Whether a test needs another round: at least `rounds`, and more until each of the faults has
     * happened, because how often the proxy draws a number depends on how requests are timed.
     */
    function isRound(round: number, least: number, faults: readonly (keyof Faults)[]): boolean {
      if (round <= least) return true
      const missing = faults.filter((fault) => proxy.counts[fault] === 0)
      assert.ok(missing.length === 0 || round <= least * 10, `never happened: ${missing.join()}`)
      return missing.length > 0
    }

    for (const [name, socket] of [
      ['WebSockets', socketOfNode],
      ['long polls', undefined],
    ] as const) {
      it(`gets every event once and in order, by ${name}`, async () => {
        const { alice, bob } = at.people
        const told = new Told()
        const client = chatClientOf(bob, { url: proxy.origin, WebSocket: socket as never })
        const connection = client.connection({ event_types: ['message'] }, told)
        closings.push(() => connection.close())
        connection.open()
        await until('the connection', () => told.isConnected)
        const sent: string[] = []
        for (let round = 1; isRound(round, rounds, connectionFaults); round += 1) {
          const content = `${name}: ${round}`
          const sending = alice.say(at.channels.general, 'faults', content)
          if (random() < 0.2) proxy.cut()
          await sending
          sent.push(content)
          await until('some of the messages', () => {
            connection.retryNow()
            return told.contents.length >= sent.length - 3
          })
        }
        await until('the last message', () => {
          connection.retryNow()
          return told.contents.length >= sent.length
        })
        assert.deepEqual(told.contents, sent)
        assert.equal(told.registrations.length, 1)
      })
    }

    it('sends every message of its outbox once and in order', async () => {
      const { alice, bob } = at.people
      const client = chatClientOf(alice, { url: proxy.origin })
      closings.push(() => client.close())
      client.open()
      const contents: string[] = []
      for (let round = 1; isRound(round, rounds, requestFaults); round += 1) {
        for (const topic of topics) {
          client.outbox.send({
            to: { channel: at.channels.general, topic },
            content: String(round),
          })
        }
        contents.push(String(round))
        if (random() < 0.1) proxy.cut()
        await until('some of the messages', () => client.outbox.messages.length < 5, {
          instead: () => client.outbox.messages,
          seconds: 60,
        })
      }
      await until('an empty outbox', () => client.outbox.messages.length === 0, {
        instead: () => client.outbox.messages,
        seconds: 60,
      })
      for (const topic of topics) {
        assert.deepEqual(await contentsOf(bob, at.channels.general, topic), contents)
      }
    })

    it('has the state and the messages that the server returns', async () => {
      const { alice, bob } = at.people
      proxy.faults = latenessOnly
      const observer = await StoreObserver.open(bob, proxy, 20)
      closings.push(() => observer.close())
      proxy.faults = allFaults
      const sent: number[] = []
      const oneSent = (): number => sent[Math.floor(random() * sent.length)] ?? 0
      const topic = (): string => topics[Math.floor(random() * topics.length)] ?? ''
      const acts: readonly (() => Promise<unknown>)[] = [
        async () => sent.push(await alice.say(at.channels.general, topic(), 'new')),
        async () => sent.push(await bob.say(at.channels.general, topic(), 'own')),
        async () => sent.push(await alice.whisper([bob], 'direct')),
        () => alice.patch(`/messages/${oneSent()}`, { content: `${random()}` }),
        () => alice.patch(`/messages/${oneSent()}`, { topic: topic() }),
        () => alice.delete(`/messages/${oneSent()}`),
        () => alice.post(`/messages/${oneSent()}/reactions`, { emoji_name: 'tada' }),
        () =>
          bob.post('/messages/flags', {
            messages: [oneSent()],
            op: random() < 0.5 ? 'add' : 'remove',
            flag: random() < 0.5 ? 'read' : 'starred',
          }),
      ]
      for (let act = 1; isRound(act, rounds * 5, requestFaults); act += 1) {
        if (random() < 0.2) observer.wander(random)
        if (random() < 0.03) proxy.cut()
        // New messages more often than each of the others.
        await acts[Math.floor(random() * random() * acts.length)]?.()
      }
      proxy.faults = latenessOnly
      await observer.recover()
      await observer.compare('after faults')
    })
  },
  { resolveOrganization: undefined } as never,
)
