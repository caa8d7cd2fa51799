import { sequelizeTransaction, type TransactionExecutor } from '@parley/core/transactions'
import type { Sequelize } from 'sequelize'

type Announce = (within: TransactionExecutor) => Promise<unknown>

/** Stores an order and announces it in the chat: both, or neither. */
export async function placeOrder(
  sequelize: Sequelize,
  item: string,
  announce: Announce,
): Promise<void> {
  await sequelize.transaction(async (transaction) => {
    await sequelize.model('orders').create({ item }, { transaction })
    await announce(sequelizeTransaction(transaction))
  })
}
