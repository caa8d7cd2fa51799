import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'

import { createChatServer, type ChatPage, type ChatServer } from '@parley/core'

import { databaseColumns } from '../support/databases.js'
import { basePath, mounts, ownPage } from './base-path-hosts.js'
import { Product } from './product.js'

const path = `${basePath}/web`
const immutable = 'public, max-age=31536000, immutable'
const html = '<!doctype html><title>Chät</title>'
const script = 'start()'

/** A page with deep links below its path, a file whose name contains its hash, and failures. */
const page: ChatPage = {
  handle: async ({ path: asked }, context) => {
    if (asked === `${path}/broken`) throw new Error('no such folder')
    if (asked === `${path}/start.4f2a.js`) {
      return {
        status: 200,
        headers: { 'Content-Type': 'text/javascript', 'Cache-Control': immutable },
        body: Readable.from([script]),
      }
    }
    if (asked !== path && !asked.startsWith(`${path}/channel/`)) return undefined
    return {
      status: 200,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': "default-src 'self'",
        'X-Api': `${context.basePath}/api/v1`,
        ETag: '"1"',
      },
      body: html,
    }
  },
}

for (const [name, mount] of Object.entries(mounts)) {
  describe(`the page of a chat in ${name}`, () => {
    let chat: ChatServer
    let product: Product
    let drop: (() => Promise<void>) | undefined
    const errors: string[] = []
    before(async () => {
      const database = await databaseColumns()[0]?.create()
      assert.ok(database !== undefined)
      drop = database.drop
      const log = (): void => {}
      const error = (text: string): void => void errors.push(text)
      const options = { database: database.config, basePath, page }
      chat = createChatServer({
        ...options,
        logger: { debug: log, info: log, warn: log, error },
      })
      await chat.start()
      product = await Product.listen(() => {})
      const answer = mount(chat, product.server)
      product.server.on('request', (request, response) => void answer(request, response))
    })
    after(async () => {
      await product[Symbol.asyncDispose]()
      await chat.close()
      await drop?.()
    })
    const open = async (asked: string, init?: RequestInit): Promise<Response> =>
      fetch(product.origin + asked, init)

    it('is served with its own headers, also at its deep links', async () => {
      for (const asked of [path, `${path}/channel/7?near=9`]) {
        const response = await open(asked)

        assert.equal(await response.text(), html)
        const { headers } = response
        assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
        assert.equal(headers.get('content-security-policy'), "default-src 'self'")
        assert.equal(headers.get('x-api'), `${basePath}/api/v1`)
      }
      const file = await open(`${path}/start.4f2a.js`)
      assert.equal(await file.text(), script)
      assert.equal(file.headers.get('cache-control'), immutable)
    })

    it('has no body for HEAD and for the version that the browser has', async () => {
      const head = await open(path, { method: 'HEAD' })
      const fileHead = await open(`${path}/start.4f2a.js`, { method: 'HEAD' })
      const known = await open(path, { headers: { 'if-none-match': 'W/"1"' } })
      const older = await open(path, { headers: { 'if-none-match': '"0"' } })

      assert.deepEqual([head.status, await head.text()], [200, ''])
      assert.deepEqual([fileHead.status, await fileHead.text()], [200, ''])
      assert.deepEqual([known.status, await known.text()], [304, ''])
      assert.equal(known.headers.get('etag'), '"1"')
      assert.deepEqual([older.status, await older.text()], [200, html])
    })

    it('takes no path of the API or of the application, and no other method', async () => {
      const settings = await open(`${basePath}/api/v1/server_settings`)
      const unknown = await open(`${basePath}/api/v1/nowhere`)
      const written = await open(path, { method: 'POST' })
      const other = await open(`${basePath}/elsewhere`)

      assert.equal(settings.headers.get('content-type'), 'application/json')
      assert.equal(unknown.status, 404)
      assert.equal(unknown.headers.get('content-type'), 'application/json')
      assert.equal(await written.text(), ownPage)
      assert.equal(await other.text(), ownPage)
    })

    it('is answered 500 if it fails, and 503 once the chat is closed', async () => {
      const broken = await open(`${path}/broken`)
      await chat.close()
      const late = await open(path)
      const other = await open(`${basePath}/elsewhere`)

      assert.equal(broken.status, 500)
      assert.deepEqual(errors, ['The page failed'])
      assert.equal(late.status, 503)
      assert.equal(await other.text(), ownPage)
    })
  })
}
