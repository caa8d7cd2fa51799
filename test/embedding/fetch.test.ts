import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { describe, it } from 'node:test'

import type { Answer } from '../support/client.js'
import { until } from '../support/waiting.js'
import { withChatProduct } from './product.js'

const origin = 'https://shop.example'
/** The users of the application, by the tokens that its clients send. */
const users: Readonly<Record<string, { externalId: string; email: string; fullName: string }>> = {
  una: { externalId: 'u-1', email: 'una@shop.example', fullName: 'Una' },
}

describe('chat.fetch', () => {
  const at = withChatProduct(() => (_, response) => response.end(), {
    baseUrl: origin,
    identify: (_, { context }) => {
      assert.ok(context instanceof Request)
      return users[context.headers.get('x-user') ?? ''] ?? null
    },
  })
  const call = (method: string, path: string, init: RequestInit = {}): Promise<Response> =>
    at.chat.fetch(
      new Request(`${origin}${path}`, {
        method,
        ...init,
        headers: { 'x-user': 'una', origin, ...init.headers },
      }),
      { remoteAddress: '192.0.2.7' },
    )
  const json = async (response: Response): Promise<Answer['body']> => {
    assert.equal(response.headers.get('content-type'), 'application/json')
    return JSON.parse(await response.text())
  }

  it('answers forms, JSON, queries and errors', async () => {
    const { user_id: own } = await json(await call('GET', '/api/v1/users/me'))
    const form = new URLSearchParams({ type: 'direct', to: `[${own}]`, content: 'a form' })
    const { id } = await json(await call('POST', '/api/v1/messages', { body: form }))
    const message = { type: 'direct', to: [own], content: 'JSON' }
    const sent = await call('POST', '/api/v1/messages', {
      body: JSON.stringify(message),
      headers: { 'content-type': 'application/json' },
    })
    const { messages } = await json(
      await call('GET', '/api/v1/messages?anchor=newest&num_before=5&num_after=0'),
    )
    const refused = await call('GET', '/api/v1/messages/999999')

    assert.equal(sent.status, 200)
    assert.deepEqual(
      messages.slice(-2).map((one: { content: string }) => one.content),
      ['<p>a form</p>', '<p>JSON</p>'],
    )
    assert.equal(messages.at(-2).id, id)
    assert.equal(refused.status, 400)
    assert.equal((await json(refused))['result'], 'error')
  })

  it('identifies nobody without the application’s session, and refuses other origins', async () => {
    const nobody = await call('GET', '/api/v1/users/me', { headers: { 'x-user': '' } })
    const forged = await call('POST', '/api/v1/users/me/status', {
      headers: { origin: 'https://other.example' },
    })

    assert.equal(nobody.status, 401)
    assert.deepEqual([forged.status, (await json(forged))['code']], [403, 'CSRF_FAILED'])
  })

  it('answers a long poll when something happens, and ends it with the request', async () => {
    const registered = await json(await call('POST', '/api/v1/register'))
    const poll = `/api/v1/events?queue_id=${registered['queue_id']}&last_event_id=-1`
    const waiting = call('GET', poll)
    const una = at.chat.as({ externalId: 'u-1' })
    await una.api.sendMessage({ type: 'direct', to: [await una.id()], content: 'awake' })

    const { events } = await json(await waiting)
    const leaving = new AbortController()
    const last = events.at(-1).id
    const left = call('GET', poll.replace('=-1', `=${last}`), { signal: leaving.signal })
    leaving.abort()

    assert.equal(events[0].message.content, 'awake')
    await left
    await una.api.sendMessage({ type: 'direct', to: [await una.id()], content: 'again' })
    const next = await json(await call('GET', `${poll.replace('=-1', `=${last}`)}&dont_block=true`))
    assert.equal(next['events'].at(-1).message.content, 'again')
  })

  it('stops listening to the signal of a poll that was answered', async () => {
    const { queue_id } = await json(await call('POST', '/api/v1/register'))
    const url = `${origin}/api/v1/events?queue_id=${queue_id}&last_event_id=-1`
    const request = new Request(url, { headers: { 'x-user': 'una', origin } })
    const waiting = at.chat.fetch(request)
    await until('the poll', () => getEventListeners(request.signal, 'abort').length > 0)
    const una = at.chat.as({ externalId: 'u-1' })
    await una.api.sendMessage({ type: 'direct', to: [await una.id()], content: 'awake' })

    const answer = await waiting

    assert.equal(answer.status, 200)
    assert.equal(getEventListeners(request.signal, 'abort').length, 0)
  })

  it('takes and serves files', async () => {
    const body = new FormData()
    body.append('file', new Blob(['of the shop'], { type: 'text/plain' }), 'note.txt')
    const { url } = await json(await call('POST', '/api/v1/user_uploads', { body }))

    const whole = await call('GET', url)
    const part = await call('GET', url, { headers: { range: 'bytes=7-' } })
    const head = await call('HEAD', url)

    assert.equal(await whole.text(), 'of the shop')
    assert.deepEqual([part.status, await part.text()], [206, 'shop'])
    assert.deepEqual([head.status, await head.text()], [200, ''])
  })

  it('answers 404 for other paths', async () => {
    assert.equal((await call('GET', '/orders/7')).status, 404)
    assert.equal((await call('GET', '/api/v1/no_such_path')).status, 404)
  })
})
