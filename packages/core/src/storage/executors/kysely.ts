import { postgresTypes } from '../connections/postgres-types.js'
import type { TransactionExecutor } from '../connections/transaction-executor.js'

/** The used part of a `Transaction` of Kysely. */
export interface KyselyTransaction {
  /** Plugins may rename columns. */
  withoutPlugins(): {
    getExecutor(): { readonly adapter: { readonly supportsTransactionalDdl: boolean } }
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
  // Of the databases that the chat uses, Kysely says so of PostgreSQL alone.
  const isOfPostgres = kysely.getExecutor().adapter.supportsTransactionalDdl
  return {
    transaction,
    async query(sql, parameters) {
      // A compiled query, as `CompiledQuery.raw` makes it.
      const query = { kind: 'RawNode', sqlFragments: [sql], parameters: [] }
      const compiled = {
        sql: isOfPostgres ? forPg(sql) : sql,
        parameters,
        query,
        queryId: { queryId: 'parley' },
      }
      const { rows, numAffectedRows, insertId } = await kysely.executeQuery(compiled as never)
      return { rows: rows as object[], affectedRows: numAffectedRows, insertId }
    },
  }
}

/** The configuration of a statement of `pg`, to which Kysely passes it; for its logs it is a text. */
function forPg(text: string): object {
  return Object.assign(Object(text) as object, { text, types: postgresTypes })
}
