import type { TransactionExecutor } from '../connections/transaction-executor.js'

/** The used part of a connection of `mysql2/promise`. */
interface PromiseConnection {
  query(options: object): Promise<readonly unknown[]>
}

/** A connection of `mysql2/promise`, or of `mysql2`. */
export type Mysql2Connection = PromiseConnection | { promise(): PromiseConnection }

/** The used parts of a value that `mysql2` reads. */
interface Field {
  readonly type: string
  string(): string | null
}

/** Options of the connection may give rows other shapes. */
const shapes = { rowsAsArray: false, nestTables: false, namedPlaceholders: false, typeCast }

/**
 * A transaction of `mysql2`, which has begun with `beginTransaction()`.
 *
 * @param connection the one on which it has begun; not a pool, which runs each statement on any.
 */
export function mysql2Transaction(connection: Mysql2Connection): TransactionExecutor {
  const promises = 'promise' in connection ? connection.promise() : connection
  return {
    transaction: connection,
    async query(sql, values) {
      const [result] = await promises.query({ ...shapes, sql, values })
      return Array.isArray(result)
        ? { rows: result as object[] }
        : { rows: [], ...(result as { affectedRows: number; insertId: number }) }
    },
  }
}

/** Numbers of 64 bits, which the connection may be configured to read as strings. */
function typeCast(field: Field, next: () => unknown): unknown {
  if (field.type !== 'LONGLONG') return next()
  const text = field.string()
  return text === null ? null : Number(text)
}
