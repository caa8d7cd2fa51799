// Knex ships no types for its clients. These are the members that are overridden here.
declare module 'knex/lib/dialects/better-sqlite3/index.js' {
  import type { Knex } from 'knex'

  interface ClientQuery {
    readonly sql: string
    readonly bindings?: readonly unknown[]
    readonly method?: string
    /** The columns that a write statement returns. */
    readonly returning?: unknown
    response?: unknown
    context?: { readonly lastID: number | bigint; readonly changes: number | bigint }
  }

  class BetterSqliteClient extends Knex.Client {
    override connectionSettings: {
      readonly filename: string
      readonly options?: {
        readonly nativeBinding?: string
        readonly readonly?: boolean
        readonly safeIntegers?: boolean
      }
    }
    _driver(): unknown
    _query(connection: unknown, query: ClientQuery): Promise<ClientQuery>
  }

  export default BetterSqliteClient
  export type { ClientQuery }
}
