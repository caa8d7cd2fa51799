import type { ChatRequest, ChatResponse } from '../chat-request.js'
import { DocumentReply, FileReply, SerializedReply, type Operation } from '../operation.js'
import { compressedResponse } from './compression.js'
import { documentResponse, fileResponse, serializedResponse, successResponse } from './envelope.js'

/** What a response contains besides the result of its operation. */
interface ResponseDetails {
  /** The names of undeclared parameters. */
  readonly ignored: readonly string[]
  readonly headers: Readonly<Record<string, string>> | undefined
}

/** The response that shows what an operation has returned. */
export function resultResponse(
  result: unknown,
  operation: Operation,
  request: ChatRequest,
  { ignored, headers }: ResponseDetails,
): ChatResponse | Promise<ChatResponse> {
  if (result instanceof SerializedReply) return serializedResponse(result, ignored, headers)
  if (result instanceof FileReply) return fileResponse(result)
  if (result instanceof DocumentReply) {
    return documentResponse(result, request.headers['if-none-match'], headers)
  }
  const response = successResponse(result, ignored, headers)
  return operation.isCompressed === true
    ? compressedResponse(response, request.headers['accept-encoding'])
    : response
}
