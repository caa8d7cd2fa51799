import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'

import { firstRelease } from '../../packages/core/src/storage/migrations/first-release.js'
import { Database, Migrator, Transaction } from '../../packages/core/src/storage/index.js'
import {
  boolean,
  id,
  integer,
  longText,
  number,
  string,
  text,
} from '../../packages/core/src/storage/tables/column.js'
import { columnsIn, defineTable } from '../../packages/core/src/storage/tables/table.js'
import type { TableName } from '../../packages/core/src/storage/rows/tables.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'

reportSkippedColumns()

// Booleans have names of the chat's own: the whole process knows them by their names.
const teas = defineTable('tested_teas', {
  columns: {
    id: id(),
    name: string(191),
    description: text().orNull(),
    story: longText(),
    strength: integer(),
    sold_at_milliseconds: number().orNull(),
    is_active: boolean(),
  },
})
const cups = defineTable('tested_cups', {
  columns: { id: id(), tea_id: id(), is_active: boolean() },
})

/** Queries are typed for the tables of the chat. */
const [teaTable, cupTable] = [teas.name, cups.name] as string[] as [TableName, TableName]

/** Characters that a text may have: all but null and halves of pairs. */
const characters = [
  ...Array.from({ length: 0x2fff }, (_, index) => index + 1),
  0xd7ff,
  0xe000,
  0xfffd,
  0xfffe,
  0xffff,
  0x1_0000,
  0x1_f600,
  0x10_ffff,
].map((code) => String.fromCodePoint(code))
const tea = {
  description: null,
  story: '',
  strength: 0,
  sold_at_milliseconds: null,
  is_active: true,
}
const rows = [
  { ...tea, name: 'green', story: characters.join(''), strength: -2_147_483_648 },
  { ...tea, name: 'black', description: '["a", null, 1]', strength: 2_147_483_647 },
  { ...tea, name: 'it\'s \\ "white" ?', is_active: false, sold_at_milliseconds: 4e12 },
]

for (const column of databaseColumns()) {
  describe(`reads that are sent together (${column.title})`, () => {
    let database: Database
    let drop: () => Promise<void>
    const sent: string[] = []
    const scope = () => new Transaction(7, database.writer, database.dialect, database.tablePrefix)

    before(async () => {
      const created = await column.create()
      drop = created.drop
      database = new Database(created.config, 'chat_')
      await new Migrator(database, [firstRelease([teas, cups])]).migrate()
      await scope().rows(teas).insertMany(rows)
      await new Transaction(8, database.writer, database.dialect, 'chat_')
        .rows(teas)
        .insert({ ...tea, name: 'of another organization' })
      const many = Array.from({ length: 1500 }, (_, index) => ({
        tea_id: 1500 - index,
        is_active: index % 2 === 0,
      }))
      await scope().rows(cups).insertMany(many)
      database.writer.on('query', ({ sql }: { sql: string }) => sent.push(sql))
    })
    beforeEach(() => sent.splice(0))
    after(async () => {
      await database.close()
      await drop()
    })

    it('are one statement, and have the values and the order of each alone', async () => {
      const all = scope()
      const reads = [
        () => all.rows(teas).list({}, 'id'),
        () => all.rows(teas).list({ name: 'none' }),
        () => all.rows(cups).list({}, 'tea_id'),
        async () => [await all.rows(teas).find({ name: rows[2]?.name ?? '' })],
        () => all.listRows(all.query(cupTable).orderBy('id', 'desc').limit(3), ['id']),
        () =>
          all.listRawRows(`SELECT MAX(id) AS newest FROM ${all.table(teaTable)}`, [], ['newest']),
      ] as const
      const alone: unknown[] = []
      for (const read of reads) alone.push(await read())
      sent.splice(0)

      const together = await all.readTogether<unknown[]>(...reads)

      assert.equal(sent.length, 1)
      assert.deepEqual(together, alone)
      assert.equal((together[2] as unknown[]).length, 1500)
      assert.equal((together[0] as typeof rows)[0]?.story, rows[0]?.story)
    })

    it('take columns of joins and computed ones, with booleans', async () => {
      const all = scope()
      const joined = () =>
        all.listRows<Record<string, unknown>>(
          all
            .queryAs(cupTable, 'c')
            .join(all.as(teaTable, 't'), {
              't.id': 'c.tea_id',
              't.organization_id': 'c.organization_id',
            })
            .orderBy('t.id'),
          {
            ...columnsIn(cups, 'c'),
            name: 't.name',
            is_muted: all.executor.raw('(t.strength > ?)', [0]),
          },
          { booleans: ['is_muted'] },
        )

      const [found, same] = await all.readTogether(joined, joined)

      assert.deepEqual(same, found)
      assert.deepEqual(
        found.map(({ name, is_muted, is_active }) => [name, is_muted, is_active]),
        rows.map(({ name, strength }, index) => [name, strength > 0, index % 2 !== 0]),
      )
    })

    it('are sent in rounds: a read that follows another one is in the next statement', async () => {
      const all = scope()
      const [cup, first] = await all.readTogether(
        async () => {
          const found = await all.rows(teas).find({ name: 'black' })
          return all.rows(cups).find({ tea_id: found?.id ?? 0 })
        },
        () => all.rows(cups).find({ tea_id: 1 }),
      )

      assert.equal(sent.length, 2)
      assert.deepEqual([cup?.tea_id, first?.tea_id], [2, 1])
    })

    it('end before a failure of one is reported', async () => {
      const all = scope()
      let isDone = false
      const work = all.readTogether(
        () => Promise.reject(new Error('no tea')),
        async () => {
          await all.rows(teas).list()
          await all.rows(cups).list()
          isDone = true
        },
      )

      await assert.rejects(work, /no tea/)
      assert.equal(isDone, true)
      assert.equal((await all.rows(teas).list()).length, rows.length)
    })

    it('all fail with a statement that the database refuses', async () => {
      const all = scope()
      const refused = all.readTogether(
        () => all.rows(teas).list(),
        () => all.listRawRows('SELECT missing FROM nowhere', [], ['missing']),
      )

      await assert.rejects(refused, /nowhere/)
      assert.equal((await all.rows(teas).list()).length, rows.length)
    })

    it('see what their transaction has written', async () => {
      const open = await database.begin()
      const tx = new Transaction(7, open.executor, database.dialect, 'chat_')
      await tx.rows(teas).insert({ ...tea, name: 'new' })
      const [all, one] = await tx.readTogether(
        () => tx.rows(teas).list(),
        () => tx.rows(teas).find({ name: 'new' }),
      )
      await open.rollback()

      assert.equal(all.length, rows.length + 1)
      assert.equal(one?.name, 'new')
    })
  })
}
