import { mysql2Transaction, type TransactionExecutor } from '@parley/core/transactions'
import type { Pool } from 'mysql2/promise'

type Announce = (within: TransactionExecutor) => Promise<unknown>

/** Stores an order and announces it in the chat: both, or neither. */
export async function placeOrder(pool: Pool, item: string, announce: Announce): Promise<void> {
  const connection = await pool.getConnection()
  try {
    await connection.beginTransaction()
    await connection.query('INSERT INTO orders (item) VALUES (?)', [item])
    await announce(mysql2Transaction(connection))
    await connection.commit()
  } catch (error) {
    await connection.rollback()
    throw error
  } finally {
    connection.release()
  }
}
