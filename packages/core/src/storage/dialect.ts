import type { Knex } from 'knex'

/**
 * The questions whose answers differ between databases. Nothing outside this room asks which
 * database it is on.
 */
export interface Dialect {
  readonly name: 'sqlite' | 'mysql'
  /** Whether only one transaction can write at a time, so that waiting writes should share one. */
  readonly hasSingleWriter: boolean
  /** Whether a transaction that changes tables can be rolled back. */
  readonly rollsBackTables: boolean
  /** The inner join whose left side is read first, whatever the optimizer thinks of it. */
  readonly orderedJoin: string
  /** Whether `error` says that a unique key exists already. */
  isUniqueViolation(error: unknown): boolean
  /** Whether the same transaction may succeed when it is run again. */
  isRetryable(error: unknown): boolean
  /** Whether the database cannot be reached or used at the moment. */
  isUnavailable(error: unknown): boolean
  /** Whether `error` says that a statement changes tables to what they are already. */
  isAppliedAlready(error: unknown): boolean
  /** A compiled statement that changes tables, with names that are not too long for the database. */
  fitNames(sql: string): string
  /** Inserts rows, however many, with one statement. @returns the id that the driver reports. */
  insertRows(executor: Knex, table: string, rows: readonly object[]): Promise<number>
  /** The rows of a query that selects exactly `columns`, in its order; meant for thousands. */
  selectRows(
    executor: Knex,
    query: Knex.QueryBuilder,
    columns: readonly string[],
  ): Promise<Record<string, unknown>[]>
  /** The id of the first of `rowCount` rows inserted at once, from what the driver reported. */
  firstInsertedId(reportedId: number, rowCount: number): number
  /** Adds `count` to a counter column of one row and answers its new value. */
  advanceCounter(
    executor: Knex,
    table: string,
    column: string,
    id: number,
    count: number,
  ): Promise<number>
  /** Lets the next id of a table be at least `nextId`, once the transaction commits. */
  reserveIds(executor: Knex, table: string, nextId: number): Promise<void>
  /** A clause that keeps the selected rows from being changed until the transaction ends. */
  lockShared<Builder extends Knex.QueryBuilder>(query: Builder): Builder
  /** The same, for a transaction that goes on to change the rows. */
  lockForUpdate<Builder extends Knex.QueryBuilder>(query: Builder): Builder
  /**
   * Runs `work` while no other process does the same under `name`, whatever becomes of either.
   *
   * @param single a pool of one connection.
   */
  exclusively<Result>(single: Knex, name: string, work: () => Promise<Result>): Promise<Result>
  /** Begins a transaction that writes. @param isolate whether its sessions are not set up by us. */
  begin(pool: Knex, isolate: boolean): Promise<OpenTransaction>
  /** Runs `read` against one unchanging state of the database. */
  snapshot<Result>(pool: Knex, read: (executor: Knex) => Promise<Result>): Promise<Result>
}

/** A transaction that has begun. */
export interface OpenTransaction {
  readonly executor: Knex
  commit(): Promise<void>
  rollback(): Promise<void>
}

/** The `code` and `errno` of a driver's error. */
export function driverCode(error: unknown): { code: string; errno: number } {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown }
  return {
    code: typeof code === 'string' ? code : '',
    errno: typeof errno === 'number' ? errno : 0,
  }
}
