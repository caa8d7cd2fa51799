import type { ErrorCode, OperationErrors } from './errors.generated.js'

/** The name of an operation: a method of `client.api`. */
export type OperationName = keyof OperationErrors

/** The server has refused a call. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The reason for programs, such as `BAD_REQUEST`; newer servers may have other codes. */
  readonly code: ErrorCode | (string & {})
  /** The operation that was called; undefined if there was no call. */
  readonly operation: OperationName | undefined
  /** The HTTP status. */
  readonly status: number
  /** The members of the answer besides `result`, `msg` and `code`. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    status: number,
    answer: Readonly<Record<string, unknown>>,
    operation?: OperationName,
  ) {
    const { result: _result, msg, code, ...details } = answer
    super(typeof msg === 'string' ? msg : `The server has answered with status ${status}`)
    this.operation = operation
    this.status = status
    this.code = typeof code === 'string' ? code : 'BAD_REQUEST'
    this.details = details
  }
}

/** The refusal of a call of one operation, with the codes that the server declares for it. */
export type ErrorOf<
  Name extends OperationName,
  Code extends OperationErrors[Name] = OperationErrors[Name],
> = ApiError & { readonly operation: Name; readonly code: Code }

/**
 * Whether the server has refused a call of an operation. The type has the codes of this version's
 * server: newer servers, and the product's hooks, may refuse calls with others.
 *
 * @param code only with this code.
 */
export function isErrorOf<
  Name extends OperationName,
  Code extends OperationErrors[Name] = OperationErrors[Name],
>(operation: Name, error: unknown, code?: Code): error is ErrorOf<Name, Code> {
  return (
    error instanceof ApiError &&
    error.operation === operation &&
    (code === undefined || error.code === code)
  )
}

/** Why there is no answer. */
export type ConnectionErrorCode =
  /** The network failed, the server could not be reached, or its answer ended too early. */
  | 'NETWORK_ERROR'
  /** There was no answer within the time limit of the call. */
  | 'TIMEOUT'
  /** Something else than the chat has answered, such as a proxy or a login page. */
  | 'UNEXPECTED_ANSWER'

/** The known facts about an answer that is not one of the chat. */
interface UnexpectedAnswer {
  readonly cause?: unknown
  readonly status?: number
  /** The delay that the answer asks for, in milliseconds. */
  readonly retryAfterMilliseconds?: number | undefined
}

/** There is no answer of the chat. Whether the call had an effect is unknown. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly code: ConnectionErrorCode
  /** The HTTP status, if there was an answer. */
  readonly status: number | undefined
  /** How long to wait, if the answer says so. */
  readonly retryAfterMilliseconds: number | undefined

  constructor(
    code: ConnectionErrorCode,
    message: string,
    { cause, status, retryAfterMilliseconds }: UnexpectedAnswer = {},
  ) {
    super(message, { cause })
    this.code = code
    this.status = status
    this.retryAfterMilliseconds = retryAfterMilliseconds
  }
}

/** A file is larger than the server takes, and was not sent. */
export class FileTooLargeError extends Error {
  override readonly name = 'FileTooLargeError'
  readonly code = 'FILE_TOO_LARGE'
  /** The largest size, in MiB; 0 if the server takes no files. */
  readonly maxMebibytes: number

  constructor(maxMebibytes: number) {
    super(`The file is larger than ${maxMebibytes} MiB`)
    this.maxMebibytes = maxMebibytes
  }
}

/** Timers take no more than 24 days, and after an hour it is time to ask again. */
const maxRetryAfterMilliseconds = 3_600_000

/** The milliseconds of a `Retry-After`; undefined if it is not a number of seconds. */
export function retryAfterFrom(text: unknown): number | undefined {
  const seconds = text === null || text === undefined ? Number.NaN : Number(text)
  return seconds >= 0 ? Math.min(seconds * 1000, maxRetryAfterMilliseconds) : undefined
}

/** How long the server asks to wait, at most an hour; undefined if it does not say so. */
export function retryAfterOf(error: unknown): number | undefined {
  if (error instanceof ConnectionError) return error.retryAfterMilliseconds
  return error instanceof ApiError ? retryAfterFrom(error.details['retry-after']) : undefined
}

/** The HTTP status of an answer that has failed. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof ApiError || error instanceof ConnectionError ? error.status : undefined
}

/** Whether the same call may succeed later; it may also have been executed already. */
export function isTemporary(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true
  return error.status === 408 || error.status === 429 || error.status >= 500
}

/** Why a call was ended by its caller. */
export function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason
  return reason instanceof Error ? reason : new Error('The call was ended', { cause: reason })
}
