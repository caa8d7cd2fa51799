import { drizzleTransaction, type TransactionExecutor } from '@parley/core/transactions'
import { int, mysqlTable, text } from 'drizzle-orm/mysql-core'
import type { MySql2Database } from 'drizzle-orm/mysql2'

type Announce = (within: TransactionExecutor) => Promise<unknown>

const orders = mysqlTable('orders', {
  id: int().autoincrement().primaryKey(),
  item: text().notNull(),
})

/** Stores an order and announces it in the chat: both, or neither. */
export async function placeOrder(
  db: MySql2Database,
  item: string,
  announce: Announce,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.insert(orders).values({ item })
    await announce(drizzleTransaction(tx))
  })
}
