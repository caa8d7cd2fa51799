/** Additional fields of a log line. Never message text, names, addresses or credentials. */
export type LogFields = Readonly<Record<string, unknown>> & {
  /**
   * The thrown value. Always under this key: loggers such as pino serialize errors under it; under
   * another key, the message and the stack would be lost.
   */
  readonly err?: unknown
  readonly error?: never
  readonly cause?: never
}

/** Receives the server's log lines. Silent by default. */
export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

/** Wraps a logger of the application, so that its exceptions do not reach the code that logs. */
export function guardLogger(logger: Logger): Logger {
  const guarded =
    (level: keyof Logger) =>
    (message: string, fields?: LogFields): void => {
      try {
        logger[level](message, fields)
      } catch {
        // A failure of the logger itself cannot be logged.
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
