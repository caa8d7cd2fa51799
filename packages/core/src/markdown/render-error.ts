/** Why a message could not be rendered. */
export type MarkdownFailure =
  | 'too-many-operations'
  | 'out-of-time'
  | 'output-too-long'
  | 'internal-error'

/**
 * Thrown when a message cannot be rendered within its limits, or when rendering fails because of a
 * bug.
 *
 * Neither the message, the stack nor the cause contains any of the user's text, so that the error
 * may be logged. Clients get the error "Unable to render message" and nothing is stored.
 */
export class MarkdownRenderError extends Error {
  override readonly name = 'MarkdownRenderError'

  constructor(
    /** The reason, for logs and tests. */
    readonly reason: MarkdownFailure,
    options?: { cause?: Error },
  ) {
    super(`Unable to render message (${reason})`, options)
  }
}

/**
 * A copy of `thrown` that keeps its name and stack frames and drops its message, because messages
 * of parsers and of the runtime tend to quote their input.
 */
export function withoutMessage(thrown: unknown): Error {
  const copy = new Error('(message withheld)')
  if (!(thrown instanceof Error)) return copy
  copy.name = thrown.name
  const frames = (thrown.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  copy.stack = [`${copy.name}: ${copy.message}`, ...frames].join('\n')
  return copy
}
