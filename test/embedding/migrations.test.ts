import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { createChatServer } from '@parley/core'
import { createChatMiddleware } from '@parley/express'
import express from 'express'
import createKnex from 'knex'

import { schemaOf } from '../support/database-schema.js'
import { tableNames } from '../support/database-texts.js'
import { databaseColumns, reportSkippedColumns, type TestDatabase } from '../support/databases.js'
import { Product } from './product.js'

async function tablesOf({ config }: TestDatabase): Promise<string[]> {
  const knex = createKnex(config)
  const names = await tableNames(knex)
  await knex.destroy()
  return names.sort()
}

async function assertWorks(database: TestDatabase, tablePrefix?: string): Promise<void> {
  const chat = createChatServer({
    database: database.config,
    migrations: 'off',
    rateLimits: 'off',
    ...(tablePrefix === undefined ? {} : { tablePrefix }),
  })
  await chat.start()
  const product = await Product.listen(express().use(createChatMiddleware(chat)))
  const cast = product.cast()
  await chat.organizations.load(cast.file)
  const feed = await cast.people.bob.listen({ event_types: ['message'] })
  await cast.people.alice.say(cast.channels.design, 'topic', 'content')
  assert.equal((await feed.drain()).length, 1)
  await product[Symbol.asyncDispose]()
  await chat.close()
}

reportSkippedColumns()

for (const column of databaseColumns()) {
  describe(`migrations (${column.name})`, () => {
    it('are not listed with their statements while one of them is interrupted', async () => {
      const database = await column.create()
      const knex = createKnex({ ...database.config, useNullAsDefault: true })
      await knex.schema.createTable('chat_migration_progress', (table) => {
        table.string('name', 100)
        table.integer('statements_begun')
      })
      await knex('chat_migration_progress').insert({
        name: '0001-first-release',
        statements_begun: 3,
      })
      await knex.destroy()
      const chat = createChatServer({ database: database.config })

      await assert.rejects(chat.pendingMigrations(), {
        message: /0001-first-release was interrupted; call migrate\(\)/,
      })

      await chat.close()
      await database.drop()
    })

    it("create all tables under the prefix with 'auto', and change nothing when run again", async () => {
      const database = await column.create()

      for (let round = 0; round < 2; round += 1) {
        const chat = createChatServer({ database: database.config, tablePrefix: 'talk_' })
        await chat.start()
        await chat.close()
      }

      const tables = await tablesOf(database)
      assert.ok(tables.includes('talk_messages'))
      assert.deepEqual(
        tables.filter((name) => !name.startsWith('talk_')),
        [],
      )
      await assertWorks(database, 'talk_')
      await database.drop()
    })

    it('create the tables under the longest prefix, automatically and by hand', async () => {
      const tablePrefix = 'a_prefix_of_thirty_characters_'
      for (const way of ['migrate', 'migrationSql'] as const) {
        const database = await column.create()
        const chat = createChatServer({ database: database.config, tablePrefix })
        if (way === 'migrate') await chat.migrate()
        else await runByHand(database, chat.migrationSql())
        await chat.close()

        await assertWorks(database, tablePrefix)
        await database.drop()
      }
    })

    it("start with 'check' only if nothing is missing, and otherwise name what is", async () => {
      const database = await column.create()
      const options = { database: database.config, migrations: 'check' } as const
      const early = createChatServer(options)

      await assert.rejects(early.start(), /not up to date; call migrate\(\).*0001-first-release/)
      await early.migrate()
      await early.close()
      const late = createChatServer(options)
      await late.start()

      assert.equal((await late.health()).isReady, true)
      await late.close()
      await database.drop()
    })

    for (const table of ['chat_migrations', 'chat_migration_progress']) {
      it(`refuse tables from before the first release (in ${table}) and do not change them`, async () => {
        const database = await column.create()
        const knex = createKnex(database.config)
        await knex.schema.createTable(table, (t) => {
          t.string('name', 100).primary()
          t.integer('statements_begun').nullable()
        })
        await knex(table).insert({ name: '0001-initial-schema' })
        const before = await schemaOf(knex)
        const refusal = /before the first release, with the prefix 'chat_'.*Use another database/

        for (const migrations of ['auto', 'check'] as const) {
          const chat = createChatServer({ database: database.config, migrations })
          await assert.rejects(chat.start(), refusal)
          await assert.rejects(chat.migrate(), refusal)
          await chat.close()
        }
        assert.deepEqual(await schemaOf(knex), before)
        assert.deepEqual(await knex(table).pluck('name'), ['0001-initial-schema'])
        await knex.destroy()
        await database.drop()
      })
    }

    it("do not change the tables with 'off'", async () => {
      const database = await column.create()
      const chat = createChatServer({ database: database.config, migrations: 'off' })

      await assert.rejects(chat.endQueues(), /a table is missing\. Start with migrations: 'auto'/)
      await assert.rejects(chat.start())
      await chat.close()

      assert.deepEqual(await tablesOf(database), [])
      await database.drop()
    })

    it('print the SQL for running it by hand', async () => {
      const database = await column.create()
      const planning = createChatServer({ database: database.config })
      const sql = planning.migrationSql()
      await planning.close()

      await runByHand(database, sql)

      const checking = createChatServer({ database: database.config, migrations: 'check' })
      await checking.start()
      await checking.close()
      await assertWorks(database)
      await database.drop()
    })

    it('of several processes that start concurrently are applied once', async () => {
      const database = await column.create()
      const chats = Array.from({ length: 3 }, () => createChatServer({ database: database.config }))

      await Promise.all(chats.map((chat) => chat.start()))

      for (const chat of chats) assert.equal((await chat.health()).isReady, true)
      await Promise.all(chats.map((chat) => chat.close()))
      await database.drop()
    })
  })
}

async function runByHand({ config }: TestDatabase, sql: string): Promise<void> {
  const knex = createKnex(config)
  for (const statement of statementsOf(sql)) await knex.raw(statement)
  await knex.destroy()
}

function statementsOf(sql: string): string[] {
  return sql
    .split('\n')
    .filter((line) => !line.startsWith('--'))
    .join('\n')
    .split(/;\s*\n/)
    .map((statement) => statement.trim().replace(/;$/, ''))
    .filter((statement) => statement !== '')
}
