import { acceptEveryCopy } from './any-copy.js'
import { errorKinds, type ErrorKind, type ErrorKindName, type FieldsOf } from './error-codes.js'

/** How much an answer repeats of a text that a client has sent; far more than any name may have. */
const maxRepeatedLength = 10_000

const cutText = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > maxRepeatedLength
    ? `${value.slice(0, maxRepeatedLength)}…`
    : value

/** A failure that a client is told about, in the contract's own shape. */
export class ChatError<Name extends ErrorKindName = ErrorKindName> extends Error {
  static {
    acceptEveryCopy(this, 'ChatError')
  }

  /** The row of the table of errors that this one is. */
  readonly kind: Name
  readonly status: number
  /** `code` on the wire. */
  readonly code: string
  /** Extra keys of the error body. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>

  /**
   * @param message replaces the default text of the kind; required where the kind has none.
   * @param fields the extra keys of the kind; required where it has any.
   */
  constructor(
    kind: Name,
    ...[details]: Record<never, never> extends FieldsOf<Name>
      ? [details?: { message?: string; cause?: unknown }]
      : [details: { fields: FieldsOf<Name>; message?: string; cause?: unknown }]
  ) {
    const row = errorKinds[kind] as ErrorKind<object>
    const given = (details ?? {}) as { fields?: object; message?: string; cause?: unknown }
    const fields = given.fields ?? {}
    super(given.message ?? row.message?.(fields) ?? kind, { cause: given.cause })
    this.name = 'ChatError'
    this.kind = kind
    this.status = row.status
    this.code = row.code ?? kind
    this.fields = fields as Record<string, unknown>
    this.headers = row.headers?.(fields) ?? {}
  }

  /** What clients read, as JSON; texts end after 10,000 characters. */
  get body(): string {
    return JSON.stringify(
      {
        result: 'error',
        msg: this.message,
        code: this.code,
        ...this.fields,
      },
      cutText,
    )
  }
}

/** `400 BAD_REQUEST` with the given text: invalid input that has no code of its own. */
export function badRequest(message: string): ChatError<'BAD_REQUEST'> {
  return new ChatError('BAD_REQUEST', { message })
}
