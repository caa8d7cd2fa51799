import { EntitySchema, type EntityManager } from '@mikro-orm/core'
import { mikroOrmTransaction, type TransactionExecutor } from '@parley/core/transactions'

type Announce = (within: TransactionExecutor) => Promise<unknown>

export const Order = new EntitySchema<{ id: number; item: string }>({
  name: 'Order',
  tableName: 'orders',
  properties: {
    id: { type: 'number', primary: true },
    item: { type: 'text' },
  },
})

/** Stores an order and announces it in the chat: both, or neither. */
export async function placeOrder(
  em: EntityManager,
  item: string,
  announce: Announce,
): Promise<void> {
  await em.fork().transactional(async (tx) => {
    await tx.insert(Order, { item })
    await announce(mikroOrmTransaction(tx))
  })
}
