/** The answer to a statement. */
export interface ExecutorResult {
  /**
   * The rows of a SELECT, or of another statement that returns rows; otherwise empty. Each has the
   * columns by their names in the statement. Whole numbers are numbers or bigints, not strings.
   */
  readonly rows: readonly object[]
  /**
   * The number of rows that a statement has inserted, deleted or, for an update, found. On
   * PostgreSQL, it is required.
   *
   * @default the chat asks the database, with one more statement
   */
  readonly affectedRows?: number | bigint | null | undefined
  /**
   * The id that the database reports after an INSERT: on MySQL that of the first row, and the value
   * of `LAST_INSERT_ID(…)`; on SQLite that of the last row. On PostgreSQL, it is not used.
   *
   * @default the chat asks the database, with one more statement
   */
  readonly insertId?: number | bigint | null | undefined
}

/**
 * Runs statements in one open transaction of the application, which Knex has not begun. The chat
 * neither begins nor ends it, and uses it only until its call has returned.
 */
export interface TransactionExecutor {
  /**
   * Runs one statement on the connection of the transaction, and nowhere else. Rejects with the
   * error of the driver, with its `code` and `errno`.
   *
   * @param sql has `?` in the place of each value, in the order of `parameters`; on PostgreSQL `$1`,
   *   `$2` and so on.
   * @param parameters null, strings, numbers and bytes; on PostgreSQL booleans, too.
   */
  query(sql: string, parameters: readonly unknown[]): Promise<ExecutorResult>
  /**
   * The object that stands for the transaction, such as its connection: executors with the same one
   * run in the same transaction.
   *
   * @default the executor itself
   */
  readonly transaction?: object
}

export function isExecutor(value: object | null): value is TransactionExecutor {
  // An instance of Knex is a function, and has a `query` too.
  return (
    typeof value === 'object' && typeof (value as { query?: unknown } | null)?.query === 'function'
  )
}
