import type { TransactionExecutor } from '../connections/transaction-executor.js'

/** The used part of a connection of `better-sqlite3`. */
export interface BetterSqlite3Connection {
  prepare(sql: string): {
    readonly reader: boolean
    all(...values: unknown[]): unknown[]
    run(...values: unknown[]): {
      readonly changes: number
      readonly lastInsertRowid: number | bigint
    }
  }
}

/**
 * A transaction of `better-sqlite3`, which has begun with `BEGIN IMMEDIATE`: the functions that
 * `transaction()` makes end before the chat's call does.
 */
export function betterSqlite3Transaction(connection: BetterSqlite3Connection): TransactionExecutor {
  return {
    transaction: connection,
    async query(sql, values) {
      const statement = connection.prepare(sql)
      if (statement.reader) return { rows: statement.all(...values) as object[] }
      const { changes, lastInsertRowid } = statement.run(...values)
      return { rows: [], affectedRows: changes, insertId: lastInsertRowid }
    },
  }
}
