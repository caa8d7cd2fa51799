import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import createKnex, { type Knex } from 'knex'

import type { Answer } from '../support/client.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { until } from '../support/waiting.js'

reportSkippedColumns()
// Only MySQL has locks that readers of a snapshot wait for.
for (const column of databaseColumns().filter(({ name }) => name === 'mysql')) {
  describe(`the unread messages of a snapshot (${column.name})`, () => {
    const host = new TestHost('express', column)
    let locking: Knex
    let watching: Knex

    before(async () => {
      await host.start()
      locking = createKnex({ ...host.databaseConfig, pool: { min: 1, max: 1 } })
      watching = createKnex(host.databaseConfig)
    })
    after(async () => {
      await locking.destroy()
      await watching.destroy()
      await host.stop()
    })

    it('are complete although another call writes them while it is read', async () => {
      const { people, channels } = await host.organization()
      const { alice, bob } = people
      let id = 0
      // After the user messages of the call were written, and before its snapshot begins.
      const end = host.chat.before('registerQueue', async () => {
        id = await alice.say(channels.general, 'parallel', 'x')
        // The snapshot reads this table before it reads unread messages.
        await locking.raw('LOCK TABLES chat_alert_words WRITE')
      })
      let registering: Promise<Answer>
      try {
        registering = bob.post('/register', {})
        await until('the snapshot to wait', async () => {
          const [processes] = (await watching.raw('SHOW FULL PROCESSLIST')) as [
            { readonly Info: string | null; readonly State: string | null }[],
          ]
          return processes.some(
            ({ Info, State }) =>
              /metadata lock/.test(State ?? '') && /chat_alert_words/.test(Info ?? ''),
          )
        })
        assert.equal((await bob.get('/users/me')).status, 200)
      } finally {
        await locking.raw('UNLOCK TABLES')
        end()
      }

      const { body } = await registering
      const { streams } = body.unread_msgs
      const unread = streams.find(({ topic }: { topic: string }) => topic === 'parallel')
      assert.deepEqual(unread?.unread_message_ids, [id])
      assert.equal(body.max_message_id, id)
    })
  })
}
