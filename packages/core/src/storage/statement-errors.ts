/** What the drivers put into the error of a statement, besides their code. */
interface StatementError extends Error {
  /** MySQL: the statement with its values. */
  sql?: string
  /** MySQL: what is wrong with it. */
  sqlMessage?: string
}

const maxStatementLength = 1000

/**
 * Takes the values of a statement out of the error that it has ended with, because an error may
 * reach a log: values are texts of messages, addresses and the like. A listener of Knex's event
 * `query-error`, which comes before the error.
 */
export function hideValues(error: StatementError, { sql }: { readonly sql: string }): void {
  const statement = sql.length > maxStatementLength ? `${sql.slice(0, maxStatementLength)}…` : sql
  // Knex has put the statement before the driver's own words, perhaps with its values.
  const words = error.message.slice(error.message.lastIndexOf(' - ') + ' - '.length)
  const problem = withoutQuoted(error.sqlMessage ?? words)
  error.message = `${statement} - ${problem}`
  if (error.sqlMessage !== undefined) error.sqlMessage = problem
  delete error.sql
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  error.stack = [`${error.name}: ${error.message}`, ...frames].join('\n')
}

/** `Duplicate entry 'ada@example.com' for key 'email'` without what is between the quotes. */
function withoutQuoted(text: string): string {
  return text.replace(/'.*'/s, "'…'")
}
