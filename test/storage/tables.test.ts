import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { firstRelease } from '../../packages/core/src/storage/migrations/first-release.js'
import { Database, Migrator, Transaction } from '../../packages/core/src/storage/index.js'
import {
  boolean,
  id,
  integer,
  seconds,
  string,
} from '../../packages/core/src/storage/tables/column.js'
import {
  booleanColumns,
  defineServerTable,
  defineTable,
} from '../../packages/core/src/storage/tables/table.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'

reportSkippedColumns()

const words = defineTable('tested_words', {
  columns: {
    id: id(),
    user_id: id(),
    word: string<'tea' | 'milk' | 'sugar'>(20),
    strength: integer().defaultsTo(1),
    is_active: boolean(),
    due_at_seconds: seconds().orNull(),
  },
  unique: [['organization_id', 'word']],
  index: [
    {
      name: 'tested_words_due',
      columns: ['user_id', 'due_at_seconds'],
      whereNull: 'due_at_seconds',
    },
  ],
})
const keyed = defineServerTable('tested_keys', {
  columns: { name: string(10), organization_id: id() },
  primary: ['name'],
})
const tea = { user_id: 3, word: 'tea', is_active: false, due_at_seconds: null } as const
const milk = { ...tea, word: 'milk', due_at_seconds: 5 } as const
const sugar = { ...tea, user_id: 4, word: 'sugar', strength: 2, is_active: true } as const

for (const column of databaseColumns()) {
  describe(`declared tables (${column.title})`, () => {
    let database: Database
    let drop: () => Promise<void>
    let sql: string
    const rowsOf = (organizationId: number) =>
      new Transaction(organizationId, database.writer, database.dialect, 'chat_').rows(words)

    before(async () => {
      const created = await column.create()
      drop = created.drop
      database = new Database(created.config, 'chat_')
      const migrator = new Migrator(database, [firstRelease([words, keyed])])
      await migrator.migrate()
      // Databases quote names differently.
      sql = migrator.sql().replaceAll(/[`"]/gu, '')
    })
    after(async () => {
      await database.close()
      await drop()
    })

    it('have the columns in their order, and that of the organization after the id', () => {
      const [, columns = ''] = /create table chat_tested_words \((.*)\)/u.exec(sql) ?? []
      assert.deepEqual(
        [...columns.matchAll(/(?:^|, )(?!primary |unique |constraint )(\w+) /gu)].map(
          ([, name]) => name,
        ),
        ['id', 'organization_id', 'user_id', 'word', 'strength', 'is_active', 'due_at_seconds'],
      )
      assert.match(sql, /chat_tested_keys \(name varchar\(10\)[^,]*, organization_id /u)
      assert.ok(booleanColumns.has('is_active'))
      assert.ok(!booleanColumns.has('strength'))
    })

    it('have indexes of the rows in which a column is null, where the database has such', () => {
      const found = sql
        .split('\n')
        .filter((line) => line.includes('words_due'))
        .map((line) => line.toLowerCase())

      assert.equal(found.length, 1)
      assert.match(
        found[0] ?? '',
        column.name === 'mysql'
          ? /\(user_id, due_at_seconds\)/u
          : /\(user_id\) where due_at_seconds is null/u,
      )
    })

    it('have rows, of one organization, that are inserted, found, changed and deleted', async () => {
      const [own, others] = [rowsOf(1), rowsOf(2)]

      const first = await own.insert(tea)
      const elsewhere = { ...sugar, id: first + 7, organization_id: 2 }
      await own.insertMany([milk, elsewhere])
      await own.insertMany([])
      await others.insert(tea)

      const stored = { ...tea, id: first, organization_id: 1, strength: 1 }
      assert.deepEqual({ ...(await own.find({ word: 'tea' })) }, stored)
      assert.deepEqual({ ...(await own.lock({ id: first, due_at_seconds: null })) }, stored)
      assert.equal(await own.find({ word: 'tea', user_id: 4 }), undefined)
      assert.deepEqual(
        (await own.list({ word: ['tea', 'milk', 'sugar'] }, 'is_active', 'word')).map(
          ({ word }) => word,
        ),
        ['milk', 'tea', 'sugar'],
      )
      assert.equal(await own.count(), 3)
      assert.equal(await own.count({ user_id: 3 }), 2)
      assert.deepEqual(await own.size({ user_id: 3 }, ['word']), { rows: 2, bytes: 7 })
      assert.equal(await own.has({ word: 'sugar', strength: 2 }), true)
      assert.equal(await own.has({ word: 'sugar', strength: 1 }), false)

      assert.equal(await own.update({ user_id: 3 }, { strength: 9 }), 2)
      assert.equal(await own.delete({ word: ['tea', 'sugar'] }), 2)

      assert.deepEqual(
        (await own.list()).map(({ word, strength }) => [word, strength]),
        [['milk', 9]],
      )
      assert.deepEqual(
        (await others.list()).map(({ word, strength }) => [word, strength]),
        [['tea', 1]],
      )
    })

    it('have a row that is inserted only if there is none of the same key', async () => {
      const [own, others] = [rowsOf(3), rowsOf(4)]

      const first = await own.insertIfAbsent(tea)
      const again = await own.insertIfAbsent({ ...tea, user_id: 8 })
      const elsewhere = await others.insertIfAbsent(tea)
      const second = await own.insertIfAbsent(milk)

      assert.equal(again, first)
      assert.equal(new Set([first, elsewhere, second]).size, 3)
      assert.deepEqual(
        (await own.list({}, 'id')).map(({ id, word, user_id }) => [id, word, user_id]),
        [
          [first, 'tea', 3],
          [second, 'milk', 3],
        ],
      )
    })

    it('have no rows with one of no values, for which there is no statement', async () => {
      const statements: unknown[] = []
      const note = (query: unknown): void => void statements.push(query)
      database.writer.on('query', note)
      const rows = rowsOf(1)

      assert.deepEqual(await rows.list({ word: [] }), [])
      assert.equal(await rows.count({ user_id: [] }), 0)
      assert.equal(await rows.update({ word: [] }, { strength: 9 }), 0)
      assert.equal(await rows.delete({ word: [] }), 0)
      await rows.insertMany([])

      assert.deepEqual(statements, [])
      await rows.list()
      assert.equal(statements.length, 1)
      database.writer.removeListener('query', note)
    })

    it('do not take other values than those of the types of their columns', () => {
      const never = async (): Promise<void> => {
        const rows = rowsOf(1)
        // @ts-expect-error -- no such word
        await rows.insert({ ...tea, word: 'coffee' })
        // @ts-expect-error -- it may not be null
        await rows.insert({ ...tea, user_id: null })
        const { word, ...wordless } = tea
        // @ts-expect-error -- it has no default
        await rows.insert(wordless)
        // @ts-expect-error -- no such column
        await rows.find({ name: word })
      }
      assert.equal(typeof never, 'function')
    })
  })
}
