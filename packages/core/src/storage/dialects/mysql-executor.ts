import { callbackify } from 'node:util'

import { driverCode } from './dialect.js'
import type { ExecutorDialect } from './executor-dialect.js'

/** Error codes for a write in a transaction, or on a server, that is read-only. */
const readOnly = new Set([
  1290, // ER_OPTION_PREVENTS_STATEMENT
  1792, // ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION
  1836, // ER_READ_ONLY_MODE
])
const noSavepoint = 1305

/** Texts and names in quotes, comments, and the places of values. */
const tokens = /'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`[^`]*`|\/\*.*?\*\/|\?/gs

const checked = 'chat_is_open'

export const mysqlExecutor: ExecutorDialect = {
  client: 'mysql2',
  lastNumbers: 'SELECT LAST_INSERT_ID() AS insert_id, ROW_COUNT() AS affected_rows',
  identity: { chat_database: 'DATABASE()' },

  connect(run) {
    return {
      query(
        { sql }: { readonly sql: string },
        bindings: readonly unknown[] | undefined,
        callback: (error: unknown, rows?: unknown, fields?: unknown) => void,
      ) {
        const statement = spread(sql, bindings ?? [])
        callbackify(run)(statement.sql, statement.parameters, (error, result) => {
          // As of mysql2: rows, or the numbers of a write, here both in one.
          if (error) callback(error)
          else callback(null, Object.assign([...result.rows], result), [])
        })
      },
    }
  },

  async isOpen(executor) {
    await executor.raw(`SAVEPOINT ${checked}`)
    try {
      // Without a transaction, the savepoint was gone as soon as it was made.
      await executor.raw(`RELEASE SAVEPOINT ${checked}`)
      return true
    } catch (error) {
      if (driverCode(error).errno === noSavepoint) return false
      throw error
    }
  },

  isReadOnly: (error) => readOnly.has(driverCode(error).errno),

  async isUnlocked(single, table, organizationId) {
    const [rows] = (await single.raw('SELECT id FROM ?? WHERE id = ? FOR UPDATE SKIP LOCKED', [
      table,
      organizationId,
    ])) as unknown as [readonly object[]]
    return rows.length > 0
  },
}

/** Puts a place for each value of a list, or of a list of rows, which only mysql2 knows. */
function spread(
  sql: string,
  bindings: readonly unknown[],
): { readonly sql: string; readonly parameters: readonly unknown[] } {
  if (!bindings.some(Array.isArray)) return { sql, parameters: bindings }
  const parameters: unknown[] = []
  let next = 0
  const placesOf = (value: unknown, isRow: boolean): string => {
    if (!Array.isArray(value)) {
      parameters.push(value)
      return '?'
    }
    const places = value.map((part: unknown) => placesOf(part, true)).join(', ')
    return isRow ? `(${places})` : places
  }
  const spreadSql = sql.replaceAll(tokens, (token) =>
    token === '?' ? placesOf(bindings[next++], false) : token,
  )
  return { sql: spreadSql, parameters }
}
