import type { ChatError } from '../../errors/index.js'
import type { ChatResponse } from '../chat-request.js'
import type { DocumentReply, FileReply, SerializedReply } from '../operation.js'
import { isLong, slicedJson, type SlicedJson } from './sliced-json.js'
import { HeldBody } from './unread-answers.js'

const jsonHeaders: Readonly<Record<string, string>> = Object.freeze({
  'Content-Type': 'application/json',
  'Cache-Control': 'private, no-cache, no-store, must-revalidate',
  Vary: 'Accept-Language',
  'Content-Language': 'en',
  'X-Content-Type-Options': 'nosniff',
})

/**
 * Longer bodies are sent in parts: copying some megabytes into one buffer takes milliseconds, and
 * not all clients read them.
 */
const maxWholeBytes = 256 * 1024

type Headers = Readonly<Record<string, string>>

/**
 * Wraps the payload of a success. `ignored` are the names of undeclared parameters. A long payload
 * is serialized in slices.
 */
export function successResponse(
  payload: unknown,
  ignored: readonly string[],
  headers: Headers | undefined,
): ChatResponse | Promise<ChatResponse> {
  if (isLong(payload)) {
    const envelope = { result: 'success', msg: '', ...payload }
    const whole =
      ignored.length === 0 ? envelope : { ...envelope, ignored_parameters_unsupported: ignored }
    return slicedJson(whole).then((sliced) => slicedResponse(sliced, headers))
  }
  const json = JSON.stringify(payload)
  const head = '{"result":"success","msg":""'
  const body = json === undefined || json === '{}' ? `${head}}` : `${head},${json.slice(1)}`
  return jsonResponse(200, ignored.length === 0 ? body : withIgnored(body, ignored), headers)
}

/**
 * Sends a success that is JSON text already; only an immediate one lists the ignored parameters.
 */
export function serializedResponse(
  { json, delayed }: SerializedReply,
  ignored: readonly string[],
  headers: Headers | undefined,
): ChatResponse {
  if (delayed || ignored.length === 0) {
    return jsonResponse(200, json, delayed ? undefined : headers)
  }
  return jsonResponse(200, withIgnored(json.toString(), ignored), headers)
}

/** A document without an envelope; 304 if the client has the current version already. */
export function documentResponse(
  { json, etag }: DocumentReply,
  ifNoneMatch: string | undefined,
  headers: Headers | undefined,
): ChatResponse {
  if (etag === undefined) return jsonResponse(200, json, headers)
  const withTag = { ...headers, ETag: etag, 'Cache-Control': 'private, no-cache' }
  return namesEtag(ifNoneMatch, etag)
    ? jsonResponse(304, '', withTag)
    : jsonResponse(200, json, withTag)
}

/** Whether the header `If-None-Match` names an ETag, by the weak comparison (RFC 9110, 13.1.2). */
export function namesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  const strong = (tag: string): string => tag.trim().replace(/^W\//, '')
  const tags = ifNoneMatch?.split(',').map(strong) ?? []
  return tags.includes('*') || tags.includes(strong(etag))
}

/** A file; scripts in it never run. */
export function fileResponse({ content, contentType, options }: FileReply): ChatResponse {
  return {
    status: options.status ?? 200,
    headers: {
      'Content-Type': contentType,
      'Cache-Control': 'private, no-store',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      ...options.headers,
      'X-Content-Type-Options': 'nosniff',
    },
    body: content,
  }
}

/** @param translation the text of the error in another language. */
export function errorResponse(
  error: ChatError,
  headers: Headers | undefined,
  translation?: { readonly locale: string; readonly msg: string },
): ChatResponse {
  const merged = { ...headers, ...error.headers }
  if (translation === undefined) return jsonResponse(error.status, error.body, merged)
  const { locale, msg } = translation
  return jsonResponse(error.status, error.bodyWith(msg), { ...merged, 'Content-Language': locale })
}

/** Answers OPTIONS; reveals nothing that requires credentials. */
export function allowResponse(allowed: readonly string[]): ChatResponse {
  return {
    status: 204,
    headers: { Allow: allowed.join(', '), 'X-Content-Type-Options': 'nosniff' },
    body: '',
  }
}

function slicedResponse(
  { parts, ownBytes }: SlicedJson,
  headers: Headers | undefined,
): ChatResponse {
  const bytes = parts.reduce((sum, { length }) => sum + length, 0)
  if (bytes <= maxWholeBytes) return jsonResponse(200, Buffer.concat(parts), headers)
  return heldResponse(200, new HeldBody(parts, ownBytes), bytes, headers)
}

function jsonResponse(
  status: number,
  body: string | Buffer,
  headers: Headers | undefined,
): ChatResponse {
  if (body.length > maxWholeBytes) {
    const whole = typeof body === 'string' ? Buffer.from(body) : body
    return heldResponse(status, HeldBody.of(whole), whole.length, headers)
  }
  return { status, headers: headers ? { ...jsonHeaders, ...headers } : jsonHeaders, body }
}

function heldResponse(
  status: number,
  body: HeldBody,
  bytes: number,
  headers: Headers | undefined,
): ChatResponse {
  return { status, headers: { ...jsonHeaders, ...headers, 'Content-Length': String(bytes) }, body }
}

function withIgnored(body: string, ignored: readonly string[]): string {
  const end = body.lastIndexOf('}')
  return `${body.slice(0, end)},"ignored_parameters_unsupported":${JSON.stringify(ignored)}}`
}
