import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import {
  columnsOf,
  archivedOrganization,
  archivedTables,
} from '../../packages/core/src/resources/administration/organization-archive/archived-tables.js'
import { migrations, tables } from '../../packages/core/src/resources/tables.js'
import { Database, Migrator } from '../../packages/core/src/storage/index.js'
import { factsOf, type Table } from '../../packages/core/src/storage/tables/table.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'

reportSkippedColumns()

/** Tables that belong to no organization, and those of full-text searches. */
const ofServer = /^(?:server_secrets|migrations|migration_progress|consumers|message_words.*)$/

/** The columns of each table, without prefix. */
async function schemaOf(database: Database): Promise<Map<string, string[]>> {
  const { reader, dialect } = database
  const columns = `SELECT table_name AS name, column_name AS col FROM information_schema.columns
    WHERE table_schema = `
  const sql = {
    mysql: `${columns} DATABASE()`,
    postgresql: `${columns} current_schema()`,
    sqlite: `SELECT m.name, c.name AS col FROM sqlite_master m
      JOIN pragma_table_xinfo(m.name) c WHERE m.type = 'table' AND m.name LIKE 'chat_%'`,
  }[dialect.name]
  const rows = dialect.rowsOf(await reader.raw(sql)) as readonly { name: string; col: string }[]
  const tables = new Map<string, string[]>()
  for (const { name, col } of rows) {
    const table = name.slice('chat_'.length)
    tables.set(table, [...(tables.get(table) ?? []), col])
  }
  return tables
}

for (const column of databaseColumns()) {
  describe(`archived tables (${column.title})`, () => {
    let database: Database
    let drop: () => Promise<void>
    let schema: Map<string, string[]>

    before(async () => {
      const created = await column.create()
      drop = created.drop
      database = new Database(created.config, 'chat_')
      await new Migrator(database, migrations).migrate()
      schema = await schemaOf(database)
    })
    after(async () => {
      await database.close()
      await drop()
    })

    it('are all tables of organizations, except those that are omitted for a reason', () => {
      const archived = archivedTables.map(({ name }) => name as string)
      const omitted = tables
        .filter(({ archive }) => typeof archive === 'string')
        .map(({ name }) => name as string)

      const found = [...schema.keys()].filter((name) => !ofServer.test(name))
      assert.deepEqual(
        found.filter((name) => name !== 'organizations').toSorted(),
        [...archived, ...omitted].filter((name) => !ofServer.test(name)).toSorted(),
      )
    })

    it('have all columns, except those that are omitted for a reason', () => {
      for (const { name, row } of [...archivedTables, archivedOrganization]) {
        const columns = (schema.get(name) ?? []).filter((one) => one !== 'organization_id')
        const table = tables.find((one) => one.name === name)
        assert.ok(table)
        const omitted = factsOf(table).flatMap(([column, { notArchived }]) =>
          notArchived === undefined ? [] : [column],
        )
        const { computed = [] }: Table = table
        assert.deepEqual(
          columns.toSorted(),
          [...columnsOf({ row }), ...omitted, ...computed].toSorted(),
          name,
        )
      }
    })

    it('refer to tables that are archived by id', () => {
      const byId = new Set(
        archivedTables.filter(({ of }) => of === undefined).map(({ name }) => name as string),
      )
      for (const { name, references, of } of archivedTables) {
        for (const target of [...Object.values(references), ...(of ? [of.table] : [])]) {
          assert.ok(byId.has(target), `${name}: ${target}`)
        }
      }
    })
  })
}
