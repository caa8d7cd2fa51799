import { drizzleTransaction, type TransactionExecutor } from '@parley/core/transactions'
import { sql } from 'drizzle-orm'
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import { int, sqliteTable, text } from 'drizzle-orm/sqlite-core'

type Announce = (within: TransactionExecutor) => Promise<unknown>

const orders = sqliteTable('orders', {
  id: int().primaryKey({ autoIncrement: true }),
  item: text().notNull(),
})

/** Stores an order and announces it in the chat: both, or neither. */
export async function placeOrder(
  db: BetterSQLite3Database,
  item: string,
  announce: Announce,
): Promise<void> {
  // The transactions of Drizzle on this driver cannot wait.
  db.run(sql`BEGIN IMMEDIATE`)
  try {
    db.insert(orders).values({ item }).run()
    await announce(drizzleTransaction(db))
    db.run(sql`COMMIT`)
  } catch (error) {
    db.run(sql`ROLLBACK`)
    throw error
  }
}
