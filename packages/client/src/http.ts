import type { ChatApi } from './api.js'
import { onAbort, untilAborted, withAnySignal } from './abort.js'
import { answerOf, type AnswerForm } from './answer.js'
import { apiPath } from './api-path.js'
import type { CallOptions, FileToUpload } from './call.js'
import type { Authorization } from './credentials.js'
import type { Environment } from './environment.js'
import {
  ApiError,
  ConnectionError,
  reasonOf,
  retryAfterOf,
  statusOf,
  type OperationName,
} from './errors.js'
import { operations } from './operations.generated.js'
import { sendWithProgress } from './upload-request.js'

/** Calls of one operation wait at most this long for a limit of the server, together. */
const maxLimitWaitMilliseconds = 60_000
/** Attempts of a call that only reads, if the network fails. */
const maxReads = 3
const firstDelayMilliseconds = 300
/** Bytes of a file that even a bad network transfers in a millisecond. */
const slowestBytes = 16

export interface HttpOptions {
  /** Address of the chat, with the product's base path, without a slash at the end. */
  readonly url: string
  readonly authorization: Authorization
  readonly environment: Pick<Environment, 'fetch' | 'now' | 'after' | 'log' | 'XMLHttpRequest'>
  /** A call that takes longer fails; uploads have more time. */
  readonly timeoutMilliseconds: number
  /** Names the client to the server. */
  readonly userAgent: string | undefined
}

interface Target {
  readonly operation: OperationName
  readonly method: string
  readonly path: string
  readonly form: AnswerForm
  readonly jsonTexts: ReadonlySet<string>
}

/** Calls operations over HTTP. */
export class Http {
  readonly #options: HttpOptions

  constructor(options: HttpOptions) {
    this.#options = options
  }

  /**
   * Every operation as a method.
   *
   * @throws {ApiError} if the server refuses the call.
   * @throws {ConnectionError} if there is no answer of the chat.
   */
  get api(): ChatApi {
    const call = (name: OperationName) => (params?: object, options?: CallOptions) =>
      this.call(name, params, options)
    // The table has every method of the type: both are generated from the same declarations.
    return new Proxy({} as ChatApi, {
      get: (_, name) => (isOperation(name) ? call(name) : undefined),
    })
  }

  async call(
    name: OperationName,
    params: object = {},
    options: CallOptions = {},
  ): Promise<unknown> {
    const target = targetOf(name)
    const request = requestOf(target, params)
    let attempt = 1
    let waited = 0
    for (;;) {
      try {
        return await this.#logged(name, this.#attempt(target, request, options))
      } catch (error) {
        if (options.signal?.aborted === true) throw error
        const delay = delayAfter(error, target.method, attempt)
        if (delay === undefined || waited + delay > maxLimitWaitMilliseconds) throw error
        await this.#sleep(delay, options.signal)
        waited += delay
        attempt += 1
      }
    }
  }

  async #logged(operation: OperationName, calling: Promise<unknown>): Promise<unknown> {
    const { environment } = this.#options
    const start = environment.now()
    const log = (status: number | undefined, code: string | undefined): void => {
      const milliseconds = environment.now() - start
      environment.log({ kind: 'call', operation, milliseconds, status, code })
    }
    try {
      const answer = await calling
      log(200, undefined)
      return answer
    } catch (error) {
      const isAnswer = error instanceof ApiError || error instanceof ConnectionError
      log(statusOf(error), isAnswer ? error.code : undefined)
      throw error
    }
  }

  async #attempt(target: Target, request: Prepared, options: CallOptions): Promise<unknown> {
    const { authorization } = this.#options
    return this.#limited(request, options, async (signal) => {
      const header = await untilAborted(authorization.header(), signal)
      try {
        return await this.#send(target, request, header, { ...options, signal })
      } catch (error) {
        if (statusOf(error) !== 401 || !(await authorization.refused(header))) throw error
      }
      const another = await untilAborted(authorization.header(), signal)
      return this.#send(target, request, another, { ...options, signal })
    })
  }

  /** Calls a function with a signal that ends it when it takes too long. */
  #limited<Value>(
    { size }: Prepared,
    { signal, timeoutMilliseconds = this.#options.timeoutMilliseconds }: CallOptions,
    call: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    const milliseconds = timeoutMilliseconds + Math.ceil(size / slowestBytes)
    return withAnySignal([signal], async (controller) => {
      let isLate = false
      const cancel = this.#options.environment.after(milliseconds, () => {
        isLate = true
        controller.abort()
      })
      try {
        return await call(controller.signal)
      } catch (cause) {
        if (signal?.aborted === true) throw reasonOf(signal)
        if (!isLate) throw cause
        throw new ConnectionError('TIMEOUT', 'The server has not answered in time', { cause })
      } finally {
        cancel()
      }
    })
  }

  async #send(
    target: Target,
    request: Prepared,
    authorization: string | undefined,
    options: CallOptions & { readonly signal: AbortSignal },
  ): Promise<unknown> {
    try {
      const response = await this.#request(target, request, authorization, options)
      return await answerOf(response, target.operation, target.form)
    } catch (cause) {
      if (cause instanceof ApiError || cause instanceof ConnectionError) throw cause
      throw new ConnectionError('NETWORK_ERROR', 'The network failed', { cause })
    }
  }

  #request(
    { method }: Target,
    { path, body }: Prepared,
    authorization: string | undefined,
    { signal, onProgress }: CallOptions & { readonly signal: AbortSignal },
  ): Promise<Response> {
    const { userAgent, environment } = this.#options
    const { sendsCookies } = this.#options.authorization
    const url = `${this.#options.url}${path}`
    const headers: Record<string, string> = {}
    if (authorization !== undefined) headers['Authorization'] = authorization
    const { XMLHttpRequest } = environment
    if (XMLHttpRequest !== undefined && onProgress !== undefined && body instanceof FormData) {
      const upload = { method, url, headers, body, sendsCookies, signal, onProgress }
      return sendWithProgress(XMLHttpRequest, upload)
    }
    if (userAgent !== undefined) headers['User-Agent'] = userAgent
    return environment.fetch(url, {
      method,
      headers,
      credentials: sendsCookies ? 'include' : 'omit',
      signal,
      ...(body !== undefined && { body }),
    })
  }

  #sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      let stopListening = (): void => {}
      const cancel = this.#options.environment.after(milliseconds, () => {
        stopListening()
        resolve()
      })
      const stop = (): void => {
        cancel()
        reject(reasonOf(signal))
      }
      if (signal !== undefined) stopListening = onAbort(signal, stop)
    })
  }
}

interface Prepared {
  readonly path: string
  readonly body: URLSearchParams | FormData | undefined
  /** Bytes of the file. */
  readonly size: number
}

function isOperation(name: string | symbol): name is OperationName {
  return Object.hasOwn(operations, name)
}

function targetOf(operation: OperationName): Target {
  const [method = '', path = '', ...words] = operations[operation].split(' ')
  return {
    operation,
    method,
    path: path.startsWith('^') ? `/${path.slice(1)}` : `${apiPath}/${path}`,
    form: words.includes('file') ? 'file' : words.includes('json') ? 'json' : 'object',
    jsonTexts: new Set(words.filter((word) => word.startsWith(':')).map((word) => word.slice(1))),
  }
}

function requestOf(target: Target, params: object): Prepared {
  const given: [string, unknown][] = Object.entries(params)
  const rest = new Map(given.filter(([, value]) => value !== undefined))
  const path = target.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    return encodeURIComponent(String(value))
  })
  // In every operation that has this parameter, it is the file of an upload.
  const file = rest.get('file') as FileToUpload | undefined
  rest.delete('file')
  const fields = Array.from(rest, ([name, value]) => [name, fieldOf(target, name, value)] as const)
  if (target.method === 'GET') {
    const query = new URLSearchParams(fields.map(([name, text]) => [name, text])).toString()
    return { path: query === '' ? path : `${path}?${query}`, body: undefined, size: 0 }
  }
  if (file === undefined) {
    const form = new URLSearchParams(fields.map(([name, text]) => [name, text]))
    return { path, body: form, size: 0 }
  }
  const body = new FormData()
  for (const [name, text] of fields) body.set(name, text)
  const content = 'content' in file ? file.content : file
  body.set('file', content, file.name)
  return { path, body, size: content.size }
}

/** Texts are sent as they are, everything else as JSON. */
function fieldOf({ jsonTexts }: Target, name: string, value: unknown): string {
  return typeof value === 'string' && !jsonTexts.has(name) ? value : JSON.stringify(value)
}

/** When the call can be repeated, in milliseconds; undefined if it cannot. */
function delayAfter(error: unknown, method: string, attempt: number): number | undefined {
  const asked = retryAfterOf(error)
  if (statusOf(error) === 429) {
    // The call was not executed. A limit that is over at once must not be tried without end.
    const least = asked === undefined ? firstDelayMilliseconds * 2 ** attempt : 100 * attempt
    return Math.max(asked ?? 0, least)
  }
  const isUnavailable =
    (error instanceof ConnectionError && error.code !== 'TIMEOUT') || statusOf(error) === 503
  if (!isUnavailable || method !== 'GET' || attempt >= maxReads) return undefined
  return Math.max(asked ?? 0, firstDelayMilliseconds * 2 ** (attempt - 1))
}
