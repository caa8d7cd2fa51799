import type { RunStatement, StatementResult } from '../dialects/executor-dialect.js'
import type { ExecutorResult, TransactionExecutor } from './transaction-executor.js'

const writing = /^\s*(insert|update|delete)\b/i
const returning = /\breturning\b/i
/** Knex begins with it before the first statement, but the application has done so. */
const begin = 'BEGIN;'
/** The names of Knex, which the application's library may use too. */
const savepoint = /^((?:release |rollback to )?savepoint )trx/i

/** Runs statements of Knex with an executor, whose answers it checks. */
export function statementsOf(
  executor: TransactionExecutor,
  lastNumbers: string | undefined,
): RunStatement {
  return async (sql, parameters) => {
    if (sql === begin) return { rows: [], affectedRows: 0, insertId: 0 }
    const named = sql.replace(savepoint, '$1chat_')
    const { rows, affectedRows, insertId } = await run(executor, named, parameters)
    const needsId = lastNumbers !== undefined
    const isComplete = isNumber(affectedRows) && (isNumber(insertId) || !needsId)
    if (isComplete || rows.length > 0 || !writing.test(sql)) {
      return { rows, affectedRows: Number(affectedRows ?? 0), insertId: Number(insertId ?? 0) }
    }
    if (lastNumbers === undefined) {
      if (returning.test(sql)) return { rows, affectedRows: 0, insertId: 0 }
      throw new TypeError(
        'within: on PostgreSQL, query() must resolve to { rows, affectedRows } for an INSERT, UPDATE ' +
          'or DELETE',
      )
    }
    const [last] = (await run(executor, lastNumbers, [])).rows as readonly {
      readonly affected_rows: number
      readonly insert_id: number
    }[]
    return {
      rows,
      affectedRows: Number(affectedRows ?? last?.affected_rows),
      insertId: Number(insertId ?? last?.insert_id),
    }
  }
}

async function run(
  executor: TransactionExecutor,
  sql: string,
  parameters: readonly unknown[],
): Promise<ExecutorResult & Pick<StatementResult, 'rows'>> {
  const result = await executor.query(sql, parameters)
  const { rows } = (result ?? {}) as Partial<ExecutorResult>
  const isList = Array.isArray(rows) && rows.every((row) => isObject(row))
  if (!isList) {
    throw new TypeError(
      'within: query() must resolve to { rows }, a list of objects with the columns of a row',
    )
  }
  return { ...result, rows: rows.map(plainRow) }
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint'
}

function isObject(row: unknown): boolean {
  return typeof row === 'object' && row !== null && !Array.isArray(row)
}

/** A row of the application's, which is not changed, with the types of values that drivers have. */
function plainRow(row: object): Record<string, unknown> {
  const plain: Record<string, unknown> = { ...row }
  for (const name in plain) {
    const value = plain[name]
    if (typeof value === 'bigint') plain[name] = Number(value)
    else if (value instanceof Uint8Array && !Buffer.isBuffer(value)) {
      plain[name] = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    }
  }
  return plain
}
