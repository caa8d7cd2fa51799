/** The server has refused a call. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The reason for programs, such as `BAD_REQUEST`; see the list of errors in the documentation. */
  readonly code: string
  /** The HTTP status. */
  readonly status: number
  /** The members of the answer besides `result`, `msg` and `code`. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, answer: Readonly<Record<string, unknown>>) {
    const { result: _result, msg, code, ...details } = answer
    super(typeof msg === 'string' ? msg : `The server has answered with status ${status}`)
    this.status = status
    this.code = typeof code === 'string' ? code : 'BAD_REQUEST'
    this.details = details
  }
}

/**
 * There is no answer of the chat: the network or the server failed, or something else has answered.
 * Whether the call had an effect is unknown.
 */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  /** The HTTP status, if there was an answer. */
  readonly status: number | undefined

  constructor(message: string, { cause, status }: { cause?: unknown; status?: number } = {}) {
    super(message, { cause })
    this.status = status
  }
}

/** A file is larger than the server takes, and was not sent. */
export class FileTooLargeError extends Error {
  override readonly name = 'FileTooLargeError'
  /** The largest size, in MiB; 0 if the server takes no files. */
  readonly maxMebibytes: number

  constructor(maxMebibytes: number) {
    super(`The file is larger than ${maxMebibytes} MiB`)
    this.maxMebibytes = maxMebibytes
  }
}

/** How long the server asks to wait; undefined if it does not say so. */
export function retryAfterOf(error: unknown): number | undefined {
  const seconds = error instanceof ApiError ? Number(error.details['retry-after']) : Number.NaN
  return Number.isFinite(seconds) ? seconds * 1000 : undefined
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
