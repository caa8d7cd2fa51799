import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'

import { badRequest, ChatError } from '../../errors/index.js'
import type { Clock } from '../../kernel/clock.js'
import type { ChatRequest } from '../chat-request.js'
import {
  addJsonFields,
  addParsedFields,
  addUrlEncodedFields,
  DecodedValue,
  MalformedFormError,
  type FormFields,
} from '../parameters/form-fields.js'
import { maxJsonLength } from '../parameters/json-text.js'
import type { BodyShare } from './body-budget.js'
import { malformedPayload, pump } from './body-pump.js'
import { MultipartReader, type UploadPlan } from './multipart-reader.js'
import type { UploadedFile } from './uploaded-file.js'

/** Limits of a request's body. */
export interface BodyLimits {
  /** Names and values of a form without its files, in bytes. */
  readonly maxFormBytes: number
  /** A whole multipart body, in bytes; an operation that takes larger files raises it. */
  readonly maxBodyBytes: number
  readonly clock: Clock
  /** Counts the memory in use. */
  readonly share: BodyShare
}

/** Maximum size of the body of a caller without credentials, in bytes. */
const maxUnrecognizedBytes = 64 * 1024

/** The limits for a caller; `isRecognized` if it has credentials. */
export function limitsFor(isRecognized: boolean, limits: BodyLimits): BodyLimits {
  if (isRecognized) return limits
  return {
    ...limits,
    maxFormBytes: Math.min(limits.maxFormBytes, maxUnrecognizedBytes),
    maxBodyBytes: Math.min(limits.maxBodyBytes, maxUnrecognizedBytes),
  }
}

const urlEncoded = 'application/x-www-form-urlencoded'
const json = 'application/json'
const multipart = 'multipart/form-data'
const noFiles: readonly UploadedFile[] = []

/**
 * Adds the fields of `request`'s body, a form or a JSON object, to `fields`, where they replace
 * those of the query.
 *
 * Bodies of other types are left unread and count as no fields.
 *
 * @param bodyParameter the name of the field that a body which is no form is the value of, as
 *   JSON, if the members of the body are not the fields.
 * @returns the file parts, if the operation declares an `upload`.
 * @throws {ChatError} `BAD_REQUEST` if the body is incomplete, cannot be decoded or has more form
 *   data than allowed; `PAYLOAD_TOO_LARGE` if it is longer than any form may be; `REQUEST_TIMEOUT`
 *   if it does not arrive; `RATE_LIMIT_HIT` or `SERVICE_UNAVAILABLE` if the bodies of unanswered
 *   requests take too much memory.
 */
export async function readForm(
  request: ChatRequest,
  upload: UploadPlan | undefined,
  limits: BodyLimits,
  fields: FormFields,
  bodyParameter?: string,
): Promise<readonly UploadedFile[]> {
  const mediaType = mediaTypeOf(request.headers)
  try {
    const { parsedBody, body } = request
    if (parsedBody !== undefined && parsedBody !== null && !isBytes(parsedBody)) {
      takeParsed(parsedBody, mediaType, fields, bodyParameter)
      return noFiles
    }
    const source = parsedBody ?? body
    if (source === undefined || !hasBody(request.headers)) return noFiles
    if (mediaType === urlEncoded) {
      const text = await readText(source, request, limits.maxFormBytes, limits)
      addUrlEncoded(fields, text, bodyParameter)
    } else if (isJson(mediaType, bodyParameter)) {
      const maxBytes = Math.min(limits.maxFormBytes, maxJsonLength)
      addJson(fields, await readText(source, request, maxBytes, limits), bodyParameter)
    } else if (mediaType === multipart) {
      requireIdentity(request.headers)
      const reader = new MultipartReader(request.headers, upload, limits, fields)
      const maxBodyBytes = Math.max(
        limits.maxBodyBytes,
        limits.maxFormBytes + (upload?.maxFileBytes ?? 0),
      )
      const pumpLimits = {
        maxBytes: maxBodyBytes,
        tooLarge: () => new ChatError('PAYLOAD_TOO_LARGE'),
        isReceived: upload?.receive !== undefined,
        clock: limits.clock,
      }
      try {
        await pump(source, pumpLimits, reader)
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

/**
 * @throws {MalformedFormError} if the body is compressed or not UTF-8.
 * @throws {ChatError} if it is longer than `maxBytes`.
 */
async function readText(
  source: Readable | Buffer,
  { headers }: ChatRequest,
  maxBytes: number,
  { clock, share }: BodyLimits,
): Promise<string> {
  requireIdentity(headers)
  const chunks: Buffer[] = []
  const pumpLimits = {
    maxBytes: declaredLength(headers) > maxBytes ? 0 : maxBytes,
    tooLarge: () => badRequest('PAYLOAD_TOO_LARGE'),
    isReceived: false,
    clock,
  }
  await pump(source, pumpLimits, {
    write: (chunk) => {
      share.takeChunk(chunk.length)
      chunks.push(chunk)
      return true
    },
  })
  const bytes = Buffer.concat(chunks)
  if (!isUtf8(bytes)) throw new MalformedFormError('Not UTF-8')
  return bytes.toString('utf8')
}

/**
 * Adds the fields of a body that the application's `json()`, `urlencoded()` or `text()` has parsed.
 */
function takeParsed(
  parsedBody: unknown,
  mediaType: string,
  fields: FormFields,
  bodyParameter: string | undefined,
): void {
  const isUrlEncoded = mediaType === urlEncoded
  if (typeof parsedBody === 'string') {
    if (isUrlEncoded) addUrlEncoded(fields, parsedBody, bodyParameter)
    else if (isJson(mediaType, bodyParameter)) addJson(fields, parsedBody, bodyParameter)
  } else if (bodyParameter !== undefined && mediaType === json) {
    fields.set(bodyParameter, new DecodedValue(parsedBody))
  } else if (typeof parsedBody === 'object' && parsedBody !== null && !Array.isArray(parsedBody)) {
    addParsedFields(fields, parsedBody, isUrlEncoded)
  } else if (mediaType === json) throw new MalformedFormError('Not an object')
}

/**
 * Programs send JSON for a `bodyParameter` with any type, and often with that of forms, because it
 * is the default of curl.
 */
function isJson(mediaType: string, bodyParameter: string | undefined): boolean {
  return mediaType === json || (bodyParameter !== undefined && mediaType !== multipart)
}

function addUrlEncoded(fields: FormFields, text: string, bodyParameter: string | undefined): void {
  if (bodyParameter !== undefined && /^\s*[[{]/.test(text)) fields.set(bodyParameter, text)
  else addUrlEncodedFields(fields, text)
}

/** The text of a parameter is decoded as JSON with the other parameters. */
function addJson(fields: FormFields, text: string, bodyParameter: string | undefined): void {
  if (bodyParameter === undefined) addJsonFields(fields, text)
  else if (text !== '') fields.set(bodyParameter, text)
}

function isBytes(body: unknown): body is Buffer {
  return Buffer.isBuffer(body)
}

/** Whether the request has a body, which may be empty in HTTP/2. */
export function hasBody(headers: IncomingHttpHeaders): boolean {
  // In HTTP/2 a body needs neither header.
  if (headers[':path'] !== undefined && headers['content-length'] === undefined) return true
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

/** Rejects compressed forms; reading one as text would lose every parameter silently. */
function requireIdentity(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new MalformedFormError(`Content-Encoding ${encoding}`)
  }
}
