import { callbackify } from 'node:util'

import { bindable } from '../connections/node-sqlite-client.js'
import type { ExecutorDialect } from './executor-dialect.js'
import { isBusy, isReadOnly } from './sqlite-errors.js'

type Answer = (
  this: { readonly lastID: number; readonly changes: number } | undefined,
  error: unknown,
  rows?: readonly object[],
) => void

export const sqliteExecutor: ExecutorDialect = {
  client: 'sqlite3',
  lastNumbers: 'SELECT last_insert_rowid() AS insert_id, changes() AS affected_rows',
  identity: {
    chat_database: "(SELECT file FROM pragma_database_list WHERE name = 'main')",
    chat_library: 'sqlite_source_id()',
  },

  connect(run) {
    const query = (sql: string, bindings: readonly unknown[] | undefined, answer: Answer): void => {
      callbackify(run)(sql, (bindings ?? []).map(bindable), (error, result) => {
        if (error) answer.call(undefined, error)
        else {
          const { rows, insertId, affectedRows } = result
          answer.call({ lastID: insertId, changes: affectedRows }, null, rows)
        }
      })
    }
    return { all: query, run: query }
  },

  async isOpen(executor) {
    try {
      // A savepoint would begin a transaction.
      await executor.raw('BEGIN DEFERRED')
    } catch (error) {
      if (String(error).includes('within a transaction')) return true
      throw error
    }
    await executor.raw('ROLLBACK')
    return false
  },

  isReadOnly,

  async isUnlocked(single) {
    await single.raw('PRAGMA busy_timeout = 0')
    try {
      await single.raw('BEGIN IMMEDIATE')
    } catch (error) {
      if (isBusy(error)) return false
      throw error
    }
    await single.raw('ROLLBACK')
    return true
  },
}
