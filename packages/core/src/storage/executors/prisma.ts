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
        if (returnsRows(sql)) {
          const rows = (await transaction.$queryRawUnsafe(sql, ...values)) as object[]
          return { rows: rows.map(withNumbers) }
        }
        return { rows: [], affectedRows: await transaction.$executeRawUnsafe(sql, ...values) }
      } catch (error) {
        throw withDriverCode(error)
      }
    },
  }
}

/** Sums are objects with a method that returns the number. */
function withNumbers(row: object): object {
  const entries = Object.entries(row as Record<string, unknown>).map(([name, value]) => {
    const { toNumber } = (value ?? {}) as { readonly toNumber?: unknown }
    return [name, typeof toNumber === 'function' ? Number(value) : value] as const
  })
  return Object.fromEntries(entries)
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
  // Those of PostgreSQL are texts, even if they look like numbers.
  const errno = Number(original)
  const codes = { code: original, ...(Number.isNaN(errno) ? {} : { errno }) }
  return Object.assign(new Error((error as Error).message, { cause: error }), codes)
}
