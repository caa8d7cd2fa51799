import type { TransactionExecutor } from '../connections/transaction-executor.js'

/** The used part of a `Transaction` of Kysely. */
export interface KyselyTransaction {
  /** Plugins may rename columns. */
  withoutPlugins(): {
    executeQuery(query: never): Promise<{
      readonly rows: readonly unknown[]
      readonly numAffectedRows?: bigint | undefined
      readonly insertId?: bigint | undefined
    }>
  }
}

/** The transaction that Kysely passes to the function of `execute()`. */
export function kyselyTransaction(transaction: KyselyTransaction): TransactionExecutor {
  const kysely = transaction.withoutPlugins()
  return {
    transaction,
    async query(sql, parameters) {
      // A compiled query, as `CompiledQuery.raw` makes it.
      const query = { kind: 'RawNode', sqlFragments: [sql], parameters: [] }
      const compiled = { sql, parameters, query, queryId: { queryId: 'parley' } }
      const { rows, numAffectedRows, insertId } = await kysely.executeQuery(compiled as never)
      return { rows: rows as object[], affectedRows: numAffectedRows, insertId }
    },
  }
}
