import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { createChatServer } from '@parley/core'

import { personalColumns } from '../../packages/core/src/resources/administration/personal-data/personal-columns.js'
import { readText } from './source-files.js'

/** The names of columns with ids of users. */
const userColumn = /^(?:.*_)?(?:user|actor|sender|owner|creator|author|recipient|bot)_ids?$/u
/** Columns of such names that have other ids. */
const others: ReadonlySet<string> = new Set([
  'messages.recipient_id',
  'channels.recipient_id',
  'recipient_members.recipient_id',
])

/** Every column of the schema, as `table.column`. */
function schemaColumns(): string[] {
  const sql = createChatServer({
    database: {
      client: 'better-sqlite3',
      connection: { filename: join(tmpdir(), 'never-opened.db') },
      useNullAsDefault: true,
    },
    migrations: 'off',
  }).migrationSql()
  return [
    ...sql.matchAll(/create table [`"]?chat_(\w+)[`"]? \(([\s\S]*?)\)(?: WITHOUT ROWID)?;/giu),
  ].flatMap(([, table, columns = '']) =>
    columns
      .split(/,\s*(?=[`"]?[a-z_]+[`"]? )/u)
      .map((column) => /^\s*[`"]?(\w+)/u.exec(column)?.[1])
      .filter((column) => column !== undefined)
      .map((column) => `${table}.${column}`),
  )
}

describe('personal data', () => {
  it('is listed for every column with ids of users', () => {
    const columns = schemaColumns()
    assert.ok(columns.length > 300, `${columns.length} columns`)
    const found = columns.filter((name) => userColumn.test(name.split('.')[1] ?? ''))
    const listed = personalColumns.map(({ table, column }) => `${table}.${column}`)

    const missing = found.filter((name) => !listed.includes(name) && !others.has(name))
    const unknown = listed.filter((name) => !columns.includes(name))

    assert.deepEqual(missing, [], 'add them to personal-columns.ts and docs/personal-data.md')
    assert.deepEqual(unknown, [])
    assert.equal(new Set(listed).size, listed.length)
  })

  it('is described on the page docs/personal-data.md', () => {
    const page = readText('docs/personal-data.md')

    const missing = personalColumns
      .map(
        ({ table, column, erasure, exportedAs = '', reason }) =>
          `| \`${table}.${column}\` | ${erasure} | ${reason} | ${exportedAs === '' ? '' : `\`${exportedAs}\``} |`,
      )
      .filter((row) => !page.includes(row))

    assert.deepEqual(missing, [])
  })
})
