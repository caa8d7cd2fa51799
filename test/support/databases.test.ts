import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, it } from 'node:test'

import createKnex from 'knex'

import { databaseColumns, reportSkippedColumns, type TestDatabase } from './databases.js'

reportSkippedColumns()

for (const column of databaseColumns()) {
  describe(`a test database of ${column.name}`, () => {
    it('is empty, shares nothing with the next one, and is removed by drop()', async () => {
      const [first, second] = [await column.create(), await column.create()]
      const [knex, otherKnex] = [createKnex(first.config), createKnex(second.config)]

      await knex.schema.createTable('marks', (table) => table.string('text'))
      await knex('marks').insert({ text: '🎉 ä' })
      const [row, isElsewhere] = [
        await knex('marks').first<{ text: string }>(),
        await otherKnex.schema.hasTable('marks'),
      ]
      await Promise.all([knex.destroy(), otherKnex.destroy()])
      await Promise.all([first.drop(), second.drop()])

      assert.equal(row?.text, '🎉 ä')
      assert.equal(isElsewhere, false)
      await assertGone(first)
    })

    it('compares text byte by byte unless a table declares otherwise', async () => {
      const database = await column.create()
      const knex = createKnex(database.config)

      // Not with `createTable`: as the connection sets a charset, Knex appends that charset's own,
      // case-insensitive collation to every table without one.
      await knex.raw('CREATE TABLE marks (text VARCHAR(255))')
      await knex('marks').insert([{ text: 'a' }, { text: 'A' }, { text: 'ä' }])
      const found = await knex('marks').where({ text: 'a' })
      await knex.destroy()
      await database.drop()

      assert.deepEqual(
        found.map((row: { text: string }) => row.text),
        ['a'],
      )
    })
  })
}

async function assertGone(database: TestDatabase): Promise<void> {
  if (database.url.startsWith('sqlite:')) {
    assert.equal(existsSync(database.url.slice('sqlite:'.length)), false)
  } else {
    const knex = createKnex(database.config)
    await assert.rejects(knex.raw('SELECT 1'), /Unknown database|does not exist/)
    await knex.destroy()
  }
}
