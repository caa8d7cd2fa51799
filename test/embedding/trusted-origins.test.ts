import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { createChatServer, type AllServerOptions, type ChatServer } from '@parley/core'
import * as inExpress from '@parley/express'
import * as inKoa from '@parley/koa'
import cors from 'cors'
import express from 'express'
import Koa from 'koa'

import type { Cast } from '../support/cast.js'
import { databaseColumns } from '../support/databases.js'
import { pngOf } from '../support/uploads.js'
import { basePath, mounts, type Mount } from './base-path-hosts.js'
import { CrossOriginPage } from './cross-origin-page.js'
import { Product } from './product.js'

const trusted = 'https://app.example'
const other = 'https://evil.example'
const broken = 'https://broken.example'

interface Mounted {
  chat: ChatServer
  product: Product
  cast: Cast
  errors: string[]
}

function mounted(mount: Mount, options: Partial<AllServerOptions>): Mounted {
  const at = { errors: [] as string[] } as Mounted
  let drop: (() => Promise<void>) | undefined
  before(async () => {
    const database = await databaseColumns()[0]?.create()
    assert.ok(database !== undefined)
    drop = database.drop
    const log = (): void => {}
    at.chat = createChatServer({
      database: database.config,
      basePath,
      logger: { debug: log, info: log, warn: log, error: (text) => void at.errors.push(text) },
      ...options,
      // The tests have one organization.
      resolveOrganization: undefined,
    })
    await at.chat.start()
    at.product = await Product.listen(() => {})
    const answer = mount(at.chat, at.product.server)
    at.product.server.on('request', (request, response) => void answer(request, response))
    at.cast = at.product.cast(undefined, undefined, basePath)
    await at.chat.organizations.load(at.cast.file)
  })
  after(async () => {
    await at.product[Symbol.asyncDispose]()
    await at.chat.close()
    await drop?.()
  })
  return at
}

/** The headers of an answer but those that depend on the time or the framework's connection. */
function headersOf({ headers }: Response): Record<string, string> {
  const volatile = /^(date|connection|keep-alive|x-powered-by|x-ratelimit-.*)$/
  return Object.fromEntries([...headers].filter(([name]) => !volatile.test(name)))
}

function corsHeadersOf(response: Response): string[] {
  return Object.keys(headersOf(response)).filter((name) => name.startsWith('access-control-'))
}

const preflightOf = (origin: string, method = 'PATCH'): RequestInit => ({
  method: 'OPTIONS',
  headers: { origin, 'access-control-request-method': method },
})

for (const [name, mount] of Object.entries(mounts)) {
  describe(`pages of trusted origins, of a chat in ${name}`, () => {
    const at = mounted(mount, {
      trustedOrigins: async ({ headers }) => {
        if (headers.origin === broken) throw new Error('no database')
        return [trusted]
      },
    })
    const pageOf = (origin: string): CrossOriginPage =>
      new CrossOriginPage(at.product.origin, origin)
    const open = (path: string, init?: RequestInit): Promise<Response> =>
      fetch(at.product.origin + path, init)
    const api = `${basePath}/api/v1`

    it('use every method, files and errors with an API key', async () => {
      const page = pageOf(trusted)
      const headers = at.cast.people.alice.authorization()
      const call = async (method: string, path: string, body?: BodyInit): Promise<Response> =>
        page.fetch(path, { method, headers, ...(body !== undefined && { body }) })
      const content = new URLSearchParams({
        type: 'direct',
        to: `[${at.cast.people.alice.id}]`,
        content: 'far away',
      })
      const { id } = await (await call('POST', `${api}/messages`, content)).json()
      const edit = new URLSearchParams({ content: 'nearer' })
      const file = new FormData()
      file.set('file', new Blob([new Uint8Array(pngOf(3, 2))], { type: 'image/png' }), 'a.png')
      const { url } = await (await call('POST', `${api}/user_uploads`, file)).json()
      const read = await page.fetch(url, { headers: { ...headers, range: 'bytes=0-3' } })
      const temporary = (await (await call('GET', `${api}${url.slice(basePath.length)}`)).json())
        .url as string
      const me = await (await call('GET', `${api}/users/me`)).json()
      const avatar = await page.fetch(me.avatar_url)
      const statuses = [
        (await call('PATCH', `${api}/messages/${id}`, edit)).status,
        (await call('PUT', `${api}/messages`)).status,
        (await call('DELETE', `${api}/messages/999999`)).status,
        (await call('GET', `${api}/nowhere`)).status,
        (await page.fetch(temporary)).status,
        (await page.fetch(`${api}/users/me`)).status,
      ]

      assert.deepEqual(statuses, [200, 405, 400, 404, 200, 401])
      assert.deepEqual([read.status, (await read.arrayBuffer()).byteLength], [206, 4])
      assert.equal(read.headers.get('access-control-allow-origin'), trusted)
      assert.match(read.headers.get('vary') ?? '', /^([\w-]+, )?Origin$/)
      assert.match(read.headers.get('access-control-expose-headers') ?? '', /Content-Range/)
      assert.equal(avatar.status, 200)
    })

    it('get the answer to a preflight request without credentials', async () => {
      for (const path of [
        `${api}/messages`,
        `${api}/nowhere`,
        `${basePath}/user_avatars/1/a.png`,
      ]) {
        const response = await open(path, preflightOf(trusted))

        assert.deepEqual([response.status, await response.text()], [204, ''], path)
        assert.deepEqual(headersOf(response), {
          'access-control-allow-credentials': 'true',
          'access-control-allow-headers':
            'Authorization, Content-Type, If-None-Match, Range, User-Agent',
          'access-control-allow-methods': 'DELETE, GET, HEAD, PATCH, POST, PUT',
          'access-control-allow-origin': trusted,
          'access-control-max-age': '7200',
          vary: 'Origin',
        })
      }
    })

    it('are the only ones that get these headers', async () => {
      const settings = `${api}/server_settings`
      const plain = headersOf(await open(settings))
      for (const origin of [other, 'null', broken, `${trusted}.evil.example`, at.product.origin]) {
        const response = await open(settings, { headers: { origin } })
        const asked = await open(`${api}/messages`, preflightOf(origin))

        assert.deepEqual(headersOf(response), plain, origin)
        assert.deepEqual([asked.status, asked.headers.get('allow')], [204, 'GET, POST'], origin)
        assert.deepEqual(corsHeadersOf(asked), [])
      }
      assert.deepEqual(corsHeadersOf(await open(settings)), [])
      assert.equal(plain['vary'], 'Accept-Language, Origin')
      assert.deepEqual(at.errors, ['trustedOrigins failed', 'trustedOrigins failed'])
    })

    it('get no such headers from the application itself', async () => {
      const response = await open(`${basePath}/elsewhere`, { headers: { origin: trusted } })

      assert.deepEqual(corsHeadersOf(response), [])
    })

    it('can read that the chat is not running', async () => {
      await at.chat.close()

      const response = await pageOf(trusted).fetch(`${api}/users/me`, {
        headers: { authorization: 'Basic x' },
      })

      assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '1'])
    })
  })
}

describe('a chat without trusted origins', () => {
  for (const trustedOrigins of [undefined, []]) {
    describe(JSON.stringify(trustedOrigins) ?? 'by default', () => {
      const options = trustedOrigins === undefined ? {} : { trustedOrigins }
      const at = mounted(mounts['node:http'] as Mount, options)

      it('sends no header of CORS, and does not depend on the origin', async () => {
        const path = `${at.product.origin}${basePath}/api/v1/server_settings`
        const response = await fetch(path, { headers: { origin: trusted } })
        const asked = await fetch(path, preflightOf(trusted))

        assert.deepEqual([corsHeadersOf(response), corsHeadersOf(asked)], [[], []])
        assert.equal(response.headers.get('vary'), 'Accept-Language')
        assert.equal(asked.headers.get('vary'), null)
      })
    })
  }
})

const withCorsOfTheProduct: Record<string, Mount> = {
  Express: (chat) => {
    const options = { origin: trusted, credentials: true, exposedHeaders: ['X-Own'] }
    return express().use(cors(options)).use(inExpress.createChatMiddleware(chat))
  },
  Koa: (chat) => {
    const app = new Koa()
    app.use(async (ctx, next) => {
      ctx.set('Access-Control-Allow-Origin', trusted)
      ctx.set('Access-Control-Allow-Credentials', 'true')
      ctx.set('Access-Control-Expose-Headers', 'X-Own')
      ctx.vary('Origin')
      await next()
    })
    app.use(inKoa.createChatMiddleware(chat))
    return app.callback()
  },
}

for (const [name, mount] of Object.entries(withCorsOfTheProduct)) {
  describe(`a product on ${name} with CORS of its own before the chat`, () => {
    const at = mounted(mount, { trustedOrigins: [trusted] })

    it('decides alone, and nothing is sent twice', async () => {
      const path = `${at.product.origin}${basePath}/api/v1/server_settings`
      const response = await fetch(path, { headers: { origin: trusted } })

      const { headers } = response
      assert.equal(headers.get('access-control-allow-origin'), trusted)
      assert.equal(headers.get('access-control-allow-credentials'), 'true')
      assert.equal(headers.get('access-control-expose-headers'), 'X-Own')
      assert.deepEqual((headers.get('vary') ?? '').split(', ').toSorted(), [
        'Accept-Language',
        'Origin',
      ])
    })
  })
}
