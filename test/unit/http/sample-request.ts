import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'

import type { ChatRequest } from '../../../packages/core/src/http/index.js'
import type { SampleChat } from './sample-server.js'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Record<string, unknown>
}

export interface RequestParts extends Partial<Omit<ChatRequest, 'body' | 'query'>> {
  /** Parameters of the query, or its text. */
  readonly query?: Record<string, string> | string
  /** Fields of a urlencoded body, or its text. */
  readonly form?: Record<string, string> | string
  /** The raw body. */
  readonly body?: string | Buffer | Readable
}

/** A request without a socket; `target` is a method and a path below the prefix. */
export function sampleRequest(target: string, parts: RequestParts = {}): ChatRequest {
  const { query = '', form, body: rawBody, headers, ...rest } = parts
  const [method = '', path = ''] = target.split(' ')
  const bytes = form === undefined ? rawBody : encoded(form)
  const body = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  return {
    method,
    path: `/api/v1${path}`,
    query: encoded(query),
    headers: {
      host: 'chat.example',
      ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(Buffer.isBuffer(body) && { 'content-length': String(body.length) }),
      ...headers,
    },
    protocol: 'https',
    host: 'chat.example',
    remoteAddress: '192.0.2.1',
    body: Buffer.isBuffer(body) ? Readable.from([body]) : body,
    parsedBody: undefined,
    signal: new AbortController().signal,
    raw: {} as IncomingMessage,
    context: undefined,
    passUnknownPaths: false,
    ...rest,
  }
}

/** Sends a request to a chat without a server. */
export async function ask(chat: SampleChat, target: string, parts?: RequestParts): Promise<Answer> {
  const response = await chat.handle(sampleRequest(target, parts))
  if (response === undefined) throw new Error(`Not the chat's: ${target}`)
  const { body } = response
  const text = body instanceof Readable ? await textOf(body) : body.toString()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  }
}

function encoded(fields: Record<string, string> | string): string {
  return typeof fields === 'string' ? fields : new URLSearchParams(fields).toString()
}
