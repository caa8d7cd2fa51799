import {
  isTextName,
  NamedText,
  namedText,
  type TextName,
  type TextValues,
  type ValuesArgument,
} from '../texts/index.js'
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

interface Details {
  readonly text?: NamedText
  readonly message?: string
  readonly cause?: unknown
}

/** An error that is sent to the client, in the format of the API. */
export class ChatError<Name extends ErrorKindName = ErrorKindName> extends Error {
  static {
    acceptEveryCopy(this, 'ChatError')
  }

  /** The kind of the error, a key of the table of errors. */
  readonly kind: Name
  /**
   * The name of the error's text, such as `CHANNEL_NAME_EMPTY`: more precise than `code`, and the
   * same in every language. It is the kind if the application has written the text itself. Clients
   * do not get it.
   */
  readonly reason: string
  /** The values in the text, by the names of its placeholders. */
  readonly values: TextValues
  readonly status: number
  /** `code` on the wire. */
  readonly code: string
  /** Additional keys of the error body. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  /** The text, to be translated; undefined if the application has written it itself. */
  readonly text: NamedText | undefined

  /**
   * @param text replaces the default text of the kind; required if the kind has none.
   * @param message the same, in the application's own words, which are not translated.
   * @param fields the additional keys of the kind; required if it has any.
   */
  constructor(
    kind: Name,
    ...[details]: Record<never, never> extends FieldsOf<Name>
      ? [details?: Details & { fields?: FieldsOf<Name> }]
      : [details: Details & { fields: FieldsOf<Name> }]
  ) {
    const row: ErrorKind<object> = errorKinds[kind]
    const options: Details & { fields?: object } = details ?? {}
    const fields = options.fields ?? {}
    const text =
      options.message === undefined ? (options.text ?? defaultText(kind, fields)) : undefined
    super(options.message ?? text?.toString() ?? kind, { cause: options.cause })
    this.name = 'ChatError'
    this.kind = kind
    this.reason = text?.name ?? kind
    this.values = text?.values ?? {}
    this.status = row.status
    this.code = row.code ?? kind
    this.fields = { ...fields }
    this.headers = row.headers?.(fields) ?? {}
    this.text = text
  }

  /** The JSON of the error response; texts are truncated to 10,000 characters. */
  get body(): string {
    return this.bodyWith(this.message)
  }

  /** The body with a translation of the text. */
  bodyWith(msg: string): string {
    const body = { result: 'error', msg, code: this.code, ...this.fields }
    return JSON.stringify(body, cutText)
  }
}

function defaultText(kind: ErrorKindName, fields: object): NamedText | undefined {
  const row: ErrorKind<object> = errorKinds[kind]
  if (row.text !== undefined) return row.text(fields)
  return isTextName(kind) ? new NamedText(kind, { ...fields }) : undefined
}

/** `403 CSRF_FAILED` for this reason. */
export function csrfError(
  name: 'CSRF_ORIGIN_MISSING' | 'CSRF_ORIGIN_NOT_TRUSTED' | 'CSRF_FORM_ON_OTHER_SITE',
): ChatError<'CSRF_FAILED'> {
  const reason = namedText(name)
  return new ChatError('CSRF_FAILED', {
    text: namedText('CSRF_FAILED', { reason }),
    fields: { reason: reason.toString() },
  })
}

/** `400 BAD_REQUEST` with this text: invalid input that has no code of its own. */
export function badRequest<Name extends TextName>(
  name: Name,
  ...[values]: ValuesArgument<Name>
): ChatError<'BAD_REQUEST'> {
  return new ChatError('BAD_REQUEST', { text: new NamedText(name, values) })
}
