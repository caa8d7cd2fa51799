import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { ChatClient, type Events } from '@parley/client'

import { Connection } from '../../packages/client/src/connection.js'
import { LiveStore } from '../../packages/client/src/store/live-store.js'
import { storeRegistration } from '../../packages/client/src/store/registered.js'
import { everyDatabase } from '../support/host.js'
import { until } from '../support/waiting.js'
import { chatClientOf } from './clients.js'
import { Page } from './page.js'
import { Told } from './told.js'

const messageCount = 10_000
const burstLength = 200
const rounds = 5

setFlagsFromString('--expose-gc')
// The flag makes it a global of new contexts.
const collect = runInNewContext('gc') as () => void

/**
 * Prints a result with its aim. Only memory is asserted: times are those of a machine that does
 * other work, too.
 */
function note(test: TestContext, what: string, value: number, unit: string, aim: number): void {
  test.diagnostic(`${what}: ${value.toFixed(1)} ${unit}, aim: ${aim}`)
}

everyDatabase(
  'what a client takes',
  'express',
  (at) => {
    it('is connected again after a sleep, also if its queue is gone', async (test) => {
      const { email, credentials } = at.people.bob
      const page = new Page()
      const told = new Told()
      const url = at.host.origin
      const { api } = new ChatClient({
        url,
        credentials: { type: 'apiKey', email, apiKey: credentials?.apiKey ?? '' },
      })
      const connection = new Connection(
        api,
        page.environment,
        { url, registration: storeRegistration },
        told,
      )
      connection.open()
      await until('the connection', () => told.isConnected)
      /** The milliseconds until the client is connected again. */
      const wake = async (deletesQueue: boolean): Promise<number> => {
        const { states, registrations } = told
        const [before, queues] = [states.length, registrations.length]
        const start = performance.now()
        if (deletesQueue) {
          await at.people.bob.delete('/events', { queue_id: registrations.at(-1)?.queue_id })
        }
        page.pass(21_000)
        await until('another connection', () => states.length > before + 1 && told.isConnected, {
          instead: () => [before, states, page.timers],
        })
        assert.equal(registrations.length > queues, deletesQueue)
        return performance.now() - start
      }
      const kept: number[] = []
      const gone: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        kept.push(await wake(false))
        gone.push(await wake(true))
      }
      await connection.close()
      note(test, 'live after a sleep', Math.min(...kept), 'ms', 1000)
      note(test, 'live after a sleep, with another queue', Math.min(...gone), 'ms', 3000)
    })

    it('is at most 25 MiB for 10,000 messages', async (test) => {
      const { alice, bob } = at.people
      const { general } = at.channels
      const { api } = chatClientOf(bob)
      const { environment } = new Page()
      const store = new LiveStore({ api, environment, onError: assert.ifError })
      const registration = await api.registerQueue(storeRegistration)
      store.registered(registration)
      const id = await alice.say(
        general,
        'many',
        `**Some text**, of the usual length. ${'x '.repeat(60)}`,
      )
      const { events } = await api.getEvents({
        queue_id: registration.queue_id ?? '',
        last_event_id: registration.last_event_id ?? -1,
      })
      const sent = events.find((event): event is Events.MessageEvent => event.type === 'message')
      assert.ok(sent)
      const list = store.list([{ operator: 'channel', operand: general }], {})
      await list.load('newest')
      const text = JSON.stringify(sent)
      /** Messages of their own, as they would be in frames. */
      const frame = (from: number, count: number): Events.MessageEvent[] =>
        Array.from({ length: count }, (_, index) => {
          // The text is that of such an event.
          const event = JSON.parse(text) as Events.MessageEvent
          return { ...event, message: { ...event.message, id: from + index } }
        })
      collect()
      const before = process.memoryUsage().heapUsed
      for (let from = id + 1; from < id + messageCount; from += 100) {
        store.received(frame(from, Math.min(100, id + messageCount - from)))
      }
      collect()
      const bytes = process.memoryUsage().heapUsed - before
      assert.equal(list.state.messages.length, messageCount)
      const mebibytes = bytes / 2 ** 20
      note(test, 'memory of 10,000 messages', mebibytes, 'MiB', 25)
      assert.ok(mebibytes <= 25, `${mebibytes} MiB`)

      const times = Array.from({ length: rounds }, (_, round) => {
        const burst = frame(id + messageCount + round * burstLength, burstLength)
        // Not the time of other processes on the machine.
        const start = process.cpuUsage()
        store.received(burst)
        const { user, system } = process.cpuUsage(start)
        return (user + system) / 1000
      })
      note(test, '200 messages at once, with 10,000 listed', Math.min(...times), 'ms of CPU', 50)
      list.close()
    })
  },
  { resolveOrganization: undefined } as never,
)
