import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'

import type { ChatServer, OneOrganizationOptions } from '@parley/core'
import express4 from 'express4'
import { WebSocket } from 'ws'

import { castOf } from '../support/cast.js'
import { databaseColumns } from '../support/databases.js'
import { FakeClock } from '../support/fake-clock.js'
import { within } from '../support/waiting.js'
import { Browser, frameOf } from './recipe-browser.js'
import * as expressSession from './recipes/express-session.js'
import * as fastify from './recipes/fastify.js'
import * as hono from './recipes/hono.js'
import * as koaSession from './recipes/koa-session.js'
import * as nest from './recipes/nest.js'
import * as nestFastify from './recipes/nest-fastify.js'
import * as nodeHttp from './recipes/node-http.js'

interface Running {
  readonly chat: ChatServer
  readonly server: Server
  close(): Promise<unknown>
}

interface Recipe {
  readonly start: (options: OneOrganizationOptions, port: number) => Promise<Running>
  /** The paths of the product's own page, login and logout. */
  readonly paths?: readonly [string, string, string]
}

const nestPaths = ['/api/v1/session', '/api/v1/session/start', '/api/v1/session/end'] as const

/** The programs that docs/recipes.md shows. */
const recipes: Readonly<Record<string, Recipe>> = {
  'Express 5 with express-session': { start: expressSession.startProduct },
  'Express 4 with express-session and resave': {
    start: (options, port) =>
      expressSession.startProduct(options, port, { createApplication: express4, resave: true }),
  },
  'Koa with koa-session': { start: koaSession.startProduct },
  Fastify: { start: fastify.startProduct },
  'NestJS on Express': { start: nest.startProduct, paths: nestPaths },
  'NestJS on Fastify': { start: nestFastify.startProduct, paths: nestPaths },
  'node:http alone': { start: nodeHttp.startProduct },
  'Hono and chat.fetch': { start: hono.startProduct },
}

const database = await databaseColumns()[0]?.create()
assert.ok(database !== undefined)
after(() => database.drop())

for (const [name, { start, paths = ['/', '/login', '/logout'] }] of Object.entries(recipes)) {
  describe(`the recipe for ${name}`, () => {
    const [ownPage, loginPath, logoutPath] = paths
    const clock = new FakeClock()
    let running: Running
    let browser: Browser

    before(async () => {
      const options = { database: database.config, clock, rateLimits: 'off' } as const
      running = await start(options, 0)
      await running.chat.organizations.load(
        castOf(100, 'product', {}, () => undefined as never).file,
      )
      const { port } = running.server.address() as AddressInfo
      browser = new Browser(`http://localhost:${port}`)
    })
    after(() => within('the product to close', running.close()))

    const json = async (response: Response) => {
      assert.equal(response.headers.get('content-type'), 'application/json')
      return JSON.parse(await response.text())
    }
    const logIn = async (): Promise<Browser> => {
      const other = new Browser(browser.origin)
      const answer = await other.fetch(loginPath, { method: 'POST' })
      assert.deepEqual([answer.status, await answer.text()], [200, 'welcome'])
      return other
    }

    it('leaves the product’s own pages to it', async () => {
      const page = await browser.fetch(ownPage)
      const missing = await browser.fetch('/orders/7')

      assert.equal(page.status, 200)
      assert.match(await page.text(), /of the product|"user":null/)
      assert.equal(missing.status, 404)
      assert.doesNotMatch(await missing.text(), /"result"/)
    })

    it('refuses requests and upgrades without a session', async () => {
      assert.equal((await browser.fetch('/api/v1/users/me')).status, 401)
      assert.equal(await browser.open(), 401)
    })

    it('answers users of the session, with forms, JSON and files', async () => {
      const ada = await logIn()
      const me = await json(await ada.fetch('/api/v1/users/me'))
      const draft = { type: 'direct', to: [me.user_id], content: 'hello' }
      const sent = await ada.fetch('/api/v1/messages', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(draft),
      })
      const form = new URLSearchParams({ ...draft, to: `[${me.user_id}]` })
      const sentForm = await ada.fetch('/api/v1/messages', { method: 'POST', body: form })
      const parts = new FormData()
      parts.set('file', new Blob(['of the product'], { type: 'text/plain' }), 'note.txt')
      const { url } = await json(
        await ada.fetch('/api/v1/user_uploads', { method: 'POST', body: parts }),
      )
      const file = await ada.fetch(url)
      const avatar = await ada.fetch(new URL(me.avatar_url, ada.origin).pathname)

      assert.equal(me.full_name, 'Ada Byron')
      assert.deepEqual([sent.status, sentForm.status], [200, 200])
      assert.equal(await file.text(), 'of the product')
      assert.match(file.headers.get('content-security-policy') ?? '', /sandbox/)
      assert.equal(avatar.status, 200)
    })

    it('refuses pages of other origins', async () => {
      const ada = await logIn()
      const evil = new Browser(ada.origin, 'https://evil.example')
      evil.stealCookies(ada)

      const written = await evil.fetch('/api/v1/users/me/presence', { method: 'POST' })

      assert.deepEqual([written.status, (await json(written)).code], [403, 'CSRF_FAILED'])
      assert.equal(await evil.open(), 403)
    })

    it('answers long polls and sends to WebSockets', async () => {
      const ada = await logIn()
      const { poll } = await parkedPoll(ada)
      const socket = await openSocket(ada)
      const frame = frameOf(socket)
      const api = running.chat.as({ externalId: '7' })

      await api.api.sendMessage({ type: 'direct', to: [await api.id()], content: 'awake' })

      const { events } = await json(await poll)
      assert.equal(events[0].message.content, 'awake')
      assert.equal((await frame).events[0]?.type, 'message')
      socket.close()
      await once(socket, 'close')
    })

    it('ends long polls and WebSockets at the logout, which polls do not undo', async () => {
      const ada = await logIn()
      const { poll } = await parkedPoll(ada)
      const socket = await openSocket(ada)
      const isClosed = once(socket, 'close')

      const goodbye = await ada.fetch(logoutPath, { method: 'POST' })

      assert.deepEqual([goodbye.status, await goodbye.text()], [200, 'goodbye'])
      const ended = await poll
      assert.equal(ended.status, 401)
      assert.deepEqual(ended.headers.getSetCookie(), [])
      assert.equal((await isClosed)[0], 4003)
      assert.equal((await ada.fetch('/api/v1/users/me')).status, 401)
      assert.equal(await ada.open(), 401)
    })

    /** A long poll that waits. */
    async function parkedPoll(one: Browser): Promise<{ poll: Promise<Response> }> {
      const body = new URLSearchParams({ event_types: '["message"]', fetch_event_types: '[]' })
      const { queue_id } = await json(await one.fetch('/api/v1/register', { method: 'POST', body }))
      const isParked = clock.next('set', 45, 55)
      const poll = one.fetch(`/api/v1/events?queue_id=${queue_id}&last_event_id=-1`)
      await isParked
      return { poll }
    }

    async function openSocket(one: Browser): Promise<WebSocket> {
      const socket = await one.open()
      assert.ok(socket instanceof WebSocket, 'the upgrade was refused')
      return socket
    }
  })
}
