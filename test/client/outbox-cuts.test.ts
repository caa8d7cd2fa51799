import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyDatabase } from '../support/host.js'
import { until } from '../support/waiting.js'
import { chatClientOf } from './clients.js'
import { CuttingProxy } from './cutting-proxy.js'
import { contentsOf } from './sent-messages.js'

const rounds = 30

everyDatabase(
  'the outbox of a client whose connections are cut',
  'express',
  (at) => {
    it('sends every message once and in order', async () => {
      const { alice, bob } = at.people
      const proxy = await CuttingProxy.before(at.host.origin)
      const client = chatClientOf(alice, { url: proxy.origin })
      const topics = ['one', 'two', 'three']
      let connections = 0
      try {
        client.open()
        const contents: string[] = []
        for (let round = 1; round <= rounds; round += 1) {
          for (const topic of topics) {
            client.outbox.send({
              to: { channel: at.channels.general, topic },
              content: String(round),
            })
          }
          contents.push(String(round))
          // While requests are sent or answered: after some ticks, another number in each round.
          await until('a request', () =>
            client.outbox.messages.some(({ state }) => state === 'sending'),
          )
          let ticks = round % 10
          await until('the middle of it', () => (ticks -= 1) < 0)
          connections += proxy.connections
          proxy.cut()
        }
        await until('an empty outbox', () => client.outbox.messages.length === 0)
        for (const topic of topics) {
          assert.deepEqual(await contentsOf(bob, at.channels.general, topic), contents)
        }
        assert.ok(connections > rounds, 'nothing was cut')
      } finally {
        await client.close()
        await proxy.close()
      }
    })
  },
  { resolveOrganization: undefined } as never,
)
