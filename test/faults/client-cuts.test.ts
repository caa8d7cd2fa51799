import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { SocketConstructor } from '@parley/client'

import { Connection } from '../../packages/client/src/connection.js'
import { presentEnvironment } from '../../packages/client/src/environment.js'
import { chatClientOf, socketOfNode } from '../client/clients.js'
import { CuttingProxy } from '../client/cutting-proxy.js'
import { randomOf } from '../client/random.js'
import { Told } from '../client/told.js'
import type { Client } from '../support/client.js'
import { everyDatabase } from '../support/host.js'
import { until } from '../support/waiting.js'
import { systemClock } from '../../packages/core/src/kernel/clock.js'

/** In real time, so that each server looks for what the other has written. */
const serverOptions = { resolveOrganization: undefined, clock: systemClock } as never

/** Longer than a client ever uses polls after WebSockets could not be opened. */
const socketPauseMilliseconds = 81 * 60_000
const messagesBetweenPauses = 10

/** WebSockets of which three are refused before one can open, so that polls and sockets alternate. */
function refusingSocket(): SocketConstructor {
  let attempts = 0
  return class extends (socketOfNode as new (url: string) => object) {
    constructor(url: string) {
      attempts += 1
      super(attempts % 4 === 0 ? url : url.replace('/events', '/nothing'))
    }
  } as SocketConstructor
}

/** A client that is cut off again and again. */
class CutClient {
  readonly told = new Told()
  cuts = 0
  readonly #connection: Connection
  #offset = 0

  constructor(
    readonly proxy: CuttingProxy,
    user: Client,
    WebSocket: SocketConstructor | undefined,
    readonly wantedCuts: number,
  ) {
    const url = proxy.origin
    const { api } = chatClientOf(user, { url })
    const now = (): number => Date.now() + this.#offset
    const environment = { ...presentEnvironment(), WebSocket, now }
    const options = { url, registration: { event_types: ['message'] } }
    this.#connection = new Connection(api, environment, options, this.told)
    this.#connection.open()
  }

  get isDone(): boolean {
    return this.cuts >= this.wantedCuts
  }

  get canBeCut(): boolean {
    return !this.isDone && this.proxy.connections > 0
  }

  /** Tries at once, as the user may ask for. */
  retry(): void {
    this.#connection.retryNow()
  }

  cut(): void {
    this.cuts += 1
    this.proxy.cut()
  }

  /** Lets it try WebSockets again. */
  skipPause(): void {
    this.#offset += socketPauseMilliseconds
  }

  async close(): Promise<void> {
    await this.#connection.close()
    await this.proxy.close()
  }
}

everyDatabase(
  'clients whose connections are cut a thousand times',
  'express',
  (at) => {
    const seed = Number(process.env['CHAT_TEST_CUTS_SEED'] ?? 420)

    it(`get every event once and in order, from two servers in turn (seed ${seed})`, async () => {
      const random = randomOf(seed)
      const other = await at.host.another('express', serverOptions)
      const clients: CutClient[] = []
      for (const [count, user, socketOf, cuts] of [
        [5, at.people.bob, () => socketOfNode, 140],
        [3, at.people.carol, () => undefined, 60],
        [2, at.people.gus, refusingSocket, 60],
      ] as const) {
        for (let client = 1; client <= count; client += 1) {
          const proxy = await CuttingProxy.before(at.host.origin, other.origin)
          clients.push(new CutClient(proxy, user, socketOf(), cuts))
        }
      }
      try {
        await until('the connections', () => clients.every(({ told }) => told.isConnected))
        const sent: string[] = []
        while (clients.some(({ isDone }) => !isDone)) {
          await until('a connection', () => clients.some(({ canBeCut }) => canBeCut))
          const content = `message ${sent.length}`
          const sending = at.people.alice.say(at.channels.general, 'cuts', content)
          for (const client of clients) {
            // Seldom while it connects: its delays would grow.
            const chance = client.told.isConnected ? 0.5 : 0.05
            if (client.canBeCut && random() < chance) client.cut()
            if (random() < 0.5) client.retry()
            if (sent.length % messagesBetweenPauses === 0) client.skipPause()
          }
          await sending
          sent.push(content)
        }
        for (const { told } of clients) {
          await until('the last message', () => told.contents.at(-1) === sent.at(-1))
          assert.deepEqual(told.contents, sent)
          assert.equal(told.registrations.length, 1)
        }
        const cuts = clients.reduce((sum, client) => sum + client.cuts, 0)
        assert.ok(cuts >= 1000)
        const ways = new Set(
          clients
            .slice(-2)
            .flatMap(({ told }) =>
              told.states.map((state) => (state.kind === 'connected' ? state.by : undefined)),
            ),
        )
        assert.ok(ways.has('socket') && ways.has('poll'), 'the transport has not changed')
      } finally {
        await Promise.all(clients.map((client) => client.close()))
        await other.stop()
      }
    })
  },
  serverOptions,
)
