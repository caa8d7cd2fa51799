import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { describe, it } from 'node:test'

import type { ChatServer } from '@parley/core'
import { createChatMiddleware } from '@parley/koa'
import Koa from 'koa'
import session from 'koa-session'

import { withChatProduct } from './product.js'

/** What the session middleware adds to Koa's context. */
interface WithSession {
  readonly session: { readonly userId?: number } | null
}

/**
 * An application with a session that is renewed by every response, and with a timing middleware.
 */
function mount(chat: ChatServer): RequestListener {
  const app = new Koa()
  app.keys = ['of the product']
  app.use(async (context, next) => {
    await next()
    context.set('Server-Timing', `chat;desc="${context.status}"`)
  })
  app.use(session({ rolling: true, maxAge: 60_000 }, app))
  app.use(async (context, next) => {
    if (context.path === '/login') {
      context.session!['userId'] = 7
      context.body = 'welcome'
      return
    }
    await next()
  })
  app.use(createChatMiddleware(chat))
  const answer = app.callback()
  return (request, response) => void answer(request, response)
}

describe('the session of an application on Koa', () => {
  const at = withChatProduct(mount, {
    identify: (_, { context }) => {
      const { session: current } = context as WithSession
      const id = current?.userId
      return id === undefined
        ? null
        : { externalId: id, email: `u${id}@x.example`, fullName: 'Una' }
    },
  })

  it('is renewed by responses, long polls and files of the chat', async () => {
    const { origin } = at.product
    const login = await fetch(`${origin}/login`)
    let cookie = cookiesOf(login)
    const call = async (path: string, init: RequestInit = {}): Promise<Response> => {
      const response = await fetch(origin + path, { ...init, headers: { cookie, origin } })
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('server-timing'), 'chat;desc="200"')
      const next = cookiesOf(response)
      assert.match(next, /koa\.sess=.+koa\.sess\.sig=/)
      cookie = next
      return response
    }

    const form = new FormData()
    form.set('file', new Blob(['0123456789']), 'a.txt')
    const uploaded = await call('/api/v1/user_uploads', { method: 'POST', body: form })
    const { url } = (await uploaded.json()) as { url: string }
    const file = await call(url)
    const registered = await call('/api/v1/register', {
      method: 'POST',
      body: new URLSearchParams({ event_types: '["message"]', fetch_event_types: '[]' }),
    })
    const { queue_id } = (await registered.json()) as { queue_id: string }
    const { user_id } = (await (await call('/api/v1/users/me')).json()) as { user_id: number }
    const polling = call(`/api/v1/events?queue_id=${queue_id}&last_event_id=-1`)
    const { api } = at.chat.as({ userId: at.cast.people.alice.id })
    await api.sendMessage({ type: 'direct', to: [user_id], content: 'hello' })
    const { events } = (await (await polling).json()) as { events: { type: string }[] }

    assert.equal(await file.text(), '0123456789')
    assert.deepEqual(
      events.map(({ type }) => type),
      ['message'],
    )
  })
})

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.slice(0, line.indexOf(';')))
    .join('; ')
}
