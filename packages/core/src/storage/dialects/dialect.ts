import type { Knex } from 'knex'

import type { RunStatement } from '../rows/direct-statement.js'
import type { ListQuery } from '../rows/read-batch.js'
import type { ColumnFacts } from '../tables/column.js'
import type { ExecutorDialect } from './executor-dialect.js'

/** What applies missing migrations, in code or from a shell. */
export const migrationRemedy = 'call migrate(), or run `npx parley migrate`'

/** A reason for which a database cannot be used, with the remedy. */
export const tableMissing = `a table is missing. Start with migrations: 'auto', or first ${migrationRemedy}`

/**
 * The differences between databases. No code outside this module depends on which database it is.
 */
export interface Dialect {
  readonly name: 'sqlite' | 'mysql' | 'postgresql'
  /** Transactions of the application that another library than Knex has begun. */
  readonly executors: ExecutorDialect
  /** Whether only one transaction can write at a time, so that waiting writes should share one. */
  readonly hasSingleWriter: boolean
  /** Whether schema changes can be rolled back. */
  readonly rollsBackTables: boolean
  /**
   * Whether the index for searches is a table that the database maintains at little cost. Otherwise
   * it has a row per word, too many to be written when a message is sent.
   */
  readonly hasFullTextTables: boolean
  /**
   * A join that reads its left side first, regardless of the optimizer.
   *
   * @param table becomes `alias`, of which the condition speaks.
   */
  readonly orderedJoin: (
    kind: 'INNER' | 'LEFT',
    table: string,
    alias: string,
    condition: string,
  ) => string
  /** The clause of a SELECT that locks its rows exclusively until the transaction ends. */
  readonly forUpdate: string
  /** Parts of the statements that create tables. */
  readonly tables: {
    /** Follows the type of a text that is compared byte by byte. */
    readonly collation: string
    /** Ends a statement that creates a table. */
    readonly ending: string
    /** The same, if the rows are stored in the order of the primary key where that is possible. */
    readonly clustered: string
    /** How columns that the database computes are kept. */
    readonly generated: 'VIRTUAL' | 'STORED'
    /** Whether an index can have some of the rows only. */
    readonly hasPartialIndexes: boolean
    /** The type of a column; undefined for what Knex calls it. */
    readonly typeOf?: (name: string, facts: ColumnFacts) => string | undefined
  }
  /** Parts of statements, from parts of SQL. */
  readonly sql: {
    /** A whole number, which may be null; unions and sums have other types in some databases. */
    readonly integer: (value: string) => string
    /** Two texts, one after the other. */
    readonly concatenated: (first: string, second: string) => string
    /** A condition: a number has a value, to be found by another index than that of its column. */
    readonly equalWithoutIndex: (column: string, value: string) => string
    /** A condition: a text contains the value `?`. */
    readonly contains: (text: string) => string
    /** A number in a text of JSON, at a path of names. */
    readonly jsonNumber: (text: string, ...path: readonly string[]) => string
    /** The clause of an INSERT before what is set in a row with the same key. */
    readonly onConflict: (...key: readonly string[]) => string
    /** An expression: whether the server is a replica. Undefined if it cannot tell. */
    readonly isReplica?: string
  }
  /** The rows of the driver's response to a SELECT. */
  rowsOf(response: unknown): readonly unknown[]
  /** UNIX seconds of a database server's clock; undefined if it is that of the process. */
  clockSeconds(executor: Knex): Promise<number | undefined>
  /** Whether `error` is a violation of a unique key. */
  isUniqueViolation(error: unknown): boolean
  /** Whether the same transaction may succeed if it is retried. */
  isRetryable(error: unknown): boolean
  /** Whether the database is currently unavailable. */
  isUnavailable(error: unknown): boolean
  /** Whether another transaction holds a lock, so that trying again later may succeed. */
  isLocked(error: unknown): boolean
  /** Why the database cannot be used until somebody changes something; undefined for other errors. */
  unusableReasonOf(error: unknown): string | undefined
  /** Whether the database has ended a statement, at its time limit or because an administrator did. */
  isInterrupted(error: unknown): boolean
  /**
   * Writes something without effect, in a transaction.
   *
   * @returns whether the transaction is to be rolled back.
   */
  probeWrite(trx: Knex, table: string): Promise<'commit' | 'rollback'>
  /**
   * Whether the error leaves it open if a commit has succeeded, because its answer was lost. Undefined
   * if that cannot happen.
   */
  readonly isAnswerLost?: (error: unknown) => boolean
  /** Whether `error` means that a schema change is applied already. */
  isAppliedAlready(error: unknown): boolean
  /** Shortens the names in a compiled schema change to the limit of the database. */
  fitNames(sql: string): string
  /**
   * Inserts any number of rows, with one statement unless the ids of several are wanted.
   *
   * @param ids which ids are wanted; a table without ids has none.
   * @returns at least these.
   */
  insertRows(
    executor: Knex,
    table: string,
    rows: readonly object[],
    ids: 'none' | 'first' | 'all',
  ): Promise<readonly number[]>
  /**
   * Inserts a row, unless there is one with the same unique key.
   *
   * @param key the columns of the key.
   * @returns the id of the one or the other.
   */
  insertIfAbsent(
    executor: Knex,
    table: string,
    key: readonly string[],
    row: object,
  ): Promise<number>
  /** How many rows an `INSERT … SELECT` has inserted. */
  insertedRows(run: RunStatement): number
  /** Inserts any number of rows with one statement, or replaces the other columns of known ones. */
  upsertRows(
    executor: Knex,
    table: string,
    key: readonly string[],
    rows: readonly object[],
  ): Promise<void>
  /**
   * The rows of a query that selects `columns`, in its order; optimized for thousands of rows.
   */
  selectRows(
    executor: Knex,
    query: Knex.QueryBuilder | Knex.Raw,
    columns: readonly string[],
  ): Promise<Record<string, unknown>[]>
  /** The rows of each of several such queries, with one statement; undefined if that has no use. */
  readonly selectTogether:
    | ((executor: Knex, reads: readonly ListQuery[]) => Promise<Record<string, unknown>[][]>)
    | undefined
  /** Adds `count` to a counter column of one row. @returns the new value, if there is the row. */
  advanceCounter(
    executor: Knex,
    table: string,
    column: string,
    id: number,
    count: number,
  ): Promise<number | undefined>
  /** Raises the next id of a table to at least `nextId`, once the transaction commits. */
  reserveIds(executor: Knex, table: string, nextId: number): Promise<void>
  /**
   * Deletes up to `limit` of the rows that a condition selects.
   *
   * @param keys the columns of the primary key.
   * @returns how many there were.
   */
  deleteSome(
    executor: Knex,
    table: string,
    keys: readonly string[],
    condition: { readonly sql: string; readonly values: readonly unknown[] },
    limit: number,
  ): Promise<number>
  /**
   * Takes a shared lock on the selected rows until the transaction ends.
   *
   * @param of the alias of the table whose rows are locked, in a query with an outer join.
   */
  lockShared<Builder extends Knex.QueryBuilder>(query: Builder, of?: string): Builder
  /**
   * Makes a transaction one that writes, where a database with one writer could not do so later;
   * `table` is any table.
   */
  beginWriting(executor: Knex, table: string): Promise<void>
  /** Takes an exclusive lock on the selected rows, for a transaction that changes them. */
  lockForUpdate<Builder extends Knex.QueryBuilder>(query: Builder, of?: string): Builder
  /** The same for those of the rows that no other transaction has locked. */
  lockIfFree<Builder extends Knex.QueryBuilder>(query: Builder): Builder
  /** @throws {Error} if the database lacks a feature that the chat requires. */
  requireFeatures(executor: Knex): Promise<void>
  /**
   * Runs `work` under a lock called `name` across processes. The lock is released if a process
   * dies.
   *
   * @param single a pool of one connection.
   */
  exclusively<Result>(single: Knex, name: string, work: () => Promise<Result>): Promise<Result>
  /**
   * Begins a write transaction. @param isolate whether the pool's sessions are not configured by
   * the chat.
   */
  begin(pool: Knex, isolate: boolean): Promise<OpenTransaction>
  /**
   * Lets a transaction of a pool of the application, and the savepoints in it, take statements of the
   * chat. Undefined if all do.
   */
  readonly adapt: ((transaction: Knex) => void) | undefined
  /** Runs `read` on a consistent snapshot of the database. */
  snapshot<Result>(pool: Knex, read: (executor: Knex) => Promise<Result>): Promise<Result>
}

/** A transaction that has begun. */
export interface OpenTransaction {
  readonly executor: Knex
  commit(): Promise<void>
  rollback(): Promise<void>
}

/** The codes of errors of a connection to a server. */
export const networkCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
] as const

/** The `code` and `errno` of a driver's error. */
export function driverCode(error: unknown): { code: string; errno: number } {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown }
  return {
    code: typeof code === 'string' ? code : '',
    errno: typeof errno === 'number' ? errno : 0,
  }
}
