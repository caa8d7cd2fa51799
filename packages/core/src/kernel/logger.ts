/** Extra facts of a log line. Never message text, names, addresses or credentials. */
export type LogFields = Readonly<Record<string, unknown>>

/** Where a chat server reports what its operator should know. Silent by default. */
export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

/** Drops every line. */
export const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
}
