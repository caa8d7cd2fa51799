import type { ExecutorResult, TransactionExecutor } from '../connections/transaction-executor.js'
import { isPgConnection, pgTransaction } from './pg.js'
import { returnsRows } from './returns-rows.js'

/** The used part of the transaction of Drizzle on `mysql2`. */
interface DrizzleOfMysql {
  execute(query: never): Promise<unknown>
}

/** The used parts of the database of Drizzle on `better-sqlite3`. */
interface DrizzleOfSqlite {
  all(query: never): unknown
  run(query: never): unknown
}

/**
 * The used part of the transaction of Drizzle on `pg`: the session has the connection. Its own
 * methods give numbers other types.
 */
interface DrizzleOfPostgres {
  readonly _: { readonly session: object }
  execute(query: never): unknown
}

/**
 * The transaction that Drizzle passes to the function of `transaction()` on PostgreSQL, with `pg`, and
 * on MySQL and MariaDB. On `better-sqlite3`, whose transactions cannot wait for the chat, the
 * database of Drizzle, after `BEGIN IMMEDIATE`.
 */
export type DrizzleTransaction = DrizzleOfMysql | DrizzleOfPostgres | DrizzleOfSqlite

/** @throws {TypeError} on PostgreSQL with another driver than `pg`. */
export function drizzleTransaction(transaction: DrizzleTransaction): TransactionExecutor {
  if ('execute' in transaction && isOfPostgres(transaction)) {
    const { client } = transaction._.session as { readonly client?: unknown }
    if (isPgConnection(client)) return pgTransaction(client)
    throw new TypeError(
      'drizzleTransaction: on PostgreSQL, needs the transaction of drizzle-orm/node-postgres',
    )
  }
  return {
    transaction,
    async query(sql, params) {
      const query = statement(sql, params)
      try {
        if ('execute' in transaction) return ofMysql(await transaction.execute(query))
        if (returnsRows(sql)) return { rows: transaction.all(query) as object[] }
        const { changes, lastInsertRowid } = transaction.run(query) as SqliteAnswer
        return { rows: [], affectedRows: changes, insertId: lastInsertRowid }
      } catch (error) {
        // Drizzle's own error only has the statement.
        throw (error as { readonly cause?: unknown }).cause ?? error
      }
    },
  }
}

interface SqliteAnswer {
  readonly changes: number
  readonly lastInsertRowid: number | bigint
}

function isOfPostgres(
  transaction: DrizzleOfMysql | DrizzleOfPostgres,
): transaction is DrizzleOfPostgres {
  // On MySQL, Drizzle keeps its session to itself.
  return '_' in transaction && transaction._?.session !== undefined
}

/** A statement of Drizzle whose text is complete. */
function statement(sql: string, params: readonly unknown[]): never {
  const query = { getSQL: () => query, toQuery: () => ({ sql, params: [...params] }) }
  return query as never
}

function ofMysql(answer: unknown): ExecutorResult {
  const [result] = answer as readonly [object | readonly object[]]
  return Array.isArray(result) ? { rows: result as object[] } : { rows: [], ...result }
}
