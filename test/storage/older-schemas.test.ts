import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { Database, Migrator } from '../../packages/core/src/storage/index.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'

const prefix = 'chat_'
/** Its effect is taken back and then made again, on tables that are not empty. */
const name = '0022-push-decisions'

/** What the migration finds: tables as they were before it. */
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

reportSkippedColumns()
for (const column of databaseColumns()) {
  describe(`a schema of an earlier version (${column.name})`, () => {
    it('has queues that take messages, once it is up to date', async () => {
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
        // Else nobody with such a queue would count as online.
        assert.equal(queue?.takes_messages, 1)
        assert.equal(await database.reader.schema.hasTable(`${prefix}push_messages`), false)
      } finally {
        await database.close()
        await created.drop()
      }
    })
  })
}
