import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import createKnex, { type Knex } from 'knex'

import { silent } from '../../packages/core/src/storage/connections/pools.js'
import { Database } from '../../packages/core/src/storage/database.js'
import { allDatabaseColumns, reportSkippedColumns } from '../support/databases.js'

/** Makes the later transactions of a session read-only, as those of a replica are. */
const makeReadOnly = {
  mysql: 'SET SESSION TRANSACTION READ ONLY',
  postgres: 'SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY',
} as const

const write = (executor: Knex) => executor('written').insert({ id: 1 })

reportSkippedColumns()
for (const column of allDatabaseColumns()) {
  if (column.name === 'sqlite') continue
  const statement = makeReadOnly[column.name]
  describe(`a session that cannot write (${column.title})`, () => {
    for (const owner of ['the chat', 'the application'] as const) {
      it(`is replaced after a write of the chat in the pool of ${owner}`, async (t) => {
        const created = await column.create()
        const single = { ...created.config, log: silent, pool: { min: 0, max: 1 } }
        const knex = createKnex(single)
        await knex.schema.createTable('written', (table) => table.integer('id'))
        const database = new Database(owner === 'the chat' ? single : knex, 'chat_')
        t.after(async () => {
          await database.close()
          await knex.destroy()
          await created.drop()
        })
        const transactions = {
          async begin() {
            const open = await database.begin()
            try {
              await write(open.executor)
            } finally {
              await open.rollback()
            }
          },
          transaction: () => database.transaction(write),
        }

        for (const transaction of Object.values(transactions)) {
          await database.writer.raw(statement)
          await assert.rejects(transaction(), (error) =>
            database.dialect.executors.isReadOnly(error),
          )
          await transaction()
        }
      })
    }
  })
}
