import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { migrations } from '../../packages/core/src/resources/tables.js'
import { Database, Migrator, type Tables } from '../../packages/core/src/storage/index.js'
import { booleanColumns } from '../../packages/core/src/storage/tables/table.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { subscriptions } from '../../packages/core/src/resources/channels/subscriptions/subscriptions-table.js'

reportSkippedColumns()

/** The names of all columns, and whether they hold booleans. */
async function columnsOf(database: Database): Promise<{ name: string; isBoolean: boolean }[]> {
  const { reader, dialect } = database
  if (dialect.name === 'mysql') {
    const [rows] = (await reader.raw(
      `SELECT column_name AS name, column_type = 'tinyint(1)' AS is_boolean
       FROM information_schema.columns WHERE table_schema = DATABASE()`,
    )) as unknown as [{ name: string; is_boolean: number }[]]
    return rows.map(({ name, is_boolean }) => ({ name, isBoolean: is_boolean === 1 }))
  }
  if (dialect.name === 'postgresql') {
    const found = await reader('information_schema.columns')
      .where({ table_schema: 'public' })
      .select<{ name: string; type: string }[]>('column_name as name', 'data_type as type')
    return found.map(({ name, type }) => ({ name, isBoolean: type === 'boolean' }))
  }
  const rows = (await reader.raw(
    `SELECT c.name, LOWER(c.type) AS type FROM sqlite_master m
     JOIN pragma_table_info(m.name) c WHERE m.type = 'table'`,
  )) as unknown as { name: string; type: string }[]
  return rows.map(({ name, type }) => ({ name, isBoolean: type === 'boolean' }))
}

type Row = Pick<Tables['subscriptions'], (typeof readColumns)[number]>

const readColumns = ['user_id', 'is_active', 'is_muted', 'push_notifications'] as const
const subscription = { channel_id: 3, color: '#000000', is_user_active: true }

for (const column of databaseColumns()) {
  describe(`boolean columns (${column.title})`, () => {
    let database: Database
    let drop: () => Promise<void>

    before(async () => {
      const created = await column.create()
      database = new Database(created.config, 'chat_')
      drop = created.drop
      await new Migrator(database, migrations).migrate()
      await database.writer(database.table('subscriptions')).insert([
        { ...subscription, organization_id: 1, user_id: 1, is_active: true, is_muted: false },
        { ...subscription, organization_id: 1, user_id: 2, is_active: false, is_muted: true },
      ])
      await database
        .writer(database.table('subscriptions'))
        .where({ user_id: 2 })
        .update({ push_notifications: false })
    })
    after(async () => {
      await database.close()
      await drop()
    })

    it('are exactly the columns that are declared so, and no other column has one of their names', async () => {
      const columns = await columnsOf(database)

      const booleans = new Set(columns.filter(({ isBoolean }) => isBoolean).map(({ name }) => name))
      const others = columns.filter(({ isBoolean }) => !isBoolean).map(({ name }) => name)
      assert.deepEqual([...booleans].sort(), [...booleanColumns].sort())
      assert.deepEqual(
        others.filter((name) => booleanColumns.has(name)),
        [],
      )
    })

    it('are read as booleans, or null, by every kind of query', async () => {
      const scope = database.read(1)
      const expected = [
        { user_id: 1, is_active: true, is_muted: false, push_notifications: null },
        { user_id: 2, is_active: false, is_muted: true, push_notifications: false },
      ]
      const ofTable = () => scope.query('subscriptions').orderBy('user_id')
      const plain = (rows: readonly object[]) => rows.map((row) => ({ ...row }))

      const first = await ofTable().first(...readColumns)
      const joined = await scope
        .queryAs('subscriptions', 's')
        .join(scope.as('subscriptions', 'o'), 'o.user_id', 's.user_id')
        .orderBy('o.user_id')
        .select<object[]>(readColumns.map((name) => `o.${name}`))
      const raw = await scope.raw<object>(
        `SELECT ${readColumns.join(', ')} FROM ?? WHERE organization_id = ? ORDER BY user_id`,
        [scope.table('subscriptions'), 1],
      )
      const listedRaw = await scope.listRawRows<Row>(
        `SELECT ${readColumns.join(', ')} FROM ${scope.table('subscriptions')}
         WHERE organization_id = ? ORDER BY user_id`,
        [1],
        readColumns,
      )
      const ofAll = await database
        .queryAll('subscriptions')
        .orderBy('user_id')
        .select(...readColumns)
      const inSnapshot = await database.snapshot(1, (snapshot) =>
        snapshot.listRows<Row>(snapshot.query('subscriptions').orderBy('user_id'), readColumns),
      )

      assert.deepEqual(plain(await ofTable().select(...readColumns)), expected)
      assert.deepEqual({ ...first }, expected[0])
      assert.deepEqual(plain(joined), expected)
      assert.deepEqual(plain(raw), expected)
      assert.deepEqual(plain(ofAll), expected)
      assert.deepEqual(plain(inSnapshot), expected)
      assert.deepEqual(plain(await scope.listRows<Row>(ofTable(), readColumns)), expected)
      assert.deepEqual(plain(listedRaw), expected)
      assert.equal(await scope.rows(subscriptions).count({ is_active: true }), 1)
    })

    it('include renamed and computed columns that the query lists', async () => {
      const scope = database.read(1)
      const booleans = ['is_used', 'has_other']
      const exists = 'EXISTS (SELECT 1 FROM ?? WHERE user_id = s.user_id + 1) AS has_other'
      const table = scope.table('subscriptions')

      const built = await scope
        .queryAs('subscriptions', 's', { booleans })
        .orderBy('s.user_id')
        .select<object[]>('s.is_active as is_used', scope.executor.raw(exists, [table]))
      const raw = await scope.raw<object>(
        `SELECT s.is_active AS is_used, ${exists} FROM ?? s ORDER BY s.user_id`,
        [table, table],
        { booleans },
      )

      const expected = [
        { is_used: true, has_other: true },
        { is_used: false, has_other: false },
      ]
      assert.deepEqual(
        built.map((row) => ({ ...row })),
        expected,
      )
      assert.deepEqual(
        raw.map((row) => ({ ...row })),
        expected,
      )
    })
  })
}
