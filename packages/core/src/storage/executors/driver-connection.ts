import type { TransactionExecutor } from '../connections/transaction-executor.js'
import { betterSqlite3Transaction, type BetterSqlite3Connection } from './better-sqlite3.js'
import { mysql2Transaction, type Mysql2Connection } from './mysql2.js'
import { isPgConnection, pgTransaction } from './pg.js'
import { sqlite3Transaction, type Sqlite3Connection } from './sqlite3.js'

/**
 * A transaction on a connection of the driver that a library uses. Its own methods may give rows
 * other shapes, such as numbers as strings.
 */
export function driverTransaction(connection: unknown): TransactionExecutor {
  if (isPgConnection(connection)) return pgTransaction(connection)
  const methods = connection as Partial<Record<'run' | 'prepare', unknown>>
  if (typeof methods?.run === 'function') return sqlite3Transaction(connection as Sqlite3Connection)
  return typeof methods?.prepare === 'function' && !('promise' in methods)
    ? betterSqlite3Transaction(connection as BetterSqlite3Connection)
    : mysql2Transaction(connection as Mysql2Connection)
}
