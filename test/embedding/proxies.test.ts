import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as requestHttps } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { before, describe, it } from 'node:test'

import {
  createChatServer,
  type ChatServer,
  type OneOrganizationOptions,
  type Identify,
} from '@parley/core'
import * as inExpress from '@parley/express'
import * as inKoa from '@parley/koa'
import express from 'express'
import Koa from 'koa'
import { WebSocket } from 'ws'

import { databaseColumns } from '../support/databases.js'
import { castOf } from '../support/cast.js'
import { makeCertificate, TlsProxy, type Certificate } from '../support/tls-proxy.js'
import { Product } from './product.js'

const cookie = 'session=7'
const identify: Identify = ({ headers }) =>
  headers.cookie === cookie
    ? { externalId: '7', email: 'una@product.example', fullName: 'Una' }
    : null

type Mount = (product: Product, chat: ChatServer, trusts: boolean) => void

const mounts: Readonly<Record<string, Mount>> = {
  Express: ({ server }, chat, trusts) => {
    const app = express()
    if (trusts) app.set('trust proxy', 'loopback')
    app.use(inExpress.createChatMiddleware(chat))
    server.on('request', app)
    inExpress.attachChatUpgrade(server, chat, app)
  },
  Koa: ({ server }, chat, trusts) => {
    const app = new Koa({ proxy: trusts })
    app.use(inKoa.createChatMiddleware(chat))
    const answer = app.callback()
    server.on('request', (request, response) => void answer(request, response))
    inKoa.attachChatUpgrade(server, chat, app)
  },
}

let certificate: Certificate

before(async () => {
  certificate = await makeCertificate()
})

/** Runs `use` with an application behind a proxy. */
async function behindProxy(
  mount: Mount,
  trusts: boolean,
  options: Partial<OneOrganizationOptions>,
  use: (proxy: TlsProxy, product: Product) => Promise<void>,
): Promise<void> {
  const database = await databaseColumns()[0]?.create()
  assert.ok(database !== undefined)
  const chat = createChatServer({ database: database.config, identify, ...options })
  await chat.start()
  await chat.organizations.load(castOf(100, 'product', {}, () => undefined as never).file)
  {
    await using product = await Product.listen(() => {})
    product.server.removeAllListeners('request')
    mount(product, chat, trusts)
    await using proxy = await TlsProxy.listen(certificate, product.origin)
    await use(proxy, product)
    await chat.close()
  }
  await database.drop()
}

/** The response to a write of a page of `origin`. */
async function write(proxy: TlsProxy, origin: string): Promise<{ status: number; url: string }> {
  const sent = requestHttps(`${proxy.origin}/api/v1/users/me/presence`, {
    method: 'POST',
    ca: certificate.cert,
    agent: false,
    headers: { cookie, origin, 'content-type': 'application/json' },
  })
  sent.end('{"status":"active"}')
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  answer.resume()
  return { status: answer.statusCode ?? 0, url: proxy.origin }
}

/** The response to a WebSocket of a page of `origin`; 101 if it opens. */
async function upgrade(
  address: string,
  origin: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/api/v1/events`, {
    origin,
    ca: certificate.cert,
    headers: { cookie, ...headers },
  })
  return new Promise((resolve, reject) => {
    socket.once('unexpected-response', (_request, { statusCode }: IncomingMessage) => {
      socket.terminate()
      resolve(statusCode ?? 0)
    })
    socket.once('error', reject)
    socket.once('open', () => {
      socket.close()
      socket.once('close', () => resolve(101))
    })
  })
}

for (const [name, mount] of Object.entries(mounts)) {
  describe(`an application on ${name} behind a TLS proxy`, () => {
    it('that it trusts accepts writes and WebSockets of its own pages only', async () => {
      await behindProxy(mount, true, {}, async (proxy) => {
        const evil = 'https://evil.example'

        assert.equal((await write(proxy, proxy.origin)).status, 200)
        assert.equal(await upgrade(proxy.origin, proxy.origin), 101)
        assert.equal((await write(proxy, evil)).status, 403)
        assert.equal(await upgrade(proxy.origin, evil), 403)
        assert.equal(await upgrade(proxy.origin, proxy.origin.replace('https', 'http')), 403)
        assert.equal(await upgrade(proxy.origin, 'null'), 403)
      })
    })

    it('that it does not trust ignores forwarded headers', async () => {
      await behindProxy(mount, false, {}, async (proxy, product) => {
        const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' }

        assert.equal((await write(proxy, proxy.origin)).status, 403)
        assert.equal(await upgrade(proxy.origin, proxy.origin), 403)
        assert.equal(await upgrade(product.origin, 'https://evil.example', forwarded), 403)
        assert.equal(await upgrade(product.origin, product.origin, forwarded), 101)
      })
    })

    it('can use functions for its address and its trusted origins', async () => {
      const paths: string[] = []
      const options: Partial<OneOrganizationOptions> = {
        baseUrl: (request) => `https://${request.headers['x-forwarded-host'] ?? 'none.example'}`,
        trustedOrigins: async (request) => {
          paths.push(request.url ?? '')
          return ['https://app.example']
        },
      }
      await behindProxy(mount, false, options, async (proxy, product) => {
        assert.equal(await upgrade(proxy.origin, proxy.origin), 101)
        assert.equal(paths.length, 0)
        assert.equal(await upgrade(proxy.origin, 'https://app.example'), 101)
        assert.equal((await write(proxy, 'https://app.example')).status, 200)
        assert.equal((await write(proxy, 'https://evil.example')).status, 403)
        assert.deepEqual(new Set(paths), new Set(['/api/v1/events', '/api/v1/users/me/presence']))
        const settings = await fetch(`${product.origin}/api/v1/server_settings`, {
          headers: { 'x-forwarded-host': 'chat.example' },
        })
        assert.equal(
          ((await settings.json()) as { realm_url: string }).realm_url,
          'https://chat.example',
        )
      })
    })

    it('requires the application to attach upgrades', () => {
      const attach = (name === 'Koa' ? inKoa : inExpress).attachChatUpgrade as (
        ...given: unknown[]
      ) => unknown
      assert.throws(() => attach({}, {}), TypeError)
    })
  })
}
