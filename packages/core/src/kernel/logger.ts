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

/**
 * Receives the server's log lines. Those of pino and bunyan, which take the details first, are called
 * as they want it. Silent by default.
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

/** A logger of any order of arguments. */
interface AnyLogger {
  debug(first: unknown, second?: unknown): void
  info(first: unknown, second?: unknown): void
  warn(first: unknown, second?: unknown): void
  error(first: unknown, second?: unknown): void
}

/**
 * Whether the details come before the text, as with pino (`bindings` and `levels`) and bunyan
 * (`addStream`).
 */
function takesDetailsFirst(logger: object): boolean {
  return ('bindings' in logger && 'levels' in logger) || 'addStream' in logger
}

/** Wraps a logger of the application, so that its exceptions do not reach the code that logs. */
export function guardLogger(logger: Logger): Logger {
  const own: AnyLogger = logger
  const isDetailsFirst = takesDetailsFirst(logger)
  const guarded =
    (level: keyof Logger) =>
    (message: string, fields?: LogFields): void => {
      try {
        if (isDetailsFirst) own[level](fields ?? {}, message)
        else own[level](message, fields)
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
