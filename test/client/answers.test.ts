import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'

import { ApiError, ChatClient, ConnectionError, type Credentials } from '@parley/client'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

function json(status: number, body: object, headers: Record<string, string> = {}): Answer {
  return (_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
}

const success = json(200, { result: 'success', msg: '', id: 7 })
const message = { type: 'direct', to: [1], content: 'hello' } as const

describe('what answers a client', () => {
  /** The next answers; the last one is repeated. */
  let answers: Answer[] = []
  const requests: { readonly method: string; readonly authorization: string | undefined }[] = []
  const server = createServer((request, response) => {
    requests.push({ method: request.method ?? '', authorization: request.headers.authorization })
    request.resume()
    const [answer = success] = answers
    if (answers.length > 1) answers = answers.slice(1)
    request.on('end', () => answer(request, response))
  })
  let url = ''

  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    // A server that listens on a port has an address of this kind.
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  beforeEach(() => {
    requests.length = 0
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  const clientWith = (credentials?: Credentials, timeoutMilliseconds = 5000): ChatClient =>
    new ChatClient({ url, timeoutMilliseconds, ...(credentials !== undefined && { credentials }) })

  it('is an error with its code and its other members', async () => {
    answers = [json(400, { result: 'error', msg: 'Not so', code: 'BAD_NARROW', desc: 'why' })]
    await assert.rejects(clientWith().api.sendMessage(message), (error) => {
      assert.ok(error instanceof ApiError)
      const { code, status, details } = error
      assert.deepEqual(
        [error.message, code, status, details],
        ['Not so', 'BAD_NARROW', 400, { desc: 'why' }],
      )
      return true
    })
    assert.equal(requests.length, 1)
  })

  it('may be over a limit: the call waits as long as the server says', async () => {
    const over = { result: 'error', msg: 'Slow down', code: 'RATE_LIMIT_HIT', 'retry-after': 0.05 }
    answers = [
      json(429, over),
      json(429, { ...over, 'retry-after': undefined }, { 'Retry-After': '0' }),
      success,
    ]
    assert.deepEqual(await clientWith().api.sendMessage(message), { id: 7 })
    assert.equal(requests.length, 3)
  })

  it('may be a limit for too long: the call fails', async () => {
    answers = [json(429, { result: 'error', msg: 'Slow down', 'retry-after': 3600 })]
    await assert.rejects(clientWith().api.sendMessage(message), { status: 429 })
    assert.equal(requests.length, 1)
  })

  it('may be missing: calls that only read are repeated', async () => {
    const drop: Answer = (request) => request.socket.destroy()
    answers = [drop, json(503, { result: 'error', msg: 'Later' }), success]
    assert.deepEqual(await clientWith().api.getOwnUser(), { id: 7 })
    assert.deepEqual(
      requests.map(({ method }) => method),
      ['GET', 'GET', 'GET'],
    )
  })

  it('may be missing: calls that write are not repeated', async () => {
    answers = [(request) => request.socket.destroy(), success]
    await assert.rejects(clientWith().api.sendMessage(message), ConnectionError)
    assert.equal(requests.length, 1)
  })

  it('may be a page of something else, or end in the middle', async () => {
    const page: Answer = (_, response) => response.writeHead(502).end('<html>Bad gateway</html>')
    const half: Answer = (_, response) => {
      response.writeHead(200, { 'Content-Length': '100' })
      response.write('{"result":"succ')
      response.socket?.end()
    }
    const other = json(200, { status: 'ok' })
    const nothing: Answer = (_, response) => response.writeHead(200).end()
    for (const [answer, code] of [
      [page, 'UNEXPECTED_ANSWER'],
      [other, 'UNEXPECTED_ANSWER'],
      [nothing, 'UNEXPECTED_ANSWER'],
      [half, 'NETWORK_ERROR'],
    ] as const) {
      answers = [answer]
      requests.length = 0
      await assert.rejects(clientWith().api.sendMessage(message), (error) => {
        assert.ok(error instanceof ConnectionError)
        assert.equal(error.code, code)
        return true
      })
      assert.equal(requests.length, 1)
    }
  })

  it('may be a limit of a proxy: the call waits as well', async () => {
    const limit: Answer = (_, response) =>
      response.writeHead(429, { 'Retry-After': '0' }).end('<html>Too many requests</html>')
    answers = [limit, success]
    assert.deepEqual(await clientWith().api.sendMessage(message), { id: 7 })
    assert.equal(requests.length, 2)
  })

  it('may be too late', async () => {
    answers = [() => {}]
    await assert.rejects(
      clientWith(undefined, 50).api.sendMessage(message),
      (error) => error instanceof ConnectionError && error.code === 'TIMEOUT',
    )
    // Not even a call that only reads is repeated.
    await assert.rejects(clientWith(undefined, 50).api.getOwnUser(), { code: 'TIMEOUT' })
    assert.ok(requests.filter(({ method }) => method === 'GET').length <= 1)
  })

  it('is not awaited after the caller has ended the call', async () => {
    answers = [() => {}]
    const reason = new Error('no longer needed')
    const ending = new AbortController()
    const call = clientWith().api.getOwnUser({}, { signal: ending.signal })
    ending.abort(reason)
    await assert.rejects(call, reason)
  })

  it('is not awaited after that, also in the middle of it, or without credentials', async () => {
    const reason = new Error('no longer needed')
    const ending = new AbortController()
    answers = [
      (_, response) => {
        response.writeHead(200).write('{"result":')
        setImmediate(() => ending.abort(reason))
      },
    ]
    const { signal } = ending
    await assert.rejects(clientWith().api.getOwnUser({}, { signal }), reason)
    const authorization = (): Promise<string> => new Promise(() => {})
    const client = clientWith({ type: 'provider', authorization }, 50)
    await assert.rejects(client.api.getOwnUser({}, { signal }), reason)
    await assert.rejects(client.api.getOwnUser(), { code: 'TIMEOUT' })
  })

  it('comes by the `fetch` of the application, which is called as a function', async () => {
    answers = [success]
    const calls: unknown[] = []
    const client = new ChatClient({
      url,
      fetch(this: unknown, ...call: Parameters<typeof fetch>) {
        calls.push(this)
        return fetch(...call)
      },
    })
    await client.api.getOwnUser()
    assert.deepEqual(calls, [undefined])
  })

  it('may refuse the credentials: they are provided anew, once for all calls', async () => {
    let provided = 0
    const authorization = async (): Promise<string> => `Bearer ${(provided += 1)}`
    const client = clientWith({ type: 'provider', authorization })
    const refused = json(401, { result: 'error', msg: 'No', code: 'UNAUTHORIZED' })
    answers = [
      (request, response) =>
        (request.headers.authorization === 'Bearer 1' ? refused : success)(request, response),
    ]
    const calls = Array.from({ length: 5 }, () => client.api.sendMessage(message))
    assert.deepEqual(
      await Promise.all(calls),
      Array.from({ length: 5 }, () => ({ id: 7 })),
    )
    assert.equal(provided, 2)
    await client.api.getOwnUser()
    assert.equal(requests.at(-1)?.authorization, 'Bearer 2')
  })

  it('may refuse them always: the call fails', async () => {
    answers = [json(401, { result: 'error', msg: 'No', code: 'UNAUTHORIZED' })]
    const client = clientWith({ type: 'provider', authorization: async () => 'Bearer 0' })
    await assert.rejects(client.api.sendMessage(message), { code: 'UNAUTHORIZED' })
    assert.equal(requests.length, 2)
  })
})
