import type { ChatApi } from '@parley/core'

import { ChatError } from '@parley/core'

import { Client, type Answer, type Parameters } from './client.js'

await import('@parley/core')
const { allOperations } = await import('../../packages/core/src/resources/index.js')
const { Router } = await import('../../packages/core/src/http/pipeline/router.js')

type Method = (params: Parameters) => Promise<unknown>

const router = new Router<{ readonly id: string; readonly integers: ReadonlySet<string> }>('')
for (const operation of allOperations) {
  const integers = Object.entries(operation.params).filter(
    ([, schema]) => 'type' in schema && schema.type === 'integer',
  )
  router.add(operation, { id: operation.id, integers: new Set(integers.map(([name]) => name)) })
}

/**
 * A client whose requests are calls of `chat.as(…).api` or `chat.asSystem().api`, as far as they
 * have a method. Its answers have the status and the body of the response over HTTP. Requests with
 * raw bodies go over HTTP.
 */
export class InProcessClient extends Client {
  /** The ids of the operations that were called in process. */
  readonly called = new Set<string>()

  constructor(
    like: Client,
    private readonly api: Partial<ChatApi>,
  ) {
    super(like.endpoint, like.credentials, like.id, like.name)
  }

  override get(path: string, params: Parameters = {}): Promise<Answer> {
    return this.#call('GET', path, params) ?? super.get(path, params)
  }

  override post(path: string, params: Parameters = {}): Promise<Answer> {
    return this.#call('POST', path, params) ?? super.post(path, params)
  }

  override patch(path: string, params: Parameters = {}): Promise<Answer> {
    return this.#call('PATCH', path, params) ?? super.patch(path, params)
  }

  override delete(path: string, params: Parameters = {}): Promise<Answer> {
    return this.#call('DELETE', path, params) ?? super.delete(path, params)
  }

  #call(method: string, path: string, params: Parameters): Promise<Answer> | undefined {
    const match = router.match(method, `/api/v1${path}`)
    if (match?.kind !== 'route') return undefined
    const { id, integers } = match.route
    const name = id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    const api: Readonly<Partial<Record<string, Method>>> = { ...this.api } as never
    const call = api[name]
    if (call === undefined) return undefined
    this.called.add(id)
    const inPath = Object.entries(match.pathTexts).filter(([key]) => key !== '*')
    const values = inPath.map(([key, text]) => [key, integers.has(key) ? Number(text) : text])
    return answerOf(call({ ...params, ...Object.fromEntries(values) }))
  }
}

/** @throws any error that is not a `ChatError`. */
async function answerOf(called: Promise<unknown>): Promise<Answer> {
  try {
    const result = (await called) as object
    const body = { result: 'success', msg: '', ...result }
    return { status: 200, headers: {}, body, text: JSON.stringify(body) }
  } catch (error) {
    if (!(error instanceof ChatError)) throw error
    const body = { result: 'error', msg: error.message, code: error.code }
    return { status: error.status, headers: {}, body, text: JSON.stringify(body) }
  }
}
