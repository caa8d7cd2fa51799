import type { ChatError } from '../errors/index.js'
import type { ChatResponse } from './chat-request.js'
import type { DocumentReply, FileReply, SerializedReply } from './operation.js'

const jsonHeaders: Readonly<Record<string, string>> = Object.freeze({
  'Content-Type': 'application/json',
  'Cache-Control': 'private, no-cache, no-store, must-revalidate',
  Vary: 'Accept-Language',
  'Content-Language': 'en',
  'X-Content-Type-Options': 'nosniff',
})

type Headers = Readonly<Record<string, string>>

/** Wraps the payload of a success. `ignored` are the names of undeclared parameters. */
export function successResponse(
  payload: unknown,
  ignored: readonly string[],
  headers: Headers | undefined,
): ChatResponse {
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
  const isKnown = ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
  return isKnown ? jsonResponse(304, '', withTag) : jsonResponse(200, json, withTag)
}

/**
 * A file. It may be cached forever, because another file gets another URL; scripts in it never run.
 */
export function fileResponse({ content, contentType, options }: FileReply): ChatResponse {
  return {
    status: options.status ?? 200,
    headers: {
      'Content-Type': contentType,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      ...options.headers,
      'X-Content-Type-Options': 'nosniff',
    },
    body: content,
  }
}

export function errorResponse(error: ChatError, headers: Headers | undefined): ChatResponse {
  return jsonResponse(error.status, error.body, { ...headers, ...error.headers })
}

/** Answers OPTIONS; reveals nothing that requires credentials. */
export function allowResponse(allowed: readonly string[]): ChatResponse {
  return {
    status: 204,
    headers: { Allow: allowed.join(', '), 'X-Content-Type-Options': 'nosniff' },
    body: '',
  }
}

function jsonResponse(
  status: number,
  body: string | Buffer,
  headers: Headers | undefined,
): ChatResponse {
  return { status, headers: headers ? { ...jsonHeaders, ...headers } : jsonHeaders, body }
}

function withIgnored(body: string, ignored: readonly string[]): string {
  const end = body.lastIndexOf('}')
  return `${body.slice(0, end)},"ignored_parameters_unsupported":${JSON.stringify(ignored)}}`
}
