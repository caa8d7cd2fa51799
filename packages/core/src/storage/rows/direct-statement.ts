import { randomUUID } from 'node:crypto'

import type { Knex } from 'knex'

interface StatementToRun {
  readonly sql: string
  readonly bindings: readonly unknown[]
  /** `insert` for the id of the inserted row. */
  readonly method?: 'insert' | undefined
  /** Identifies the statement in Knex's events. */
  readonly __knexQueryUid: string
}

/** The properties that a Knex client adds to the statement. */
export interface RunStatement {
  readonly response?: unknown
  /** SQLite, of a statement with the method `insert`. */
  readonly context?: { readonly lastID: number | bigint; readonly changes: number | bigint }
}

interface KnexClient {
  acquireConnection(): Promise<unknown>
  releaseConnection(connection: unknown): Promise<void>
  query(connection: unknown, statement: StatementToRun): Promise<RunStatement>
  /** Of a transaction, forwards to the pool. */
  emit(event: 'query-response', response: unknown, statement: RunStatement): void
  /** Quotes a name. */
  wrapIdentifierImpl(name: string): string
}

/**
 * Runs a statement whose text is complete, without Knex's builder: for small statements that takes
 * longer than the statement itself. The connection, the events and the errors are those of Knex.
 *
 * @param executor a pool or a transaction.
 */
export async function runDirectly(
  executor: Knex,
  sql: string,
  bindings: readonly unknown[] = [],
  method?: 'insert',
): Promise<RunStatement> {
  const client = executor.client as KnexClient
  const connection = await client.acquireConnection()
  try {
    const statement = {
      sql: inQuotesOf(client, sql),
      bindings,
      method,
      __knexQueryUid: randomUUID(),
    }
    const run = await client.query(connection, statement)
    client.emit('query-response', run.response, run)
    return run
  } finally {
    await client.releaseConnection(connection)
  }
}

/** The statement with its names in the quotes of the database. */
function inQuotesOf(client: KnexClient, sql: string): string {
  const quote = client.wrapIdentifierImpl('').slice(0, 1)
  return quote === '`' ? sql : sql.replaceAll('`', quote)
}

/** Puts quoted names in place of `??`; the values remain for `?`. */
export function withNames(
  sql: string,
  bindings: readonly unknown[],
): { readonly sql: string; readonly values: readonly unknown[] } {
  const values: unknown[] = []
  let next = 0
  const named = sql.replaceAll(/\?\??/g, (mark) => {
    const binding = bindings[next++]
    if (mark === '??') return quoted(String(binding))
    values.push(binding)
    return mark
  })
  return { sql: named, values }
}

/** A name, or a table's alias and a column, in the quotes of {@link runDirectly}. */
export function quoted(name: string): string {
  const parts = name.split('.')
  return parts.map((part) => `\`${part.replaceAll('`', '``')}\``).join('.')
}
