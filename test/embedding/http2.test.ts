import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  connect,
  constants,
  createSecureServer,
  type ClientHttp2Session,
  type Http2SecureServer,
  type OutgoingHttpHeaders,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'

import {
  attachUpgrade,
  createChatServer,
  sendChatResponse,
  toChatRequest,
  type ChatServer,
} from '@parley/core'
import { attachChatUpgrade, createChatMiddleware } from '@parley/koa'
import Koa from 'koa'
import { WebSocket } from 'ws'

import { castOf } from '../support/cast.js'
import { databaseColumns } from '../support/databases.js'
import { FakeClock } from '../support/fake-clock.js'
import { makeCertificate, type Certificate } from '../support/tls-proxy.js'

const mounts: Readonly<Record<string, (server: Http2SecureServer, chat: ChatServer) => void>> = {
  'node:http2 alone': (server, chat) => {
    server.on('request', (request, response) => {
      void chat.handle(toChatRequest(request, response)).then((answer) => {
        if (answer) sendChatResponse(response, answer)
        else response.writeHead(404).end()
      })
    })
    attachUpgrade(server, chat)
  },
  Koa: (server, chat) => {
    const app = new Koa()
    app.use(createChatMiddleware(chat))
    const answer = app.callback()
    server.on('request', (request, response) => void answer(request, response))
    attachChatUpgrade(server, chat, app)
  },
}

const cookie = 'session=7'

for (const [name, mount] of Object.entries(mounts)) {
  describe(`HTTP/2 with ${name}`, () => {
    const clock = new FakeClock()
    let certificate: Certificate
    let chat: ChatServer
    let server: Http2SecureServer
    let session: ClientHttp2Session
    let origin: string
    let drop: (() => Promise<void>) | undefined

    before(async () => {
      certificate = await makeCertificate()
      const database = await databaseColumns()[0]?.create()
      assert.ok(database !== undefined)
      drop = database.drop
      chat = createChatServer({
        database: database.config,
        clock,
        identify: ({ headers }) =>
          headers.cookie === cookie
            ? { externalId: '7', email: 'una@product.example', fullName: 'Una' }
            : null,
      })
      await chat.start()
      await chat.organizations.load(castOf(100, 'product', {}, () => undefined as never).file)
      server = createSecureServer({ ...certificate, allowHTTP1: true })
      mount(server, chat)
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      origin = `https://localhost:${(server.address() as AddressInfo).port}`
      session = connect(origin, { ca: certificate.cert })
      await once(session, 'connect')
    })
    after(async () => {
      session.close()
      await chat.close()
      const isClosed = once(server, 'close')
      server.close()
      await isClosed
      await drop?.()
    })

    async function send(
      headers: OutgoingHttpHeaders,
      body?: string,
    ): Promise<{ status: number; body: string }> {
      const stream = session.request({ cookie, ...headers }, { endStream: body === undefined })
      if (body !== undefined) stream.end(body)
      const [answer] = (await once(stream, 'response')) as [Record<string, unknown>]
      return { status: Number(answer[constants.HTTP2_HEADER_STATUS]), body: await text(stream) }
    }

    it('accepts writes of its own pages, with a form or JSON without Content-Length', async () => {
      const post = { ':method': 'POST', ':path': '/api/v1/users/me/presence' }
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      const own = await send({ ...post, ...form, origin }, 'status=active')
      const json = { 'content-type': 'application/json' }
      const ownJson = await send({ ...post, ...json, origin }, '{"status":"active"}')
      const empty = await send({ ...post, ...form, origin })
      const other = await send(
        { ...post, ...form, origin: 'https://evil.example' },
        'status=active',
      )

      assert.equal(own.status, 200, own.body)
      assert.equal(ownJson.status, 200, ownJson.body)
      assert.match(empty.body, /REQUEST_VARIABLE_MISSING/)
      assert.equal(other.status, 403)
    })

    it('returns links to itself, and files', async () => {
      const settings = await send({ ':path': '/api/v1/server_settings' })
      const type = 'multipart/form-data; boundary=cut-here'
      const uploaded = await send(
        { ':method': 'POST', ':path': '/api/v1/user_uploads', origin, 'content-type': type },
        '--cut-here\r\nContent-Disposition: form-data; name="a"; filename="a.txt"\r\n\r\n' +
          '0123456789\r\n--cut-here--\r\n',
      )
      const { url } = JSON.parse(uploaded.body) as { url: string }

      assert.equal((JSON.parse(settings.body) as { realm_url: string }).realm_url, origin)
      assert.deepEqual(await send({ ':path': url }), { status: 200, body: '0123456789' })
    })

    it('times out a body that does not arrive', async () => {
      const isWaiting = clock.next('set', 30)
      const stream = session.request({
        ':method': 'POST',
        ':path': '/api/v1/users/me/presence',
        'content-type': 'application/x-www-form-urlencoded',
        cookie,
        origin,
      })
      stream.write('status=')
      const answered = once(stream, 'response') as Promise<[Record<string, unknown>]>
      await isWaiting
      clock.advance(31)

      const [answer] = await answered
      assert.equal(answer[constants.HTTP2_HEADER_STATUS], 408)
      const isClosed = once(stream, 'close')
      stream.destroy()
      await isClosed
    })

    it('opens WebSockets over HTTP/1.1 on the same port', async () => {
      const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/v1/events`, {
        origin,
        ca: certificate.cert,
        headers: { cookie },
      })
      await once(socket, 'open')
      socket.close()
      await once(socket, 'close')
    })
  })
}
