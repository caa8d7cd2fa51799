import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { createChatServer } from '@parley/core'
import type { Knex } from 'knex'

import { backupsOf, type Backup } from '../support/backup.js'
import type { Cast } from '../support/cast.js'
import type { Client } from '../support/client.js'
import { allDatabaseColumns, existingDatabase, reportSkippedColumns } from '../support/databases.js'
import type { EventFeed } from '../support/event-feed.js'
import { TestHost } from '../support/host.js'
import { until } from '../support/waiting.js'

interface Message {
  readonly id: number
  readonly content: string
}

/** More than the 32 ids that PostgreSQL may skip when it recovers. */
const sentAfter = 40

reportSkippedColumns()

const backups = allDatabaseColumns().flatMap((column) =>
  backupsOf(column).map((kind) => ({ column, ...kind })),
)

for (const { column, title, backUp } of backups) {
  describe(`a backup that was made while messages are sent (${title})`, () => {
    let host: TestHost
    let cast: Cast
    let backup: Backup
    let feed: EventFeed
    const sentBefore: Message[] = []
    const all: Message[] = []

    /** Starts a server on the restored database. */
    async function restored(): Promise<{
      readonly config: Knex.Config
      readonly host: TestHost
      readonly user: (one: Client) => Client
    }> {
      const { config } = await backup.restore()
      const other = new TestHost('koa', existingDatabase(column, config))
      other.clock.jump(host.clock.seconds - other.clock.seconds)
      return { config, host: other, user: (one) => other.clientOf(one) }
    }

    before(async () => {
      host = new TestHost('koa', column)
      await host.start()
      cast = await host.organization()
      const { alice, bob } = cast.people
      feed = await bob.listen({ event_types: ['message'] })
      await until('messages', async () => (await send(alice)) >= 10)
      sentBefore.push(...all)

      const over = new AbortController()
      const sending = (async () => {
        while (!over.signal.aborted) await send(alice)
      })()
      backup = await backUp(host.databaseConfig)
      over.abort()
      await sending
      for (let count = 0; count < sentAfter; count += 1) await send(alice)
      await feed.drain()
    })
    after(async () => {
      await backup.remove()
      await host.stop()
    })

    /** @returns the number of messages so far. */
    async function send(alice: Client): Promise<number> {
      const content = `message ${all.length}`
      all.push({ id: await alice.say(cast.channels.general, 'backup', content), content })
      return all.length
    }

    async function messagesOf(client: Client): Promise<readonly Message[]> {
      const { body } = await client.get('/messages', {
        anchor: 'oldest',
        num_before: 0,
        num_after: 5000,
        apply_markdown: false,
        narrow: [{ operator: 'topic', operand: 'backup' }],
      })
      return (body.messages as Message[]).map(({ id, content }) => ({ id, content }))
    }

    it('has all messages up to one of those that were being sent, and no others', async (t) => {
      const { host: other, user } = await restored()
      await other.start()
      t.after(() => other.stop())

      const found = await messagesOf(user(cast.people.bob))

      assert.ok(found.length >= sentBefore.length, `${found.length} of ${sentBefore.length}`)
      assert.ok(found.length < all.length)
      assert.deepEqual(found, all.slice(0, found.length))
    })

    it('gives ids of lost messages to new ones', async (t) => {
      const { host: other, user } = await restored()
      await other.start()
      t.after(() => other.stop())
      const kept = await messagesOf(user(cast.people.bob))

      const id = await user(cast.people.alice).say(cast.channels.general, 'backup', 'new')

      const lost = all.slice(kept.length)
      assert.ok(lost.some((message) => message.id === id))
    })

    it('rejects a client that is ahead of it', async (t) => {
      const { host: other, user } = await restored()
      await other.start()
      t.after(() => other.stop())

      const answer = await user(cast.people.bob).get('/events', {
        queue_id: feed.queueId,
        last_event_id: feed.lastEventId,
        dont_block: true,
      })

      assert.equal(answer.body.code, 'BAD_EVENT_QUEUE_ID')
    })

    it('rejects all clients after `endQueues`, also when the log has grown past them', async (t) => {
      const { config, host: other, user } = await restored()
      const ending = createChatServer({ database: config })
      t.after(() => ending.close())
      await ending.endQueues()
      await other.start()
      t.after(() => other.stop())
      const [alice, bob] = [user(cast.people.alice), user(cast.people.bob)]
      for (let count = 0; count < all.length; count += 1) {
        await alice.say(cast.channels.general, 'after the restore', `new ${count}`)
      }

      const answer = await bob.get('/events', {
        queue_id: feed.queueId,
        last_event_id: feed.lastEventId,
        dont_block: true,
      })
      const again = await bob.listen({ event_types: ['message'] })
      await alice.say(cast.channels.general, 'after the restore', 'the newest')
      const events = await again.drain()

      assert.equal(answer.body.code, 'BAD_EVENT_QUEUE_ID')
      assert.deepEqual(
        events.map(({ message }) => message.content),
        ['the newest'],
      )
      await assert.rejects(other.chat.endQueues(), /before start\(\) only/)
    })
  })
}
