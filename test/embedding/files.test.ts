import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { after, before, describe, it } from 'node:test'

import { createChatServer, type ChatServer } from '@parley/core'
import { createChatMiddleware as inExpress } from '@parley/express'
import { createChatMiddleware as inKoa } from '@parley/koa'
import express from 'express'
import Koa from 'koa'

import type { Cast } from '../support/cast.js'
import { databaseColumns, type TestDatabase } from '../support/databases.js'
import { upload } from '../support/uploads.js'
import { Product } from './product.js'

const ownText = 'of the product'

const mounts: Readonly<Record<string, (chat: ChatServer) => RequestListener>> = {
  express: (chat) => {
    const app = express()
    app.use(inExpress(chat))
    app.use((_, response) => void response.status(404).send(ownText))
    return app
  },
  koa: (chat) => koaProduct(chat, false),
  'koa, through ctx.body': (chat) => koaProduct(chat, true),
}

function koaProduct(chat: ChatServer, respondThroughKoa: boolean): RequestListener {
  const app = new Koa()
  app.use(inKoa(chat, { respondThroughKoa }))
  app.use((context) => {
    context.status = 404
    context.body = ownText
  })
  const answer = app.callback()
  return (request, response) => void answer(request, response)
}

for (const [name, mount] of Object.entries(mounts)) {
  describe(`files of the chat in a product on ${name}`, () => {
    let database: TestDatabase
    let chat: ChatServer
    let product: Product
    let cast: Cast

    before(async () => {
      database = (await databaseColumns()[0]?.create()) as TestDatabase
      chat = createChatServer({ database: database.config, rateLimits: 'off' })
      await chat.start()
      product = await Product.listen(mount(chat))
      cast = product.cast()
      await chat.organizations.load(cast.file)
    })
    after(async () => {
      await product[Symbol.asyncDispose]()
      await chat.close()
      await database.drop()
    })

    it('are read at the root of the server, whole or in part', async () => {
      const { alice } = cast.people
      const url = product.origin + (await upload(alice, { bytes: '0123456789' }))
      const headers = alice.authorization()

      const whole = await fetch(url, { headers })
      const part = await fetch(url, { headers: { ...headers, range: 'bytes=3-5' } })
      const head = await fetch(url, { headers, method: 'HEAD' })
      const nobody = await fetch(url)

      assert.deepEqual([whole.status, await whole.text()], [200, '0123456789'])
      assert.deepEqual([part.status, await part.text()], [206, '345'])
      assert.deepEqual([head.status, head.headers.get('content-length')], [200, '10'])
      assert.equal(nobody.status, 403)
    })

    it("leave the product's other paths alone, those that look alike too", async () => {
      const paths = [
        '/user_uploads',
        '/user_uploads/',
        '/user_uploads/mine/x.txt',
        '/user_uploads/1',
        '/user_uploads_of_mine/1/ab/cd/x.txt',
        '/pages/user_uploads/1/ab/cd/x.txt',
      ]

      for (const path of paths) {
        const answer = await fetch(product.origin + path)
        assert.deepEqual([answer.status, await answer.text()], [404, ownText], path)
      }
    })

    it('answer 404 themselves where a file could be', async () => {
      const answer = await fetch(`${product.origin}/user_uploads/1/ab/cd/x.txt`)

      assert.equal(answer.status, 404)
      assert.equal(((await answer.json()) as { msg: string }).msg, 'Not Found')
    })
  })
}
