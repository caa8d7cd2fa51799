import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import createKnex, { type Knex } from 'knex'

import { Database } from '../../packages/core/src/storage/database.js'
import { allDatabaseColumns, postgresColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { until } from '../support/waiting.js'

/** By server: ends the statements that wait for the lock of a row. @returns whether there was one. */
const interruptions = {
  async mysql(knex: Knex): Promise<boolean> {
    const waiting: readonly { id: number }[] = await knex('information_schema.processlist')
      .select({ id: 'id' })
      .whereRaw("db = DATABASE() AND id <> CONNECTION_ID() AND info LIKE '%UPDATE%event_seq%'")
    for (const { id } of waiting) await knex.raw(`KILL QUERY ${id}`)
    return waiting.length > 0
  },
  async postgres(knex: Knex): Promise<boolean> {
    const ended: readonly object[] = await knex('pg_stat_activity')
      .select(knex.raw('pg_cancel_backend(pid)'))
      .whereRaw("datname = current_database() AND wait_event_type = 'Lock'")
    return ended.length > 0
  },
} as const

reportSkippedColumns()
for (const column of allDatabaseColumns()) {
  if (column.name === 'sqlite') continue
  const interrupt = interruptions[column.name]
  describe(`a statement that the server ends (${column.title})`, () => {
    it('is answered with 503, and the chat goes on', async (t) => {
      const host = new TestHost('express', column)
      await host.start()
      t.after(() => host.stop())
      const { people, channels } = await host.organization()
      const send = (content: string) =>
        people.alice.post('/messages', {
          type: 'channel',
          to: channels.general,
          topic: 'ended',
          content,
        })
      const knex = createKnex(host.databaseConfig)
      t.after(() => knex.destroy())
      host.log.length = 0

      const refused = await knex.transaction(async (trx) => {
        await trx('chat_organizations').forUpdate().select('id')
        const answer = send('refused')
        await until('the lock', () => interrupt(knex))
        return answer
      })
      const next = await send('accepted')

      assert.equal(refused.status, 503, refused.text)
      assert.equal(refused.headers['retry-after'], '1')
      assert.match(host.log.join('\n'), /^The database has ended a statement/)
      assert.equal(next.status, 200, next.text)
    })
  })
}

for (const column of postgresColumns()) {
  describe(`time-outs of a database of PostgreSQL (${column.title})`, () => {
    it('do not end migrations and exports', async (t) => {
      const created = await column.create()
      const { database: name } = created.config.connection as Knex.PgConnectionConfig
      const knex = createKnex(created.config)
      for (const setting of ['statement_timeout', 'idle_in_transaction_session_timeout']) {
        await knex.raw(`ALTER DATABASE ${name} SET ${setting} = '5s'`)
      }
      await knex.destroy()
      const database = new Database(created.config, 'chat_')
      t.after(async () => {
        await database.close()
        await created.drop()
      })

      const rows = await database.longSnapshot(1, (scope) =>
        scope.raw(
          `SELECT current_setting('statement_timeout') AS statement,
             current_setting('idle_in_transaction_session_timeout') AS idle`,
          [],
        ),
      )

      assert.deepEqual(rows, [{ statement: '0', idle: '0' }])
    })
  })
}
