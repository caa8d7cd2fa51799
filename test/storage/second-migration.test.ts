import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import createKnex, { type Knex } from 'knex'

import { Database, Migrator } from '../../packages/core/src/storage/index.js'
import { migrations } from '../../packages/core/src/resources/tables.js'
import type { Migration } from '../../packages/core/src/storage/migrations/migration.js'
import { schemaOf } from '../support/database-schema.js'
import { databaseColumns, reportSkippedColumns, type TestDatabase } from '../support/databases.js'
import { migrate, migrateInterruptedly } from '../support/migrating-process.js'

const rowCount = 5

/** Changes tables and rows in turn. The rows are wrong if a statement runs twice, or never. */
const second: Migration = {
  name: '0002-second',
  up(context) {
    const words = context.table('alert_words')
    context.raw(`ALTER TABLE ${words} ADD COLUMN uses INTEGER NOT NULL DEFAULT 1`)
    context.raw(`UPDATE ${words} SET uses = uses + user_id`)
    context.create('word_counts', (t) => {
      t.increments('id')
      t.integer('organization_id').notNullable()
      t.integer('words').notNullable().index()
    })
    context.raw(
      `INSERT INTO ${context.table('word_counts')} (organization_id, words)
       SELECT organization_id, COUNT(*) FROM ${words} GROUP BY organization_id`,
    )
    context.raw(`UPDATE ${words} SET uses = uses * 2`)
    context.raw(`CREATE INDEX ${words}_uses ON ${words} (uses)`)
  },
}

const both = [...migrations, second]

reportSkippedColumns()

for (const column of databaseColumns()) {
  describe(`a second migration (${column.name})`, () => {
    let [uninterrupted, database]: TestDatabase[] = []
    let knex: Knex

    async function check(list: readonly Migration[]): Promise<void> {
      const checked = new Database((database ?? assert.fail()).config, 'chat_')
      try {
        await new Migrator(checked, list).check()
      } finally {
        await checked.close()
      }
    }

    /** How many statements have begun, as other processes can read it. */
    async function readProgress(): Promise<number | undefined> {
      if (!(await knex.schema.hasTable('chat_migration_progress'))) return undefined
      const rows = (await knex('chat_migration_progress').select()) as {
        name: string
        statements_begun: number
      }[]
      assert.ok(rows.every(({ name }) => name === second.name))
      return rows[0]?.statements_begun
    }

    before(async () => {
      ;[uninterrupted, database] = [await column.create(), await column.create()]
      knex = createKnex(database.config)
      for (const one of [uninterrupted, database]) {
        await migrate(one)
        const writer = createKnex(one.config)
        await writer('chat_alert_words').insert(
          Array.from({ length: rowCount }, (_, index) => ({
            organization_id: 1,
            user_id: index + 1,
            word: 'Deploy',
            word_key: 'deploy',
          })),
        )
        await writer.destroy()
      }
    })
    after(async () => {
      await knex.destroy()
      await Promise.all([uninterrupted?.drop(), database?.drop()])
    })

    it('is reported as missing until it is applied, step by step, to a database with rows', async () => {
      assert.ok(uninterrupted !== undefined && database !== undefined)
      await migrate(uninterrupted, undefined, both)
      const expectedSchema = createKnex(uninterrupted.config)
      await assert.rejects(check(both), /Missing: 0002-second$/)

      const progress: (number | undefined)[] = []
      const missing: boolean[] = []
      await migrateInterruptedly(
        database,
        (sql) => !/^(select|pragma|begin|rollback)/i.test(sql),
        async () => {
          progress.push(await readProgress())
          missing.push(
            await check(both).then(
              () => false,
              () => true,
            ),
          )
        },
        both,
      )

      assert.deepEqual(await schemaOf(knex), await schemaOf(expectedSchema))
      await expectedSchema.destroy()
      assert.deepEqual(
        await knex('chat_alert_words').orderBy('user_id').pluck('uses'),
        Array.from({ length: rowCount }, (_, index) => (index + 2) * 2),
      )
      assert.deepEqual(await knex('chat_word_counts').pluck('words'), [rowCount])
      assert.ok(missing.length >= 8, `${missing.length} interruptions`)
      // Missing until its last statement, and never again.
      assert.deepEqual(missing, [
        ...missing.filter((isMissing) => isMissing),
        ...missing.filter((isMissing) => !isMissing),
      ])
      await check(both)
      if (column.name === 'mysql') {
        const begun = progress.filter((count) => count !== undefined)
        assert.deepEqual(
          begun,
          begun.toSorted((a, b) => a - b),
        )
        assert.deepEqual([...new Set(begun)], [0, 1, 2, 3, 4, 5, 6, 7])
        assert.equal(await readProgress(), undefined)
      } else {
        // SQLite and PostgreSQL roll all of it back.
        assert.ok(progress.every((count) => count === undefined))
      }
    })

    it('does not keep a process of the version before it from starting', async () => {
      assert.ok(database !== undefined)
      await check(migrations)
      await migrate(database)

      assert.deepEqual(await knex('chat_migrations').orderBy('name').pluck('name'), [
        migrations[0]?.name,
        second.name,
      ])
    })
  })
}
