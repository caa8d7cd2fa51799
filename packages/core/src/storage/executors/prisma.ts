import type { TransactionExecutor } from '../connections/transaction-executor.js'
import { returnsRows } from './returns-rows.js'

/** The used parts of the client that Prisma passes to the function of `$transaction()`. */
export interface PrismaTransaction {
  $queryRawUnsafe(sql: string, ...values: unknown[]): PromiseLike<unknown>
  $executeRawUnsafe(sql: string, ...values: unknown[]): PromiseLike<number>
}

export function prismaTransaction(transaction: PrismaTransaction): TransactionExecutor {
  return {
    transaction,
    async query(sql, values) {
      try {
        return returnsRows(sql)
          ? { rows: (await transaction.$queryRawUnsafe(sql, ...values)) as object[] }
          : { rows: [], affectedRows: await transaction.$executeRawUnsafe(sql, ...values) }
      } catch (error) {
        throw withDriverCode(error)
      }
    },
  }
}

/** Adds the code of the database, which Prisma keeps in the details of its error. */
function withDriverCode(error: unknown): unknown {
  const { meta } = error as {
    readonly meta?: {
      readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: string } }
    }
  }
  const original = meta?.driverAdapterError?.cause?.originalCode
  if (original === undefined) return error
  const errno = Number(original)
  const code = Number.isNaN(errno) ? { code: original } : { errno }
  return Object.assign(new Error((error as Error).message, { cause: error }), code)
}
