import type { TransactionExecutor } from '../connections/transaction-executor.js'
import { driverTransaction } from './driver-connection.js'

/** The used part of a `QueryRunner` of TypeORM. */
interface QueryRunner {
  /** The connection of the driver, which is the same until the runner is released. */
  connect(): Promise<unknown>
}

/** The `EntityManager` that TypeORM passes to the function of `transaction()`. */
export interface TypeormManager {
  readonly queryRunner?: QueryRunner | undefined
}

/** @throws {TypeError} if it is the manager of the `DataSource`, which has no transaction. */
export function typeormTransaction({ queryRunner }: TypeormManager): TransactionExecutor {
  if (queryRunner === undefined) {
    throw new TypeError('typeormTransaction: needs the EntityManager of a transaction')
  }
  return {
    transaction: queryRunner,
    query: async (sql, values) => driverTransaction(await queryRunner.connect()).query(sql, values),
  }
}
