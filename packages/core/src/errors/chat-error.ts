import { acceptEveryCopy } from './any-copy.js'
import { errorKinds, type ErrorKind, type ErrorKindName, type FieldsOf } from './error-codes.js'

/**
 * Maximum length of a client's text that an error response repeats; far longer than any valid name.
 */
const maxRepeatedLength = 10_000

const cutText = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > maxRepeatedLength
    ? `${value.slice(0, maxRepeatedLength)}…`
    : value

/** An error that is sent to the client, in the format of the API. */
export class ChatError<Name extends ErrorKindName = ErrorKindName> extends Error {
  static {
    acceptEveryCopy(this, 'ChatError')
  }

  /** The kind of the error, a key of the table of errors. */
  readonly kind: Name
  readonly status: number
  /** `code` on the wire. */
  readonly code: string
  /** Additional keys of the error body. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>

  /**
   * @param message replaces the default text of the kind; required if the kind has none.
   * @param fields the additional keys of the kind; required if it has any.
   */
  constructor(
    kind: Name,
    ...[details]: Record<never, never> extends FieldsOf<Name>
      ? [details?: { message?: string; cause?: unknown }]
      : [details: { fields: FieldsOf<Name>; message?: string; cause?: unknown }]
  ) {
    const row: ErrorKind<object> = errorKinds[kind]
    const options: { fields?: object; message?: string; cause?: unknown } = details ?? {}
    const fields = options.fields ?? {}
    super(options.message ?? row.message?.(fields) ?? kind, { cause: options.cause })
    this.name = 'ChatError'
    this.kind = kind
    this.status = row.status
    this.code = row.code ?? kind
    this.fields = { ...fields }
    this.headers = row.headers?.(fields) ?? {}
  }

  /** The JSON of the error response; texts are truncated to 10,000 characters. */
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

/** `400 BAD_REQUEST` with this text: invalid input that has no code of its own. */
export function badRequest(message: string): ChatError<'BAD_REQUEST'> {
  return new ChatError('BAD_REQUEST', { message })
}
