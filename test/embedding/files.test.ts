import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { describe, it } from 'node:test'

import type { ChatServer } from '@parley/core'
import { createChatMiddleware as inExpress } from '@parley/express'
import { createChatMiddleware as inKoa } from '@parley/koa'
import express from 'express'
import Koa from 'koa'

import { upload } from '../support/uploads.js'
import { withChatProduct } from './product.js'

const ownText = 'of the product'

const mounts: Readonly<Record<string, (chat: ChatServer) => RequestListener>> = {
  express: (chat) => {
    const app = express()
    app.use(inExpress(chat))
    app.use((_, response) => void response.status(404).send(ownText))
    return app
  },
  koa: koaProduct,
}

function koaProduct(chat: ChatServer): RequestListener {
  const app = new Koa()
  app.use(inKoa(chat))
  app.use((context) => {
    context.status = 404
    context.body = ownText
  })
  const answer = app.callback()
  return (request, response) => void answer(request, response)
}

for (const [name, mount] of Object.entries(mounts)) {
  describe(`files of the chat in an application on ${name}`, () => {
    const at = withChatProduct(mount)

    it('are served at the root of the server, completely or as a range', async () => {
      const { alice } = at.cast.people
      const url = at.product.origin + (await upload(alice, { bytes: '0123456789' }))
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

    it("do not affect the application's other paths, also similar ones", async () => {
      const paths = [
        '/user_uploads',
        '/user_uploads/',
        '/user_uploads/mine/x.txt',
        '/user_uploads/1',
        '/user_uploads_of_mine/1/ab/cd/x.txt',
        '/pages/user_uploads/1/ab/cd/x.txt',
      ]

      for (const path of paths) {
        const answer = await fetch(at.product.origin + path)
        assert.deepEqual([answer.status, await answer.text()], [404, ownText], path)
      }
    })

    it('return 404 for missing files', async () => {
      const answer = await fetch(`${at.product.origin}/user_uploads/1/ab/cd/x.txt`)

      assert.equal(answer.status, 404)
      assert.equal(((await answer.json()) as { msg: string }).msg, 'Not Found')
    })
  })
}
