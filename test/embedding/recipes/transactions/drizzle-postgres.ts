import { drizzleTransaction, type TransactionExecutor } from '@parley/core/transactions'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'

type Announce = (within: TransactionExecutor) => Promise<unknown>

const orders = pgTable('orders', {
  id: integer().generatedByDefaultAsIdentity().primaryKey(),
  item: text().notNull(),
})

/** Stores an order and announces it in the chat: both, or neither. */
export async function placeOrder(
  db: NodePgDatabase,
  item: string,
  announce: Announce,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.insert(orders).values({ item })
    await announce(drizzleTransaction(tx))
  })
}
