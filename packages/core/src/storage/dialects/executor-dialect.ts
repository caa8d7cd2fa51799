import type { Knex } from 'knex'

/** A statement's answer with everything that Knex may read. */
export interface StatementResult {
  readonly rows: readonly object[]
  readonly affectedRows: number
  readonly insertId: number
}

/** Runs a statement in a transaction of the application. */
export type RunStatement = (sql: string, parameters: readonly unknown[]) => Promise<StatementResult>

/** How the chat's statements run in a transaction that another library than Knex has begun. */
export interface ExecutorDialect {
  /** Knex's client that writes the statements. Its driver is not loaded. */
  readonly client: 'sqlite3' | 'mysql2' | 'pg'
  /**
   * A SELECT of the numbers of the statement before: `insert_id` and `affected_rows`. Undefined if the
   * executor has to report the affected rows, and no ids are needed.
   */
  readonly lastNumbers: string | undefined
  /** A connection for the client. Statements of Knex that begin or end a transaction do nothing. */
  connect(run: RunStatement): object
  /** Whether a transaction is open. @throws the error of the executor if it does not run statements. */
  isOpen(executor: Knex): Promise<boolean>
  /** Columns, with names that no other table has, that tell databases and libraries apart. */
  readonly identity: Readonly<Record<string, string>>
  /**
   * Whether the error says that an earlier one has made the transaction unusable. Undefined if that
   * does not happen.
   */
  readonly isFailed?: (error: unknown) => boolean
  /** Whether the error says that the transaction, or the database, cannot be written. */
  isReadOnly(error: unknown): boolean
  /**
   * Whether no transaction has locked an organization, or written in it.
   *
   * @param single a pool of one connection.
   */
  isUnlocked(single: Knex, table: string, organizationId: number): Promise<boolean>
}
