import { ApiError, ConnectionError, retryAfterFrom, type OperationName } from './errors.js'

/** The form of an operation's answer: an object with `result`, any other JSON, or a file. */
export type AnswerForm = 'object' | 'json' | 'file'

/**
 * The result of a call.
 *
 * @throws {ApiError} if the server refuses the call.
 * @throws {ConnectionError} UNEXPECTED_ANSWER if it is not an answer of the chat.
 * @throws {TypeError} if the answer ends too early.
 */
export async function answerOf(
  response: Response,
  operation: OperationName,
  form: AnswerForm,
): Promise<unknown> {
  if (form === 'file' && response.ok) return response.blob()
  const text = await response.text()
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch (cause) {
    throw unexpected(response, cause)
  }
  if (form === 'json' && response.ok) return answer
  if (typeof answer !== 'object' || answer === null) throw unexpected(response)
  // Every object has this type.
  const { result, msg: _msg, ...payload } = answer as Record<string, unknown>
  if (typeof result !== 'string') throw unexpected(response)
  // Another one than `success` says that only a part was done, and the payload which.
  if (result !== 'error' && response.ok) return payload
  throw new ApiError(response.status, withRetryAfter(response, { ...answer }), operation)
}

function unexpected(response: Response, cause?: unknown): ConnectionError {
  const { status } = response
  const remedy = status === 404 ? ': the option url must have its base path, and no other' : ''
  const message = `What has answered with status ${status} is not the chat${remedy}`
  const retryAfterMilliseconds = retryAfterFrom(response.headers.get('retry-after'))
  return new ConnectionError('UNEXPECTED_ANSWER', message, {
    cause,
    status,
    retryAfterMilliseconds,
  })
}

function withRetryAfter(
  response: Response,
  answer: Record<string, unknown>,
): Record<string, unknown> {
  const text = response.headers.get('retry-after')
  return answer['retry-after'] === undefined && retryAfterFrom(text) !== undefined
    ? { ...answer, 'retry-after': Number(text) }
    : answer
}
