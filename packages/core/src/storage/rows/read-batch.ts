import type { Knex } from 'knex'

import type { Dialect } from '../dialects/dialect.js'
import { timeLimitOf } from '../dialects/time-limit.js'

/** A query and the columns that it selects. */
export interface ListQuery {
  readonly query: Knex.QueryBuilder | Knex.Raw
  readonly columns: readonly string[]
}

type Rows = Record<string, unknown>[]

interface PendingRead extends ListQuery {
  readonly resolve: (rows: Rows) => void
  readonly reject: (error: unknown) => void
}

/** Collects queries that begin at about the same time, and sends them as one statement. */
export class ReadBatch {
  readonly #pending: PendingRead[] = []
  #isSending = false

  constructor(
    private readonly executor: Knex,
    private readonly selectTogether: NonNullable<Dialect['selectTogether']>,
  ) {}

  /** The rows of a query, in its order. */
  list(read: ListQuery): Promise<Rows> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ ...read, resolve, reject })
      if (!this.#isSending) this.#sendSoon()
    })
  }

  /** All that can continue has begun its next query by then. */
  #sendSoon(): void {
    this.#isSending = true
    setImmediate(() => void this.#send())
  }

  async #send(): Promise<void> {
    const reads = this.#pending.splice(0)
    try {
      const results = await this.selectTogether(this.executor, reads)
      for (const [index, { resolve }] of reads.entries()) resolve(results[index] ?? [])
    } catch (error) {
      for (const { reject } of reads) reject(error)
    }
    if (this.#pending.length > 0) this.#sendSoon()
    else this.#isSending = false
  }
}

/** With `?` for each value, also where the database numbers them. */
interface CompiledQuery {
  readonly sql: string
  readonly bindings: readonly unknown[]
}

/**
 * One statement of several queries.
 *
 * @param part the part of the statement for a query, from its text.
 */
export function united(
  reads: readonly ListQuery[],
  part: (
    read: { readonly sql: string; readonly columns: readonly string[] },
    index: number,
  ) => string,
): { readonly sql: string; readonly values: readonly unknown[] } {
  const compiled = reads.map(({ query }) => query.toSQL() as CompiledQuery)
  if (compiled.some(({ sql }) => timeLimitOf(sql) !== undefined)) {
    throw new Error('A statement with a time limit cannot be a part of another one')
  }
  return {
    sql: reads
      .map(({ columns }, index) => part({ sql: compiled[index]?.sql ?? '', columns }, index))
      .join(' UNION ALL '),
    values: compiled.flatMap(({ bindings }) => bindings),
  }
}
