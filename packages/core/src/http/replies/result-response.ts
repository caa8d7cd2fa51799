import type { ChatRequest, ChatResponse } from '../chat-request.js'
import { DocumentReply, FileReply, SerializedReply, type Operation } from '../operation.js'
import { compressedResponse } from './compression.js'
import { HeldBody, type UnreadAnswers } from './unread-answers.js'
import { documentResponse, fileResponse, serializedResponse, successResponse } from './envelope.js'

/** The parts of a response besides the result of its operation. */
interface ResponseDetails {
  /** The names of undeclared parameters. */
  readonly ignored: readonly string[]
  readonly headers: Readonly<Record<string, string>> | undefined
  readonly unread: UnreadAnswers
}

/** The response that shows what an operation has returned. */
export function resultResponse(
  result: unknown,
  operation: Operation,
  request: ChatRequest,
  details: ResponseDetails,
): ChatResponse | Promise<ChatResponse> {
  const watched = (response: ChatResponse): ChatResponse => {
    if (response.body instanceof HeldBody) details.unread.add(response.body)
    return response
  }
  const plain = plainResponse(result, request, details)
  const response = plain instanceof Promise ? plain.then(watched) : watched(plain)
  return operation.isCompressed === true
    ? compressedResponse(response, request.headers['accept-encoding'])
    : response
}

function plainResponse(
  result: unknown,
  request: ChatRequest,
  { ignored, headers }: ResponseDetails,
): ChatResponse | Promise<ChatResponse> {
  if (result instanceof SerializedReply) return serializedResponse(result, ignored, headers)
  if (result instanceof FileReply) return fileResponse(result)
  if (result instanceof DocumentReply) {
    return documentResponse(result, request.headers['if-none-match'], headers)
  }
  return successResponse(result, ignored, headers)
}
