import assert from 'node:assert/strict'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'

import createKnex, { type Knex } from 'knex'

import { migrations } from '../../packages/core/src/resources/tables.js'
import type {
  Migration,
  MigrationContext,
} from '../../packages/core/src/storage/migrations/migration.js'
import { schemaOf } from '../support/database-schema.js'
import {
  allDatabaseColumns,
  databaseColumns,
  reportSkippedColumns,
  type TestDatabase,
} from '../support/databases.js'
import { migrate, migrateInterruptedly } from '../support/migrating-process.js'

const mysql = databaseColumns().find(({ name }) => name === 'mysql')

reportSkippedColumns()

async function withKnex<Result>(
  { config }: Pick<TestDatabase, 'config'>,
  work: (knex: Knex) => Promise<Result>,
): Promise<Result> {
  const knex = createKnex(config)
  try {
    return await work(knex)
  } finally {
    await knex.destroy()
  }
}

function migration(name: string, up: (context: MigrationContext) => void): Migration {
  return { name, up }
}

/** Every kind of statement, and rows that would be wrong if a statement ran twice. */
const everyKind: readonly Migration[] = [
  migration('0001', (context) => {
    context.create('rooms', (t) => {
      t.increments('id')
      t.integer('seats').notNullable()
      t.integer('floor').notNullable().index()
      t.integer('old').nullable()
    })
    context.create('gone', (t) => t.integer('a').notNullable())
    context.raw('INSERT INTO chat_rooms (seats, floor) VALUES (10, 1)')
    context.raw('ALTER TABLE chat_gone ADD PRIMARY KEY (a)')
    context.raw('CREATE UNIQUE INDEX chat_rooms_seats ON chat_rooms (seats)')
  }),
  migration('0002', (context) => {
    context.raw('ALTER TABLE chat_rooms ADD COLUMN chairs INTEGER NOT NULL DEFAULT 0')
    context.raw('UPDATE chat_rooms SET chairs = chairs + seats')
    context.raw('UPDATE chat_rooms SET chairs = chairs + 1')
    context.raw('ALTER TABLE chat_rooms MODIFY COLUMN chairs BIGINT NOT NULL')
    context.raw('ALTER TABLE chat_rooms RENAME COLUMN floor TO level')
    context.raw('DROP INDEX chat_rooms_seats ON chat_rooms')
    context.raw('ALTER TABLE chat_rooms DROP COLUMN old')
    context.raw('RENAME TABLE chat_rooms TO chat_places')
    context.raw(
      'INSERT INTO chat_places (seats, level, chairs) SELECT 5, 2, chairs FROM chat_places',
    )
    context.schema.dropTable('chat_gone')
  }),
]

describe('a migration that was interrupted (mysql)', { skip: mysql === undefined }, () => {
  const create = (): Promise<TestDatabase> => (mysql ?? assert.fail()).create()

  it('is completed, whichever statement of whatever kind the process was killed after', async () => {
    const [uninterrupted, database] = [await create(), await create()]
    await migrate(uninterrupted, undefined, everyKind)

    const count = await migrateInterruptedly(
      database,
      (sql) => !/^(select|begin|rollback)/i.test(sql),
      undefined,
      everyKind,
    )

    assert.ok(count > 40, `${count} interruptions`)
    const expected = await withKnex(uninterrupted, schemaOf)
    await withKnex(database, async (knex) => {
      assert.deepEqual(await schemaOf(knex), expected)
      assert.deepEqual(await knex('chat_migration_progress').select(), [])
      assert.deepEqual(await knex('chat_places').orderBy('id').select('seats', 'level', 'chairs'), [
        { seats: 10, level: 1, chairs: 11 },
        { seats: 5, level: 2, chairs: 11 },
      ])
    })
    await Promise.all([uninterrupted.drop(), database.drop()])
  })

  it("is completed, whichever of the product's statements the process was killed after", async () => {
    const [uninterrupted, database] = [await create(), await create()]

    // Everything between two of these statements is the same for all, and covered above.
    const [, count] = await Promise.all([
      migrate(uninterrupted),
      migrateInterruptedly(database, (sql) =>
        /^(alter|create|drop|insert into chat_|update chat_)/i.test(sql),
      ),
    ])

    assert.ok(count > 130, `${count} interruptions`)
    const expected = await withKnex(uninterrupted, schemaOf)
    await withKnex(database, async (knex) => {
      assert.deepEqual(await schemaOf(knex), expected)
      assert.deepEqual(
        (await knex('chat_migrations').orderBy('name').pluck('name')) as unknown,
        migrations.map(({ name }) => name),
      )
    })
    await Promise.all([uninterrupted.drop(), database.drop()])
  })

  it('never treats a table of the application as one of its own', async () => {
    const database = await create()
    await withKnex(database, (knex) =>
      knex.schema.createTable('chat_gone', (table) => table.increments('customer_id')),
    )

    for (const start of ['first', 'second']) {
      await assert.rejects(migrate(database, undefined, everyKind), /exists/, start)
    }

    await withKnex(database, async (knex) => {
      assert.ok(await knex.schema.hasColumn('chat_gone', 'customer_id'))
      await knex.schema.dropTable('chat_gone')
    })
    await migrate(database, undefined, everyKind)
    await database.drop()
  })

  it('leaves the rest to another process that has continued it', async () => {
    const [uninterrupted, database] = [await create(), await create()]
    await migrate(uninterrupted, undefined, everyKind)

    // As if the lock had ended with a connection that a proxy has closed.
    let hasGoneOn = false
    await migrate(
      database,
      async ({ sql = '' }) => {
        if (hasGoneOn || !/^create table .chat_rooms/.test(sql)) return
        hasGoneOn = true
        await withKnex(database, (knex) =>
          knex('chat_migration_progress').update({ statements_begun: 2 }),
        )
      },
      everyKind,
    )

    const expected = await withKnex(uninterrupted, schemaOf)
    assert.ok(hasGoneOn)
    assert.deepEqual(await withKnex(database, schemaOf), expected)
    await Promise.all([uninterrupted.drop(), database.drop()])
  })
})

for (const column of allDatabaseColumns()) {
  if (column.name === 'mysql') continue
  describe(`a migration that was interrupted (${column.name})`, () => {
    it('leaves nothing behind, whichever statement the process was killed after', async () => {
      const database = await column.create()
      const otherKnex = createKnex(database.config)
      const found: string[] = []
      let isCommitted = false

      await migrate(database, async ({ sql = '' }) => {
        if (/^commit/i.test(sql)) isCommitted = true
        if (isCommitted || /^(pragma|select|begin)/i.test(sql)) return
        const schema =
          column.name === 'sqlite' ? await schemaOfCopy(database) : await schemaOf(otherKnex)
        found.push(`${schema.length} after ${sql}`)
      })

      assert.ok(found.length > 100, `${found.length} statements`)
      assert.deepEqual(
        found.filter((text) => !text.startsWith('0 ')),
        [],
      )
      assert.ok((await schemaOf(otherKnex)).length > 100)
      await otherKnex.destroy()
      await database.drop()
    })
  })
}

/** What another process finds in the files of SQLite as a killed process would leave them. */
async function schemaOfCopy({ config }: TestDatabase): Promise<readonly unknown[]> {
  const { filename } = config.connection as { filename: string }
  const folder = join(dirname(filename), 'copy')
  const copy = join(folder, 'chat.sqlite')
  await mkdir(folder)
  await copyFile(filename, copy)
  await copyFile(`${filename}-wal`, `${copy}-wal`)
  const copied = { config: { ...config, connection: { filename: copy } } }
  const schema = await withKnex(copied, schemaOf)
  await rm(folder, { recursive: true })
  return schema
}
