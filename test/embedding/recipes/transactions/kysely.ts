import { kyselyTransaction, type TransactionExecutor } from '@parley/core/transactions'
import type { Generated, Kysely } from 'kysely'

type Announce = (within: TransactionExecutor) => Promise<unknown>

export interface Tables {
  readonly orders: { readonly id: Generated<number>; readonly item: string }
}

/** Stores an order and announces it in the chat: both, or neither. */
export async function placeOrder(
  db: Kysely<Tables>,
  item: string,
  announce: Announce,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.insertInto('orders').values({ item }).execute()
    await announce(kyselyTransaction(trx))
  })
}
