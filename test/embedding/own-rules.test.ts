import assert from 'node:assert/strict'
import { request, type RequestListener } from 'node:http'
import { describe, it } from 'node:test'
import { text } from 'node:stream/consumers'

import type { ChatServer } from '@parley/core'
import { createChatMiddleware as inExpress } from '@parley/express'
import { createChatMiddleware as inKoa } from '@parley/koa'
import express from 'express'
import Koa from 'koa'

import { upload } from '../support/uploads.js'
import { withChatProduct } from './product.js'

const ownAnswer = 'of the product'

/** An application whose own rule denies access to the account and to the chat's files. */
const mounts: Readonly<Record<string, (chat: ChatServer) => RequestListener>> = {
  'express at its root': (chat) => expressProduct((app) => app.use(inExpress(chat))),
  'express at a path': (chat) =>
    expressProduct((app) => {
      app.use('/api', inExpress(chat))
      app.use(['/user_uploads', '/user_avatars'], inExpress(chat))
    }),
  koa: (chat) => {
    const app = new Koa()
    app.use(async (context, next) => {
      if (/^\/api\/v1\/users\/me|^\/user_uploads\/thumbnail/i.test(context.path))
        context.status = 403
      else await next()
    })
    app.use(inKoa(chat))
    app.use((context) => {
      context.status = 404
      context.body = ownAnswer
    })
    const answer = app.callback()
    return (incoming, response) => void answer(incoming, response)
  },
}

function expressProduct(mount: (app: express.Express) => void): RequestListener {
  const app = express()
  app.use(['/api/v1/users/me', '/user_uploads/thumbnail'], (_, response) => {
    response.sendStatus(403)
  })
  mount(app)
  app.use((_, response) => void response.status(404).send(ownAnswer))
  return app
}

/** Requests a target as it is; `fetch` would normalize it first. */
async function get(
  origin: string,
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(origin, { path, headers, agent: false }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject)
    })
    sent.once('error', reject)
    sent.end()
  })
}

for (const [name, mount] of Object.entries(mounts)) {
  describe(`the rules of an application on ${name} before the chat`, () => {
    const at = withChatProduct(mount)

    it('apply to every spelling of a path', async () => {
      const headers = at.cast.people.alice.authorization()
      const statusOf = async (path: string) => (await get(at.product.origin, path, headers)).status

      for (const path of [
        '/api/v1/users/%6de',
        '/api/v1/users/%6De/subscriptions',
        '/api/v1/%75sers/me',
        '/api/v1/./users/me',
        '/api/v1/users/./me',
        '/api/v1/users/x/../me',
        '/api/v1/users/%2e/me',
        '/api/%76%31/users/me',
        '/API/v1/users/%6de',
        '/api/v1/%23/../users/me',
        'http://elsewhere?x=/api/v1/users/me',
        '/user_uploads/../api/v1/users/%6de',
      ]) {
        assert.equal(await statusOf(path), 404, path)
      }
      assert.equal(await statusOf('/api/v1/users/me'), 403)
      assert.equal(await statusOf('/api/v1/users'), 200)
      assert.equal(await statusOf('/api/v1//users'), 200)
    })

    it('apply to files, whose names are decoded', async () => {
      const { alice } = at.cast.people
      const headers = alice.authorization()
      const path = await upload(alice, { bytes: '0123456789' })
      const encoded = path.replace(/[^/]+$/, (fileName) =>
        fileName.replace(/^./, (first) => `%${first.charCodeAt(0).toString(16)}`),
      )

      assert.notEqual(encoded, path)
      assert.deepEqual(await get(at.product.origin, encoded, headers), {
        status: 200,
        body: '0123456789',
      })
      for (const other of [
        path.replace('/user_uploads', '/user%5Fuploads'),
        path.replace('/user_uploads/', '/user_uploads/x/../'),
        path.replace('/user_uploads', '/User_uploads'),
        path.replace('/user_uploads', '/user_uploads/%74humbnail'),
        `${path}/.`,
        `${path}#x`,
      ]) {
        const { status, body } = await get(at.product.origin, other, headers)
        assert.deepEqual([status, body], [404, ownAnswer], other)
      }
    })
  })
}
