import type { ExecutorResult, TransactionExecutor } from '../connections/transaction-executor.js'
import { returnsRows } from './returns-rows.js'

type Answered = (
  this: { readonly lastID: number; readonly changes: number },
  error: Error | null,
  rows?: unknown,
) => void

/** The used part of a connection of `sqlite3`. */
export interface Sqlite3Connection {
  all(sql: string, values: readonly unknown[], answered: Answered): unknown
  run(sql: string, values: readonly unknown[], answered: Answered): unknown
}

/** A transaction of `sqlite3`, which has begun with `BEGIN IMMEDIATE`. */
export function sqlite3Transaction(connection: Sqlite3Connection): TransactionExecutor {
  return {
    transaction: connection,
    query: (sql, values) =>
      new Promise<ExecutorResult>((resolve, reject) => {
        connection[returnsRows(sql) ? 'all' : 'run'](sql, values, function (error, rows) {
          if (error !== null) reject(error)
          else if (Array.isArray(rows)) resolve({ rows: rows as object[] })
          else resolve({ rows: [], affectedRows: this.changes, insertId: this.lastID })
        })
      }),
  }
}
