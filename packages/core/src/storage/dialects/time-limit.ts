/**
 * How long a statement may take whose cost a client determines, such as a search. With a SQLite
 * driver that blocks the event loop there is no such limit.
 */
const defaultLimitMilliseconds = 10_000

/**
 * A SELECT that ends with an error after this time. The first comment is for MariaDB, the second for
 * MySQL and for {@link timeLimitOf}; other databases ignore them.
 */
export function timeLimited(select: string, milliseconds = defaultLimitMilliseconds): string {
  return select.replace(
    /^\s*SELECT\b/,
    `/*M! SET STATEMENT max_statement_time = ${milliseconds / 1000} FOR */ ` +
      `SELECT /*+ MAX_EXECUTION_TIME(${milliseconds}) */`,
  )
}

/** The limit of a statement of {@link timeLimited}, in milliseconds; undefined for others. */
export function timeLimitOf(sql: string): number | undefined {
  const limit = /\/\*\+ MAX_EXECUTION_TIME\((\d+)\) \*\//.exec(sql)?.[1]
  return limit === undefined ? undefined : Number(limit)
}
