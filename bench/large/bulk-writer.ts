import { promisify } from 'node:util'

import type { Knex } from 'knex'
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise'
import sqlite3 from 'sqlite3'

import type { CleanUp } from '../harness/clean-up.js'
import type { BenchDatabase } from '../harness/databases.js'

export type Value = string | number | null
export type Values = readonly Value[]

/** Fills tables faster than Knex does: a row takes a few microseconds. */
export interface BulkWriter {
  insert(table: string, columns: readonly string[], rows: Iterable<Values>): Promise<void>
}

const rowsPerCommit = 50_000
const rowsPerStatement = 2000

export async function bulkWriter(opened: CleanUp, database: BenchDatabase): Promise<BulkWriter> {
  // The configurations of `databases.ts` have these connections.
  const connection = database.config.connection as Knex.Sqlite3ConnectionConfig & object
  if (database.name === 'sqlite') return sqliteWriter(opened, connection.filename)
  const mysql = await createConnection(connection as object)
  opened.add(() => mysql.end())
  await mysql.query('SET SESSION unique_checks = 0, foreign_key_checks = 0')
  return { insert: (table, columns, rows) => insertMysql(mysql, table, columns, rows) }
}

async function sqliteWriter(opened: CleanUp, filename: string): Promise<BulkWriter> {
  const database = new sqlite3.Database(filename)
  opened.add(promisify(database.close.bind(database)))
  const run = promisify<string, unknown[], void>(database.run.bind(database))
  await run('PRAGMA synchronous = OFF', [])
  await run('PRAGMA cache_size = -400000', [])
  return {
    async insert(table, columns, rows) {
      const values = columns.map((_, index) => `value ->> ${index}`).join(', ')
      const sql = `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values} FROM json_each(?)`
      for (const batch of batchesOf(rows, rowsPerCommit)) await run(sql, [JSON.stringify(batch)])
    },
  }
}

async function insertMysql(
  mysql: Connection,
  table: string,
  columns: readonly string[],
  rows: Iterable<Values>,
): Promise<void> {
  for (const batch of batchesOf(rows, rowsPerCommit)) {
    await mysql.beginTransaction()
    for (let start = 0; start < batch.length; start += rowsPerStatement) {
      const part = batch.slice(start, start + rowsPerStatement)
      await mysql.query(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ?`, [part])
    }
    await mysql.commit()
  }
}

function* batchesOf<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let batch: Item[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** What a MySQL server has read and been sent so far. Only differences mean anything. */
export async function mysqlCounts(
  mysql: Connection,
): Promise<{ readonly statements: number; readonly rowsRead: number }> {
  const [rows] = await mysql.query<(RowDataPacket & { Variable_name: string; Value: string })[]>(
    "SHOW GLOBAL STATUS WHERE Variable_name = 'Questions' OR Variable_name LIKE 'Handler_read%'",
  )
  let [statements, rowsRead] = [0, 0]
  for (const { Variable_name: name, Value: value } of rows) {
    if (name === 'Questions') statements = Number(value)
    else rowsRead += Number(value)
  }
  return { statements, rowsRead }
}
