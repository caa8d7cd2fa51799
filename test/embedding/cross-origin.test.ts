import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'

import { WebSocket } from 'ws'

import { castOf } from '../support/cast.js'
import { Client } from '../support/client.js'
import { databaseColumns } from '../support/databases.js'
import { CrossOriginPage } from './cross-origin-page.js'
import { startProduct } from './recipes/cross-origin.js'

describe('the recipe for pages of another origin', () => {
  let running: Awaited<ReturnType<typeof startProduct>>
  let drop: (() => Promise<void>) | undefined
  let origin: string
  const cast = castOf(100, 'product', {}, (credentials, id, name) => {
    const endpoint = { origin: '', agent: new Agent(), subdomain: 'product' }
    return new Client(endpoint, credentials, id, name)
  })

  before(async () => {
    const database = await databaseColumns()[0]?.create()
    assert.ok(database !== undefined)
    drop = database.drop
    running = await startProduct({ database: database.config, rateLimits: 'off' }, 0)
    await running.chat.organizations.load(cast.file)
    origin = `http://localhost:${(running.server.address() as AddressInfo).port}`
  })
  after(async () => {
    await running.close()
    await drop?.()
  })

  async function loggedIn(pageOrigin = 'https://app.example'): Promise<CrossOriginPage> {
    const page = new CrossOriginPage(origin, pageOrigin)
    // As the proxy that terminates TLS forwards it: browsers keep such cookies only over TLS.
    const answer = await page.fetch('/login', { method: 'POST' })
    const [, ...attributes] = (answer.headers.get('set-cookie') ?? '').split('; ')
    for (const needed of ['Secure', 'SameSite=None', 'Partitioned']) {
      assert.ok(attributes.includes(needed), needed)
    }
    return page
  }

  const jsonBody = { 'content-type': 'application/json' }

  it('lets trusted pages read, write, poll and open WebSockets with the cookie', async () => {
    const page = await loggedIn()
    const me = await (await page.fetch('/api/v1/users/me')).json()
    const registered = await page.fetch('/api/v1/register', {
      method: 'POST',
      headers: jsonBody,
      body: JSON.stringify({ event_types: ['message'], fetch_event_types: [] }),
    })
    const { queue_id: queue } = await registered.json()
    const poll = page.fetch(`/api/v1/events?queue_id=${queue}&last_event_id=-1`)
    const socket = await page.open()
    assert.ok(socket instanceof WebSocket)
    const frame = once(socket, 'message')
    const sent = await page.fetch('/api/v1/messages', {
      method: 'POST',
      body: new URLSearchParams({ type: 'direct', to: `[${me.user_id}]`, content: 'far away' }),
    })
    const { events } = await (await poll).json()
    const ended = await page.fetch(`/api/v1/events?queue_id=${queue}`, { method: 'DELETE' })

    assert.deepEqual([sent.status, ended.status], [200, 200])
    assert.equal(events[0].message.content, 'far away')
    assert.match(String(await frame), /far away/)
    socket.close()
    await once(socket, 'close')
  })

  it('shows them files, and lets them read errors and how long to wait', async () => {
    const page = await loggedIn()
    const body = new FormData()
    body.set('file', new Blob(['of the page'], { type: 'text/plain' }), 'note.txt')
    const { url } = await (
      await page.fetch('/api/v1/user_uploads', { method: 'POST', body })
    ).json()
    const file = await page.fetch(url)
    const refused = await page.fetch('/api/v1/messages/999999')

    assert.equal(await file.text(), 'of the page')
    assert.equal(file.headers.get('cross-origin-resource-policy'), 'cross-origin')
    assert.match(file.headers.get('content-security-policy') ?? '', /^default-src 'none'.*sandbox$/)
    assert.equal(refused.status, 400)
    assert.match(refused.headers.get('vary') ?? '', /Origin/)
    assert.match(refused.headers.get('access-control-expose-headers') ?? '', /Retry-After/)
  })

  it('lets them use API keys instead of the cookie', async () => {
    const page = new CrossOriginPage(origin, 'https://staging.app.example')
    const headers = cast.people.alice.authorization()

    const answer = await page.fetch('/api/v1/users/me', { headers })

    assert.equal(answer.status, 200)
  })

  it('lets no other page read, write or open WebSockets', async () => {
    const ada = await loggedIn()
    const evil = new CrossOriginPage(origin, 'https://evil.example')
    evil.stealCookies(ada)
    const path = '/api/v1/users/me/presence'

    await assert.rejects(evil.fetch('/api/v1/users/me'), /must not read/)
    await assert.rejects(evil.fetch(path, { method: 'POST', headers: jsonBody }), /must not read/)
    const written = await fetch(origin + path, {
      method: 'POST',
      headers: { cookie: evil.cookie, origin: evil.pageOrigin },
    })
    assert.equal(written.status, 403)
    assert.equal(await evil.open(), 403)
  })
})
