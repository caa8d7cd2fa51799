import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { Database, Migrator } from '../../packages/core/src/storage/index.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'

const prefix = 'chat_'
/** Its effect is reverted and then repeated, on tables that are not empty. */
const name = '0022-push-decisions'

/** Restores the tables as they were before the migration. */
async function takeBack({ writer }: Database): Promise<void> {
  for (const [table, column] of [
    ['push_notifications', 'accepted_device_ids'],
    ['event_queues', 'takes_messages'],
  ] as const) {
    await writer.raw('ALTER TABLE ?? DROP COLUMN ??', [prefix + table, column])
  }
  await writer.schema.createTable(`${prefix}push_messages`, (t) => {
    t.increments('id')
  })
  await writer(`${prefix}migrations`).where({ name }).delete()
}

const laterName = '0025-event-texts'

async function takeBackTexts({ writer }: Database): Promise<void> {
  const events = `${prefix}events`
  await writer.schema.alterTable(events, (t) => {
    t.dropIndex(['organization_id', 'message_id'], `${prefix}events_message`)
  })
  for (const [table, column] of [
    ['events', 'message_id'],
    ['events', 'follower_audience_id'],
    ['events', 'withdrawn_audience_id'],
    ['organizations', 'member_audience_id'],
  ] as const) {
    await writer.raw('ALTER TABLE ?? DROP COLUMN ??', [prefix + table, column])
  }
  await writer(`${prefix}migrations`).where({ name: laterName }).delete()
}

reportSkippedColumns()
for (const column of databaseColumns()) {
  describe(`a schema of an earlier version (${column.name})`, () => {
    it('finds events by their message, and removes queues for all public channels', async () => {
      const created = await column.create()
      const database = new Database(created.config, prefix)
      try {
        const migrator = new Migrator(database)
        await migrator.migrate()
        await takeBackTexts(database)
        const { writer, reader } = database
        const queue = {
          organization_id: 1,
          user_id: 1,
          idle_timeout_seconds: 600,
          created_seq: 0,
          last_seen_at_seconds: 0,
          acknowledged_id: 0,
          clean_from_id: 0,
          clean_to_seq: 0,
        }
        await writer(`${prefix}event_queues`).insert([
          { ...queue, id: 'following', options: '{"allPublicStreams":true}' },
          { ...queue, id: 'usual', options: '{"allPublicStreams":false}' },
        ])
        const entries = [
          ['message', { message: { id: 7 } }],
          ['update_message', { message_id: 8, message_ids: [8] }],
          ['reaction/add', { message_id: 9 }],
        ] as const
        await writer(`${prefix}events`).insert(
          entries.map(([kind, data], index) => ({
            organization_id: 1,
            seq: index + 1,
            kind,
            data: JSON.stringify(data),
            created_at_seconds: 0,
          })),
        )

        await migrator.migrate()

        const rows = (await reader(`${prefix}events`).orderBy('seq').select('message_id')) as {
          message_id: number | null
        }[]
        assert.deepEqual(
          rows.map((row) => row.message_id),
          [7, 8, null],
        )
        const queues = (await reader(`${prefix}event_queues`).select('id')) as { id: string }[]
        assert.deepEqual(
          queues.map(({ id }) => id),
          ['usual'],
        )
      } finally {
        await database.close()
        await created.drop()
      }
    })

    it('has queues that receive messages after the migration', async () => {
      const created = await column.create()
      const database = new Database(created.config, prefix)
      try {
        const migrator = new Migrator(database)
        await migrator.migrate()
        await takeBack(database)
        await database.writer(`${prefix}event_queues`).insert({
          id: 'earlier',
          organization_id: 1,
          user_id: 1,
          options: '{}',
          idle_timeout_seconds: 600,
          created_seq: 0,
          last_seen_at_seconds: 0,
          acknowledged_id: 0,
          clean_from_id: 0,
          clean_to_seq: 0,
        })

        await assert.rejects(migrator.check(), /0022-push-decisions/)
        await migrator.migrate()

        const [queue] = (await database.reader(`${prefix}event_queues`).select()) as {
          takes_messages: number
        }[]
        // Otherwise no user with such a queue would count as online.
        assert.equal(queue?.takes_messages, 1)
        assert.equal(await database.reader.schema.hasTable(`${prefix}push_messages`), false)
      } finally {
        await database.close()
        await created.drop()
      }
    })
  })
}
