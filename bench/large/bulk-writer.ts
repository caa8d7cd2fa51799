import { promisify } from 'node:util'

import knexPackage, { type Knex } from 'knex'
import { createConnection, type Connection } from 'mysql2/promise'
import sqlite3 from 'sqlite3'

import type { CleanUp } from '../harness/clean-up.js'
import type { BenchDatabase } from '../harness/databases.js'
import { followIds } from '../harness/seed.js'

export type Value = string | number | boolean | null
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
  if (database.name === 'postgres') return postgresWriter(opened, database.config)
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

async function postgresWriter(opened: CleanUp, config: Knex.Config): Promise<BulkWriter> {
  const knex = knexPackage({ ...config, pool: { min: 1, max: 1 } })
  opened.add(() => knex.destroy())
  await knex.raw('SET synchronous_commit = off')
  return {
    async insert(table, columns, rows) {
      const names = columns.join(', ')
      const sql = `INSERT INTO ${table} (${names})
        SELECT ${names} FROM json_populate_recordset(NULL::${table}, ?)`
      for (const batch of batchesOf(rows, rowsPerStatement)) {
        const objects = batch.map((values) =>
          Object.fromEntries(columns.map((column, index) => [column, values[index]])),
        )
        await knex.raw(sql, [JSON.stringify(objects)])
      }
      if (columns.includes('id')) await followIds(knex, table)
      // The chat would wait for autovacuum otherwise, as a product does after an import.
      await knex.raw(`VACUUM ANALYZE ${table}`)
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
