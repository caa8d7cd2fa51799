import type { Knex } from 'knex'
import sqlite3 from 'sqlite3'

import type { BenchDatabase } from './databases.js'

type Call = (...parameters: unknown[]) => unknown

let sqliteStatements = 0
let isCounting = false

/** How many SQL statements a database has been sent so far. Only differences mean anything. */
export async function countStatements(database: BenchDatabase, knex: Knex): Promise<number> {
  if (database.name === 'sqlite') {
    return countSqliteStatements()
  }
  if (database.name === 'postgres') {
    await knex.raw('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
    const { rows } = (await knex.raw('SELECT SUM(calls) AS count FROM pg_stat_statements')) as {
      rows: [{ count: string }]
    }
    return Number(rows[0].count)
  }
  const [rows] = (await knex.raw("SHOW GLOBAL STATUS LIKE 'Questions'")) as [{ Value: string }[]]
  return Number(rows[0]?.Value)
}

/** The same within this process, where SQLite is its database. */
export function countSqliteStatements(): number {
  watchSqliteStatements()
  return sqliteStatements
}

function watchSqliteStatements(): void {
  if (isCounting) return
  isCounting = true
  const prototype = sqlite3.Statement.prototype as unknown as Record<'all' | 'run', Call>
  for (const method of ['all', 'run'] as const) {
    const original = prototype[method]
    prototype[method] = function counted(this: unknown, ...parameters: unknown[]) {
      sqliteStatements += 1
      return original.apply(this, parameters)
    }
  }
}
