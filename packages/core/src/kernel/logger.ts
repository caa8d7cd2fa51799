/** Extra facts of a log line. Never message text, names, addresses or credentials. */
export type LogFields = Readonly<Record<string, unknown>> & {
  /**
   * What was thrown. Always under this key: it is the one for which loggers such as pino have a
   * serializer, without which the message and the stack of an error are lost.
   */
  readonly err?: unknown
  readonly error?: never
  readonly cause?: never
}

/** Where a chat server reports what its operator should know. Silent by default. */
export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

/** Keeps from those who only report something what a logger of the application throws. */
export function harmless(logger: Logger): Logger {
  const guarded =
    (level: keyof Logger) =>
    (message: string, fields?: LogFields): void => {
      try {
        logger[level](message, fields)
      } catch {
        // There is nobody else to tell.
      }
    }
  return {
    debug: guarded('debug'),
    info: guarded('info'),
    warn: guarded('warn'),
    error: guarded('error'),
  }
}

/** Drops every line. */
export const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
}
