import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'

import { badRequest, ChatError } from '../errors/index.js'
import type { ChatRequest } from './chat-request.js'
import {
  addParsedFields,
  addUrlEncodedFields,
  MalformedFormError,
  type FormFields,
} from './form-fields.js'
import { MultipartReader, type UploadPlan } from './multipart-reader.js'
import type { UploadedFile } from './operation.js'

/** How much of a request's body is taken. */
export interface BodyLimits {
  /** Names and values of a form without its files, in bytes. */
  readonly maxFormBytes: number
  /** A whole multipart body, in bytes; an operation that takes larger files raises it. */
  readonly maxBodyBytes: number
}

const noFiles: readonly UploadedFile[] = []

/**
 * Adds the form fields of `request`'s body to `fields`, where they replace those of the query.
 *
 * Bodies that are no form, JSON among them, are left unread and count as no fields.
 *
 * @returns the file parts, if `upload` says that the operation takes any.
 * @throws {ChatError} `BAD_REQUEST` if the body is cut short, cannot be decoded or has more form
 *   data than allowed; `PAYLOAD_TOO_LARGE` if it is longer than any form may be.
 */
export async function readForm(
  request: ChatRequest,
  upload: UploadPlan | undefined,
  limits: BodyLimits,
  fields: FormFields,
): Promise<readonly UploadedFile[]> {
  const mediaType = mediaTypeOf(request.headers)
  try {
    const { parsedBody, body } = request
    if (parsedBody !== undefined && parsedBody !== null && !isBytes(parsedBody)) {
      takeParsed(parsedBody, mediaType, fields)
      return noFiles
    }
    const source = parsedBody ?? body
    if (source === undefined || !hasBody(request.headers)) return noFiles
    if (mediaType === 'application/x-www-form-urlencoded') {
      requireIdentity(request.headers)
      await readUrlEncoded(source, declaredLength(request.headers), limits.maxFormBytes, fields)
    } else if (mediaType === 'multipart/form-data') {
      requireIdentity(request.headers)
      const reader = new MultipartReader(request.headers, upload, limits.maxFormBytes, fields)
      const maxBodyBytes = Math.max(
        limits.maxBodyBytes,
        limits.maxFormBytes + (upload?.maxFileBytes ?? 0),
      )
      const tooLarge = (): ChatError => new ChatError('PAYLOAD_TOO_LARGE')
      try {
        await pump(source, maxBodyBytes, tooLarge, reader)
        return await reader.end()
      } catch (error) {
        await reader.abandon()
        throw error
      }
    }
    return noFiles
  } catch (error) {
    if (error instanceof MalformedFormError) throw malformedPayload(error)
    throw error
  }
}

/**
 * Adds the fields of a query to `fields`.
 *
 * @throws {ChatError} `BAD_REQUEST` if it has too many.
 */
export function readQuery(query: string, fields: FormFields): void {
  if (query === '') return
  try {
    addUrlEncodedFields(fields, query)
  } catch (error) {
    throw error instanceof MalformedFormError ? malformedPayload(error) : error
  }
}

async function readUrlEncoded(
  source: Readable | Buffer,
  length: number,
  maxFormBytes: number,
  fields: FormFields,
): Promise<void> {
  const chunks: Buffer[] = []
  const limit = length > maxFormBytes ? 0 : maxFormBytes
  const tooLarge = (): ChatError => badRequest('Request body is too large')
  await pump(source, limit, tooLarge, {
    write: (chunk) => {
      chunks.push(chunk)
      return true
    },
  })
  const bytes = Buffer.concat(chunks)
  if (!isUtf8(bytes)) throw new MalformedFormError('Not UTF-8')
  addUrlEncodedFields(fields, bytes.toString('utf8'))
}

/** What a host's `json()`, `urlencoded()` or `text()` made of the body. */
function takeParsed(parsedBody: unknown, mediaType: string, fields: FormFields): void {
  const isUrlEncoded = mediaType === 'application/x-www-form-urlencoded'
  if (typeof parsedBody === 'string') {
    if (isUrlEncoded) addUrlEncodedFields(fields, parsedBody)
  } else if (typeof parsedBody === 'object' && parsedBody !== null && !Array.isArray(parsedBody)) {
    addParsedFields(fields, parsedBody, isUrlEncoded)
  }
}

/** Where the bytes of a body go. */
interface ChunkTaker {
  /** Returns false when it wants no more until it is ready again. @throws if it has failed. */
  write(chunk: Buffer): boolean
  onceReady?(callback: () => void): void
  /** Says how to report a failure that happens between two chunks. */
  onFailure?(report: (reason: unknown) => void): void
}

/**
 * Hands every chunk of `source` to `taker`, no faster than that takes them.
 *
 * When there is more than `maxBytes`, or `taker` fails, the promise is rejected at once and what
 * is still to come is thrown away: a client that is busy writing does not read an answer on a
 * connection that was reset. That patience ends after as many bytes again, with the connection.
 */
function pump(
  source: Readable | Buffer,
  maxBytes: number,
  // Made only if needed: an error collects its stack when it is made.
  tooLarge: () => ChatError,
  taker: ChunkTaker,
): Promise<void> {
  if (Buffer.isBuffer(source)) {
    if (source.length > maxBytes) return Promise.reject(tooLarge())
    taker.write(source)
    return Promise.resolve()
  }
  return new Promise((resolve, reject) => {
    if (source.destroyed) {
      reject(malformedPayload())
      return
    }
    let received = 0
    let isRefused = false
    const patience = 2 * maxBytes + minPatienceBytes
    const refuse = (reason: unknown): void => {
      isRefused = true
      reject(reason as Error)
      source.resume()
    }
    taker.onFailure?.(refuse)
    source.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (isRefused) {
        if (received > patience) source.destroy()
        return
      }
      if (received > maxBytes) {
        refuse(tooLarge())
        return
      }
      try {
        if (!taker.write(chunk)) {
          source.pause()
          taker.onceReady?.(() => source.resume())
        }
      } catch (error) {
        refuse(error)
      }
    })
    source.once('end', resolve)
    source.once('error', (error) => reject(malformedPayload(error)))
    source.once('close', () => reject(malformedPayload()))
  })
}

const minPatienceBytes = 64 * 1024 * 1024

function malformedPayload(cause?: unknown): ChatError {
  return new ChatError('BAD_REQUEST', { message: 'Malformed payload', cause })
}

function isBytes(body: unknown): body is Buffer {
  return Buffer.isBuffer(body)
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || declaredLength(headers) > 0
}

function declaredLength(headers: IncomingHttpHeaders): number {
  return Number(headers['content-length'] ?? 0)
}

function mediaTypeOf(headers: IncomingHttpHeaders): string {
  const contentType = headers['content-type'] ?? ''
  const end = contentType.indexOf(';')
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase()
}

/** Compressed forms are not taken; reading one as text would lose every parameter silently. */
function requireIdentity(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new MalformedFormError(`Content-Encoding ${encoding}`)
  }
}
