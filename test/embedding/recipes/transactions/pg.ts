import { pgTransaction, type TransactionExecutor } from '@parley/core/transactions'
import type { Pool } from 'pg'

type Announce = (within: TransactionExecutor) => Promise<unknown>

/** Stores an order and announces it in the chat: both, or neither. */
export async function placeOrder(pool: Pool, item: string, announce: Announce): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query('INSERT INTO orders (item) VALUES ($1)', [item])
    await announce(pgTransaction(client))
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  } finally {
    client.release()
  }
}
