import { typeormTransaction, type TransactionExecutor } from '@parley/core/transactions'
import { EntitySchema, type DataSource } from 'typeorm'

type Announce = (within: TransactionExecutor) => Promise<unknown>

export const Order = new EntitySchema<{ id: number; item: string }>({
  name: 'orders',
  columns: {
    id: { type: Number, primary: true, generated: true },
    item: { type: 'text' },
  },
})

/** Stores an order and announces it in the chat: both, or neither. */
export async function placeOrder(
  source: DataSource,
  item: string,
  announce: Announce,
): Promise<void> {
  await source.transaction(async (manager) => {
    await manager.insert(Order, { item })
    await announce(typeormTransaction(manager))
  })
}
