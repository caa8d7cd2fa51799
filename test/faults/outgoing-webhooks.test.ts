import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { describe, it } from 'node:test'

import { Client } from '../support/client.js'
import { databaseColumnsOf, reportSkippedColumns } from '../support/databases.js'
import type { FedEvent } from '../support/event-feed.js'
import { TestHost } from '../support/host.js'
import { until, within } from '../support/waiting.js'
import { WebhookProgram } from '../support/webhook-program.js'
import { startChatProcess } from './chat-process.js'

const roundSeconds = 10
const leaseSeconds = 60
const outgoingWebhooks = { privateHosts: ['127.0.0.1'] }

reportSkippedColumns()
for (const column of databaseColumnsOf('an outgoing webhook bot of a process that crashes')) {
  describe(`an outgoing webhook bot of a process that crashes (${column.name})`, () => {
    it('is called by another process after the lease ends, and replies once', async () => {
      const database = await column.create()
      const shared = {
        ...column,
        create: async () => ({ ...database, drop: async () => {} }),
      }
      const host = new TestHost('koa', shared, { outgoingWebhooks })
      await host.start()
      const program = await WebhookProgram.start()
      const agent = new Agent({ keepAlive: true })
      try {
        const { people, channels } = await host.organization()
        const { alice, bob } = people
        const { body } = await alice.post('/bots', {
          full_name: 'Echo',
          short_name: 'echo',
          bot_type: 3,
          payload_url: JSON.stringify(program.url),
        })
        program.answers = [{ hangs: true }, { body: '{"content":"Still here"}' }]
        const { child, origin } = await startChatProcess({
          database: database.config,
          outgoingWebhooks,
        })
        const { subdomain } = bob.endpoint
        const atProcess = new Client(
          { origin, agent, subdomain },
          bob.credentials,
          bob.id,
          bob.name,
        )

        await atProcess.say(channels.design, 'ends', '@**Echo** hello')
        await program.called(1)
        const isGone = once(child, 'exit')
        child.kill('SIGKILL')
        await within('the end of the process', isGone)
        // The other process uses the real time.
        host.clock.jump(Math.floor(Date.now() / 1000) - host.clock.seconds)
        const isOver = host.clock.next('set', roundSeconds)
        host.clock.fire(roundSeconds)
        await isOver
        const feed = await bob.listen({ event_types: ['message'], apply_markdown: false })
        const whileLeased = program.calls.length
        host.clock.jump(leaseSeconds)
        // A round that is just starting misses the call; the next one does not.
        await until('the second call', () => {
          host.clock.fire(roundSeconds)
          return program.calls.length > 1
        })

        assert.equal(whileLeased, 1)
        const isOfBot = (event: FedEvent): boolean => event['message'].sender_id === body.user_id
        const events = [
          ...(await feed.until('the reply of the bot', isOfBot)),
          ...(await feed.drain()),
        ]
        const replies = events.filter(isOfBot).map((event) => event['message'].content as string)
        assert.deepEqual(replies, ['Still here'])
      } finally {
        agent.destroy()
        await program.stop()
        await host.stop()
        await database.drop()
      }
    })
  })
}
