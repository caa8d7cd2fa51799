/** The properties that drivers set on the error of a statement, besides the code. */
interface StatementError extends Error {
  /** MySQL: the statement with its values. */
  sql?: string
  /** MySQL: the message of the server. */
  sqlMessage?: string
}

const maxStatementLength = 1000

/**
 * Removes the values of a statement from its error, because an error may be logged: values are
 * texts of messages, addresses and the like. A listener for Knex's event `query-error`, which is
 * emitted before the error is thrown.
 */
export function hideValues(error: StatementError, { sql }: { readonly sql: string }): void {
  const statement = sql.length > maxStatementLength ? `${sql.slice(0, maxStatementLength)}…` : sql
  // Knex has put the statement before the driver's message, perhaps with its values.
  const words = error.message.slice(error.message.lastIndexOf(' - ') + ' - '.length)
  const problem = withoutQuoted(error.sqlMessage ?? words)
  error.message = `${statement} - ${problem}`
  if (error.sqlMessage !== undefined) error.sqlMessage = problem
  delete error.sql
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  error.stack = [`${error.name}: ${error.message}`, ...frames].join('\n')
}

/** `Duplicate entry 'ada@example.com' for key 'email'` without the quoted text. */
function withoutQuoted(text: string): string {
  return text.replace(/'.*'/s, "'…'")
}
