import assert from 'node:assert/strict'
import { it } from 'node:test'

import { ChatClient, type SocketConstructor } from '@parley/client'
import { WebSocket } from 'ws'

import { everyDatabase } from '../support/host.js'
import { until } from '../support/waiting.js'
import { CuttingProxy } from './cutting-proxy.js'
import { Told } from './told.js'

const messagesPerCut = 3

everyDatabase(
  'a client whose connections are cut',
  'express',
  (at) => {
    // A poll that is cut is tried again after a third of a second.
    for (const [name, cuts, socket] of [
      ['WebSockets', 40, WebSocket as unknown as SocketConstructor],
      ['long polls', 10, undefined],
    ] as const) {
      it(`gets every event once and in order, by ${name}`, async () => {
        const { alice, bob } = at.people
        const proxy = await CuttingProxy.before(at.host.origin)
        const told = new Told()
        const client = new ChatClient({
          url: proxy.origin,
          credentials: { type: 'apiKey', email: bob.email, apiKey: bob.credentials?.apiKey ?? '' },
          ...(socket !== undefined && { WebSocket: socket }),
        })
        const connection = client.connection({ event_types: ['message'] }, told)
        try {
          connection.open()
          await until('the connection', () => told.isConnected)
          const sent: string[] = []
          for (let cut = 1; cut <= cuts; cut += 1) {
            await until('a connection', () => proxy.connections > 0)
            for (let message = 1; message <= messagesPerCut; message += 1) {
              const content = `${name}: ${cut}, ${message}`
              // The connection is cut while the server sends the second one.
              const sending = alice.say(at.channels.general, 'cuts', content)
              if (message === 2) proxy.cut()
              await sending
              sent.push(content)
            }
            // Otherwise it would wait longer after each cut while it connects.
            connection.retryNow()
          }
          await until('the last message', () => told.contents.at(-1) === sent.at(-1))
          assert.deepEqual(told.contents, sent)
          assert.equal(told.registrations.length, 1)
          assert.ok(proxy.ended >= cuts, `only ${proxy.ended} connections were cut`)
        } finally {
          await connection.close()
          await proxy.close()
        }
      })
    }
  },
  { resolveOrganization: undefined } as never,
)
