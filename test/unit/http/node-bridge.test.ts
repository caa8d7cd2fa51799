import assert from 'node:assert/strict'
import type http from 'node:http'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'

import express from 'express'
import Koa from 'koa'

import type { ChatResponse } from '../../../packages/core/src/http/index.js'
import type { RequestFacts } from '../../../packages/core/src/http/operation.js'
import {
  attachUpgrade,
  sendChatResponse,
  toChatRequest,
} from '../../../packages/core/src/node/index.js'
import * as expressAdapter from '../../../packages/express/src/index.js'
import * as koaAdapter from '../../../packages/koa/src/index.js'
import { RawConnection } from './raw-connection.js'
import { hosts, SampleChat, SampleServer } from './sample-server.js'

for (const name of ['bare node:http', 'Express', 'Koa']) {
  describe(`a held request in ${name}`, () => {
    it('notices when its client disconnects', async () => {
      const chat = new SampleChat()
      await using server = await SampleServer.listen(hosts[name]!(chat))
      const connection = await RawConnection.open(server.port)
      const held = new Promise<RequestFacts['onDisconnect']>((resolve) => {
        chat.service.whenHeld = resolve
      })

      await connection.write('GET /api/v1/wait HTTP/1.1\r\nHost: x\r\n\r\n')
      const onDisconnect = await held
      let isConnected = true
      const disconnected = new Promise<void>((resolve) => {
        onDisconnect(() => {
          isConnected = false
          resolve()
        })
      })
      assert.equal(isConnected, true)
      connection.destroy()

      await disconnected
    })
  })
}

describe('a request', () => {
  async function seen(
    listener: (see: http.RequestListener) => http.RequestListener,
    target: string,
  ): Promise<unknown> {
    await using server = await SampleServer.listen(
      listener((req, res) => {
        const { path, query, protocol, remoteAddress } = toChatRequest(req, res)
        res.end(JSON.stringify({ path, query, protocol, remoteAddress }))
      }),
    )
    const connection = await RawConnection.open(server.port)
    const received = connection.rest()
    await connection.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    const text = await received
    return JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))
  }
  const peer = { protocol: 'http', remoteAddress: '127.0.0.1' }

  it('has a signal that is aborted when its client disconnects', async () => {
    let arrive!: (signal: AbortSignal) => void
    const arrived = new Promise<AbortSignal>((resolve) => (arrive = resolve))
    await using server = await SampleServer.listen((req, res) =>
      arrive(toChatRequest(req, res).signal),
    )
    const connection = await RawConnection.open(server.port)
    await connection.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    const signal = await arrived
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve))

    assert.equal(signal.aborted, false)
    connection.destroy()

    await aborted
  })

  it('has its path as sent and its query separately', async () => {
    assert.deepEqual(await seen((see) => see, '/a%20b//c?d=e?f'), {
      ...peer,
      path: '/a%20b//c',
      query: 'd=e?f',
    })
  })

  it('in absolute form has no scheme and host', async () => {
    const expected = { ...peer, path: '/a', query: 'b' }
    assert.deepEqual(await seen((see) => see, 'http://elsewhere:80/a?b'), expected)
  })

  it('in absolute form has the path that URL parsers return', async () => {
    const pathOf = async (target: string) =>
      ((await seen((see) => see, target)) as { path: string }).path

    assert.equal(await pathOf('http://elsewhere'), '/')
    assert.equal(await pathOf('http://elsewhere?a=/api/v1/samples'), '/')
  })

  it('has its whole path if Express strips a mount path', async () => {
    const mounted = (see: http.RequestListener): http.RequestListener =>
      express().use('/api', (req, res) => see(req, res))
    assert.deepEqual(await seen(mounted, '/api/v1/samples'), {
      ...peer,
      path: '/api/v1/samples',
      query: '',
    })
  })

  it('uses protocol and address from proxies that the host trusts', async () => {
    const chat = new SampleChat()
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.7' }
    const expressApp = express().set('trust proxy', true)
    expressApp.use(expressAdapter.createChatMiddleware(chat))
    const koaApp = new Koa({ proxy: true })
    koaApp.use(koaAdapter.createChatMiddleware(chat))
    const koaCallback = koaApp.callback()
    const koaListener: http.RequestListener = (req, res) => void koaCallback(req, res)

    for (const listener of [expressApp, koaListener]) {
      await using server = await SampleServer.listen(listener)
      const response = await fetch(`${server.origin}/api/v1/server`, { headers })
      const { chat_url } = (await response.json()) as { chat_url: string }
      assert.match(chat_url, /^https:/)
    }
  })
})

describe('unknown paths under the prefix', () => {
  it('are passed to the host on request', async () => {
    const chat = new SampleChat()
    const options = { passUnknownPaths: true }
    const expressApp = express().use(expressAdapter.createChatMiddleware(chat, options))
    expressApp.use((_req, res) => void res.end('host'))
    const koaApp = new Koa().use(koaAdapter.createChatMiddleware(chat, options))
    const koaCallback = koaApp.use((ctx) => void (ctx.body = 'host')).callback()

    for (const listener of [
      expressApp,
      (req, res) => void koaCallback(req, res),
    ] as const satisfies http.RequestListener[]) {
      await using server = await SampleServer.listen(listener)
      assert.equal(await (await fetch(`${server.origin}/api/v1/nowhere`)).text(), 'host')
    }
  })
})

describe('an unexpected error', () => {
  it('reaches the error handler of Express', async () => {
    const chat = new SampleChat()
    const broken = {
      ...chat,
      handleUpgrade: chat.handleUpgrade,
      handle: async () => Promise.reject(new Error('bug')),
    }
    const app = express().use(expressAdapter.createChatMiddleware(broken))
    const report: express.ErrorRequestHandler = (error, _req, res, _next) => {
      res.end(`handled: ${(error as Error).message}`)
    }
    await using server = await SampleServer.listen(app.use(report))

    assert.equal(await (await fetch(`${server.origin}/api/v1/samples`)).text(), 'handled: bug')
  })
})

describe('a response', () => {
  it('of Koa as a stream that fails, or whose client disconnects, ends the connection', async () => {
    const streams: Readable[] = []
    const chat = new SampleChat()
    const handle = async (): Promise<ChatResponse> => {
      const body = new Readable({ read() {} })
      body.push('one')
      streams.push(body)
      return { status: 200, headers: { 'Content-Length': '10' }, body }
    }
    const app = new Koa()
    app.silent = true
    app.use(koaAdapter.createChatMiddleware({ handle, handleUpgrade: chat.handleUpgrade }))
    const callback = app.callback()
    await using server = await SampleServer.listen((req, res) => void callback(req, res))

    const failing = await fetch(server.origin)
    streams[0]?.destroy(new Error('disk'))
    await assert.rejects(failing.text())

    const connection = await RawConnection.open(server.port)
    const received = connection.receive(/one/)
    await connection.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await received
    const isClosed = new Promise((resolve) => streams[1]?.once('close', resolve))
    connection.destroy()
    await isClosed
  })

  async function receive(
    answer: ChatResponse,
    prepare: (res: http.ServerResponse) => void = () => {},
    method = 'GET',
  ): Promise<Response> {
    await using server = await SampleServer.listen((_req, res) => {
      prepare(res)
      sendChatResponse(res, answer)
    })
    const response = await fetch(server.origin, { method })
    const bytes = await response.arrayBuffer()
    return new Response(method === 'HEAD' ? null : bytes, response)
  }

  it('may be a stream', async () => {
    const body = Readable.from([Buffer.from('one '), Buffer.from('two')])
    const response = await receive({ status: 200, headers: {}, body })
    assert.equal(await response.text(), 'one two')
  })

  it('as a stream is not read for HEAD', async () => {
    const body = new Readable({
      read() {
        throw new Error('must not be read')
      },
    })
    const response = await receive({ status: 200, headers: { 'X-A': 'b' }, body }, () => {}, 'HEAD')
    assert.equal(response.headers.get('x-a'), 'b')
    assert.equal(body.destroyed, true)
  })

  it('as a stream that fails is incomplete for the client', async () => {
    let reads = 0
    const body = new Readable({
      read() {
        reads += 1
        if (reads === 1) this.push('one')
        else this.destroy(new Error('disk'))
      },
    })
    await assert.rejects(receive({ status: 200, headers: {}, body }))
  })

  it('extends the Vary header of the host', async () => {
    const answer = { status: 200, headers: { Vary: 'Accept-Language' }, body: '{}' }
    const response = await receive(answer, (res) => res.setHeader('Vary', 'Origin'))
    assert.equal(response.headers.get('vary'), 'Origin, Accept-Language')
  })

  it('is dropped if the host has responded', async () => {
    const body = Readable.from(['late'])
    const response = await receive({ status: 200, headers: {}, body }, (res) => res.end('host'))
    assert.equal(await response.text(), 'host')
    assert.equal(body.destroyed, true)
  })
})

describe('upgrades', () => {
  const upgrade = (path: string): string =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`

  async function answerTo(server: SampleServer, path: string): Promise<string> {
    const connection = await RawConnection.open(server.port)
    try {
      const received = connection.receive(/\r\n\r\n/)
      await connection.write(upgrade(path))
      const text = await received
      return text.slice(0, text.indexOf('\r\n'))
    } finally {
      connection.destroy()
    }
  }

  it('of the chat’s own path are accepted', async () => {
    await using server = await SampleServer.listen(() => {})
    attachUpgrade(server.server, new SampleChat())

    assert.equal(await answerTo(server, '/api/v1/events'), 'HTTP/1.1 101 Switching Protocols')
  })

  it('without any other listener get a 404 response', async () => {
    await using server = await SampleServer.listen(() => {})
    attachUpgrade(server.server, new SampleChat())

    assert.equal(await answerTo(server, '/elsewhere'), 'HTTP/1.1 404 Not Found')
  })

  it('of other paths are left to other listeners', async () => {
    await using server = await SampleServer.listen(() => {})
    attachUpgrade(server.server, new SampleChat())
    server.server.on('upgrade', (request, socket) => {
      if (request.url === '/elsewhere') socket.end('HTTP/1.1 299 Host\r\n\r\n')
    })

    assert.equal(await answerTo(server, '/elsewhere'), 'HTTP/1.1 299 Host')
    assert.equal(await answerTo(server, '/api/v1/events'), 'HTTP/1.1 101 Switching Protocols')
  })

  it('are left alone after detaching', async () => {
    await using server = await SampleServer.listen((_req, res) => {
      res.writeHead(426).end()
    })
    const detach = attachUpgrade(server.server, new SampleChat())

    detach()

    assert.equal(server.server.listenerCount('upgrade'), 0)
    assert.equal(await answerTo(server, '/api/v1/events'), 'HTTP/1.1 426 Upgrade Required')
  })
})
