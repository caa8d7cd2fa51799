import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'

import { weightedItems } from '../../kernel/weighted-items.js'
import type { ChatRequest, ChatResponse } from '../chat-request.js'
import { DocumentReply, FileReply, type Operation, SerializedReply } from '../operation.js'
import { documentResponse, fileResponse, serializedResponse, successResponse } from './envelope.js'
import { HeldBody, type UnreadAnswers } from './unread-answers.js'

/** Shorter bodies are not worth the work. */
const minBytes = 16 * 1024

/** The lists of users and channels get hardly smaller at the usual level, which takes three times as long. */
const level = 3

/** Each compressed part is an event of the event loop: longer parts are fewer events. */
const partBytes = 128 * 1024

const compress = promisify(gzip)

/**
 * Compresses a long body with gzip if the client accepts that (RFC 9110, 12.5.3), in a thread of
 * Node's pool. Only for responses that a page of another site cannot ask for: the length of a
 * compressed body tells something about its content (the attack is known as BREACH).
 */
async function compressedResponse(
  plain: ChatResponse | Promise<ChatResponse>,
  acceptEncoding: string | undefined,
): Promise<ChatResponse> {
  const { status, headers: plainHeaders, body } = await plain
  const { Vary: vary } = plainHeaders
  const headers: ChatResponse['headers'] = {
    ...plainHeaders,
    Vary: vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`,
  }
  if (typeof body === 'string' || !acceptsGzip(acceptEncoding)) return { status, headers, body }
  const options = { level, chunkSize: partBytes }
  if (body instanceof Readable) {
    const { 'Content-Length': _, ...others } = headers
    return {
      status,
      headers: { ...others, 'Content-Encoding': 'gzip' },
      // `pipeline` destroys both streams on failure.
      body: pipeline(body, createGzip(options), () => {}),
    }
  }
  if (body.length < minBytes) return { status, headers, body }
  return {
    status,
    headers: { ...headers, 'Content-Encoding': 'gzip' },
    body: await compress(body, options),
  }
}

/** Whether the header names gzip, or everything, and does not exclude it. */
function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false
  const items = weightedItems(header)
  const named = items.find(({ name }) => name === 'gzip' || name === 'x-gzip')
  return ((named ?? items.find(({ name }) => name === '*'))?.weight ?? 0) > 0
}

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
