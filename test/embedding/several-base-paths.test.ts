import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'

import { createChatServer, type ChatServer } from '@parley/core'
import { attachChatUpgrade, createChatMiddleware } from '@parley/express'
import express from 'express'
import { WebSocket, WebSocketServer } from 'ws'

import { databaseColumns } from '../support/databases.js'
import type { UncheckedJson } from '../support/unchecked-json.js'
import { within } from '../support/waiting.js'

/** The chats of one application: one at the root, and others below each other and beside it. */
const basePaths = [undefined, '/a', '/b', '/a/b'] as const
const fileOf = (name: string) => ({
  organization: { name },
  users: [{ id: 1, external_id: '7', email: 'ada@product.example', full_name: 'Ada', role: 100 }],
})

describe('chats with different base paths in one application', () => {
  const chats: ChatServer[] = []
  let server: Server
  let origin: string
  let drop: (() => Promise<void>) | undefined
  before(async () => {
    const database = await databaseColumns()[0]!.create()
    drop = database.drop
    const app = express()
    server = createServer(app).listen(0, '127.0.0.1')
    await once(server, 'listening')
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    for (const [index, basePath] of basePaths.entries()) {
      const chat = createChatServer({
        database: database.config,
        tablePrefix: `chat${index}_`,
        baseUrl: origin,
        ...(basePath !== undefined && { basePath }),
        identify: ({ headers }) =>
          headers.cookie === 'session=1'
            ? { externalId: '7', email: 'ada@product.example', fullName: 'Ada' }
            : null,
      })
      await chat.start()
      await chat.organizations.load(fileOf(`Chat ${basePath ?? 'at the root'}`))
      app.use(createChatMiddleware(chat))
      attachChatUpgrade(server, chat, app)
      chats.push(chat)
    }
  })
  after(async () => {
    server.closeAllConnections()
    server.close()
    await Promise.all(chats.map((chat) => chat.close()))
    await drop?.()
  })

  const socketAt = (path: string): WebSocket =>
    new WebSocket(`${origin.replace('http', 'ws')}${path}?event_types=["message"]`, {
      headers: { cookie: 'session=1', origin },
    })

  it('answer the requests of their own paths only', async () => {
    for (const basePath of basePaths) {
      const realmUrl = `${origin}${basePath ?? ''}`
      const settings = await (await fetch(`${realmUrl}/api/v1/server_settings`)).json()

      const { realm_url, realm_name } = settings as UncheckedJson
      assert.deepEqual([realm_url, realm_name], [realmUrl, `Chat ${basePath ?? 'at the root'}`])
    }
    const elsewhere = await fetch(`${origin}/c/api/v1/server_settings`)
    assert.deepEqual(
      [elsewhere.status, elsewhere.headers.get('content-type')],
      [404, 'text/html; charset=utf-8'],
    )
  })

  it('open the WebSockets of their own paths only', async () => {
    for (const [index, basePath = ''] of basePaths.entries()) {
      const socket = socketAt(`${basePath}/api/v1/events`)
      await within(`the socket at ${basePath}`, once(socket, 'open'))
      const received = once(socket, 'message')
      const others = chats.filter((_, other) => other !== index)

      for (const chat of [...others, chats[index]!]) {
        const message = { type: 'direct', to: [1], content: `of ${chats.indexOf(chat)}` } as const
        await chat.as({ externalId: '7' }).api.sendMessage(message)
      }

      const [frame] = (await within('a frame', received)) as [Buffer]
      const { events } = JSON.parse(frame.toString('utf8')) as UncheckedJson
      assert.equal(events[0].message.content, `of ${index}`)
      socket.close()
      await within('the end', once(socket, 'close'))
    }
  })

  it('answer the upgrades of other paths once, with 404', async () => {
    for (const path of ['/c/api/v1/events', '/a/api/v1/messages', '/']) {
      const [, response] = await within(
        `the response at ${path}`,
        once(
          socketAt(path).on('error', () => {}),
          'unexpected-response',
        ),
      )
      assert.equal(response.statusCode, 404)
    }
  })

  it('leave the upgrades of other paths to the application, if it has a listener', async () => {
    const own = new WebSocketServer({ noServer: true })
    const onUpgrade = (...[request, socket, head]: Parameters<typeof own.handleUpgrade>): void => {
      if (request.url?.startsWith('/live') !== true) return
      own.handleUpgrade(request, socket, head, (webSocket) => webSocket.send('of the product'))
    }
    server.prependListener('upgrade', onUpgrade)

    const socket = socketAt('/live')
    const [greeting] = (await within('a greeting', once(socket, 'message'))) as [Buffer]

    assert.equal(greeting.toString('utf8'), 'of the product')
    socket.close()
    await within('the end', once(socket, 'close'))
    server.off('upgrade', onUpgrade)
  })
})
