import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { createChatServer, type ChatServer } from '@parley/core'
import createKnex, { type Knex } from 'knex'

import { databaseColumns, reportSkippedColumns, type TestDatabase } from '../support/databases.js'

const messagesPerServer = 60
const channelIds = [1, 2, 3]

reportSkippedColumns()

for (const column of databaseColumns()) {
  describe(`two servers that write at the same time (${column.name})`, () => {
    let database: TestDatabase
    let servers: ChatServer[]
    let knex: Knex

    before(async () => {
      database = await column.create()
      knex = createKnex(database.config)
      servers = [1, 2].map(() => createChatServer({ database: database.config }))
      for (const server of servers) await server.start()
      await servers[0]?.organizations.load({
        organization: { name: 'Order' },
        users: [1, 2].map((id) => ({ id, email: `u${id}@order.example`, full_name: `User ${id}` })),
        channels: channelIds.map((id) => ({ id, name: `channel ${id}`, subscribers: [1, 2] })),
        messages: [{ sender_id: 1, channel_id: 1, topic: 'first', content: 'Hello' }],
      })
    })
    after(async () => {
      for (const server of servers) await server.close()
      await knex.destroy()
      await database.drop()
    })

    it('give messages their ids in the order of the event log, which has no gaps', async () => {
      const senders = await Promise.all(
        servers.map((server, index) => server.as({ userId: index + 1 })),
      )
      // A channel's first message changes the channel, and so makes others wait anyway.
      for (const to of channelIds) {
        const draft = { type: 'channel', to, topic: 'start', content: 'Hello' } as const
        await senders[0]?.messages.send(draft)
      }

      await Promise.all(
        senders.flatMap(({ messages }) =>
          Array.from({ length: messagesPerServer }, (_, index) =>
            messages.send({
              type: 'channel',
              to: channelIds[index % channelIds.length] as number,
              topic: 'storm',
              content: `Message ${index}`,
            }),
          ),
        ),
      )

      const rows = (await knex('chat_events').orderBy('seq').select('seq', 'kind', 'data')) as {
        seq: number
        kind: string
        data: string
      }[]
      const ids = rows
        .filter(({ kind }) => kind === 'message')
        .map(({ data }) => (JSON.parse(data) as { message: { id: number } }).message.id)
      assert.equal(ids.length, channelIds.length + 2 * messagesPerServer)
      assert.deepEqual(
        ids,
        [...ids].sort((a, b) => a - b),
      )
      assert.deepEqual(
        rows.map(({ seq }) => seq),
        rows.map((_, index) => index + 1),
      )
      const organization = (await knex('chat_organizations').first('event_seq')) as {
        event_seq: number
      }
      assert.equal(organization.event_seq, rows.length)
    })
  })
}
