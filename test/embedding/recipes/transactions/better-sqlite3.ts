import { betterSqlite3Transaction, type TransactionExecutor } from '@parley/core/transactions'
import type { Database } from 'better-sqlite3'

type Announce = (within: TransactionExecutor) => Promise<unknown>

/** Stores an order and announces it in the chat: both, or neither. */
export async function placeOrder(db: Database, item: string, announce: Announce): Promise<void> {
  db.exec('BEGIN IMMEDIATE')
  try {
    db.prepare('INSERT INTO orders (item) VALUES (?)').run(item)
    await announce(betterSqlite3Transaction(db))
    db.exec('COMMIT')
  } catch (error) {
    db.exec('ROLLBACK')
    throw error
  }
}
