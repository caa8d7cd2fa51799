import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { after, before, describe, it } from 'node:test'

import { Client } from '../support/client.js'
import type { Cast } from '../support/cast.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { until } from '../support/waiting.js'
import { startChatProcess } from './chat-process.js'

const content = 'never answered'

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`a message whose server is killed before the answer (${database.title})`, () => {
    const host = new TestHost('koa', database)
    let cast: Cast
    before(async () => {
      await host.start()
      cast = await host.organization()
    })
    after(() => host.stop())

    it('is not sent twice if its client sends it again', async () => {
      const { alice, bob } = cast.people
      const { queueId } = await alice.listen({ event_types: ['message'] })
      const params = { type: 'direct', to: [bob.id], content, queue_id: queueId, local_id: '1' }
      const read = async (): Promise<number[]> => {
        const page = { anchor: 'newest', num_before: 50, num_after: 0, apply_markdown: false }
        const { messages } = (await bob.get('/messages', page)).body
        return (messages as { id: number; content: string }[])
          .filter((message) => message.content === content)
          .map(({ id }) => id)
      }
      const { child, origin } = await startChatProcess({ database: host.databaseConfig })
      const agent = new Agent()
      const elsewhere = new Client(
        { origin, agent, subdomain: alice.endpoint.subdomain },
        alice.credentials,
        alice.id,
        alice.name,
      )

      const lost = elsewhere.post('/messages', params).catch((error: unknown) => error)
      await until('the message', async () => (await read()).length > 0)
      const isGone = once(child, 'exit')
      child.kill('SIGKILL')
      await isGone
      assert.ok((await lost) instanceof Error)
      agent.destroy()
      const again = await alice.post('/messages', params)

      assert.equal(again.status, 200, again.text)
      assert.deepEqual(await read(), [again.body.id])
    })
  })
}
