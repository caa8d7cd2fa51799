import type { TransactionExecutor } from '../connections/transaction-executor.js'
import { driverTransaction } from './driver-connection.js'

/** The `Transaction` of Sequelize; its types do not declare the connection. */
export type SequelizeTransaction = object

/** @throws {TypeError} if it has no connection, because it has ended. */
export function sequelizeTransaction(transaction: SequelizeTransaction): TransactionExecutor {
  return {
    transaction,
    async query(sql, values) {
      const { connection } = transaction as { readonly connection?: unknown }
      if (connection === undefined || connection === null) {
        throw new TypeError('sequelizeTransaction: the transaction has ended, or not begun')
      }
      return driverTransaction(connection).query(sql, values)
    },
  }
}
