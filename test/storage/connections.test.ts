import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { Database } from '../../packages/core/src/storage/index.js'
import {
  allDatabaseColumns,
  postgresColumns,
  reportSkippedColumns,
  type TestDatabase,
} from '../support/databases.js'

interface Pool {
  idleTimeoutMillis: number
  /** Closes connections that have been idle for too long; the pool itself calls it every second. */
  check(): void
}

reportSkippedColumns()
for (const column of allDatabaseColumns()) {
  describe(`the connections of a server (${column.title})`, () => {
    let created: TestDatabase
    let database: Database
    let preparedConnections = 0

    before(async () => {
      created = await column.create()
      const afterCreate = (_connection: unknown, done: (error?: Error) => void): void => {
        preparedConnections += 1
        done()
      }
      database = new Database({ ...created.config, pool: { afterCreate } }, '')
      await database.writer.schema.createTable('notes', (t) => t.text('text'))
    })
    after(async () => {
      await database.close()
      await created.drop()
    })

    it('keep the connection of an idle transaction open', async () => {
      const pool = (database.writer.client as { pool: Pool }).pool
      const transaction = await database.begin()
      await transaction.executor('notes').insert({ text: 'first' })

      pool.idleTimeoutMillis = -1
      pool.check()
      await transaction.executor('notes').insert({ text: 'second' })
      await transaction.rollback()

      assert.deepEqual(await database.reader('notes').select(), [])
    })

    it("are prepared by the application's function and by the chat", async () => {
      const [sql, expected] = {
        sqlite: ['PRAGMA query_only', /"query_only":1/],
        mysql: ["SHOW SESSION VARIABLES LIKE 't%_isolation'", /"READ-COMMITTED"/],
        postgres: ['SHOW lock_timeout', /"lock_timeout":"50s"/],
      }[column.name] as [string, RegExp]
      const answer: unknown = await database.reader.raw(sql)

      assert.match(JSON.stringify(database.dialect.rowsOf(answer)), expected)
      assert.ok(preparedConnections > 0)
    })
  })
}

for (const column of postgresColumns()) {
  it(`have what the application's function sets, and otherwise what the chat does (${column.title})`, async () => {
    const created = await column.create()
    const afterCreate = (
      connection: { query(sql: string, done: (error: Error | null) => void): void },
      done: (error: Error | null) => void,
    ): void => connection.query("SET idle_in_transaction_session_timeout = '5s'", done)
    const database = new Database({ ...created.config, pool: { afterCreate } }, '')

    const idle = await database.writer.raw('SHOW idle_in_transaction_session_timeout')
    const statement = await database.writer.raw('SHOW statement_timeout')
    const compiling = await database.reader.raw('SHOW jit')
    await database.close()
    await created.drop()

    assert.deepEqual(idle.rows, [{ idle_in_transaction_session_timeout: '5s' }])
    assert.deepEqual(statement.rows, [{ statement_timeout: '10min' }])
    assert.deepEqual(compiling.rows, [{ jit: 'off' }])
  })
}
