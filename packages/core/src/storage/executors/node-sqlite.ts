import type { TransactionExecutor } from '../connections/transaction-executor.js'

/** The used part of a `DatabaseSync` of `node:sqlite`. */
export interface NodeSqliteConnection {
  prepare(sql: string): {
    columns(): readonly unknown[]
    all(...values: never[]): unknown[]
    run(...values: never[]): {
      readonly changes: number | bigint
      readonly lastInsertRowid: number | bigint
    }
  }
}

/** A transaction of `node:sqlite`, of Node.js 22.16 or newer, which has begun with `BEGIN IMMEDIATE`. */
export function nodeSqliteTransaction(connection: NodeSqliteConnection): TransactionExecutor {
  return {
    transaction: connection,
    async query(sql, values) {
      const statement = connection.prepare(sql)
      const bound = values as readonly never[]
      if (statement.columns().length > 0) return { rows: statement.all(...bound) as object[] }
      const { changes, lastInsertRowid } = statement.run(...bound)
      return { rows: [], affectedRows: changes, insertId: lastInsertRowid }
    },
  }
}
