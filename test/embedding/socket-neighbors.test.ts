import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'

import fastifyWebsocket from '@fastify/websocket'
import { NestFactory } from '@nestjs/core'
import type { NestExpressApplication } from '@nestjs/platform-express'
import { WsAdapter } from '@nestjs/platform-ws'
import { WebSocketGateway, type OnGatewayConnection } from '@nestjs/websockets'
import { attachUpgrade, sendChatResponse, toChatRequest } from '@parley/core'
import { createChatMiddleware } from '@parley/express'
import express from 'express'
import Fastify from 'fastify'
import { Server as SocketIo } from 'socket.io'
import { io } from 'socket.io-client'
import { WebSocket, WebSocketServer } from 'ws'

import { withChatProduct } from './product.js'
import { dispatchUpgrades } from './recipes/dispatch-upgrades.js'

@WebSocketGateway({ path: '/live' })
class LiveGateway implements OnGatewayConnection<WebSocket> {
  handleConnection(webSocket: WebSocket): void {
    webSocket.send('of the product')
  }
}

describe('other WebSocket servers of an application', () => {
  const at = withChatProduct(express)
  const address = (path: string) => at.product.origin.replace('http', 'ws') + path
  const openChat = async (url = address('/api/v1/events')): Promise<void> => {
    const events = new WebSocket(url, {
      headers: at.cast.people.bob.authorization(),
    })
    await once(events, 'open')
    // The first frame would be broken if another server had answered the upgrade as well.
    const ponged = once(events, 'pong')
    events.ping()
    await ponged
    events.close()
    await once(events, 'close')
  }

  const requireBothOn = async (port: number): Promise<void> => {
    const live = new WebSocket(`ws://127.0.0.1:${port}/live`)
    const [greeting] = (await once(live, 'message')) as [Buffer]
    await openChat(`ws://127.0.0.1:${port}/api/v1/events`)
    assert.equal(String(greeting), 'of the product')
    live.close()
    await once(live, 'close')
  }

  it('of ws work on their path if the application passes their upgrades to them', async () => {
    const detach = attachUpgrade(at.product.server, at.chat)
    const own = new WebSocketServer({ noServer: true })
    const onUpgrade = (...[request, socket, head]: Parameters<typeof own.handleUpgrade>): void => {
      if (request.url?.split('?')[0] !== '/live') return
      own.handleUpgrade(request, socket, head, (webSocket) => webSocket.send('of the product'))
    }
    at.product.server.on('upgrade', onUpgrade)

    const live = new WebSocket(address('/live?x=1'))
    const [greeting] = (await once(live, 'message')) as [Buffer]
    await openChat()

    assert.equal(String(greeting), 'of the product')
    live.close()
    await once(live, 'close')
    at.product.server.off('upgrade', onUpgrade)
    detach()
  })

  it('that accept every upgrade receive those that the chat does not accept', async () => {
    const { server } = at.product
    const own = new WebSocketServer({ server, path: '/live' })
    own.on('connection', (webSocket) => webSocket.send('of the product'))
    dispatchUpgrades(server, at.chat)

    const live = new WebSocket(address('/live'))
    const [greeting] = (await once(live, 'message')) as [Buffer]
    await openChat()

    assert.equal(String(greeting), 'of the product')
    live.close()
    await once(live, 'close')
    own.close()
    server.removeAllListeners('upgrade')
  })

  it('that answer upgrades of the chat too disturb neither the chat nor the process', async () => {
    const { product, chat, cast } = at
    const { server } = product
    const rejections: unknown[] = []
    const onRejection = (reason: unknown) => rejections.push(reason)
    process.on('unhandledRejection', onRejection)
    const own = new WebSocketServer({ server })
    own.on('connection', (webSocket) => webSocket.send('of the product'))
    const detach = attachUpgrade(server, chat)
    const { bob } = cast.people
    const { nobody } = cast

    for (const user of [bob, nobody]) {
      const events = new WebSocket(address('/api/v1/events'), { headers: user.authorization() })
      const [greeting] = (await once(events, 'message')) as [Buffer]
      assert.equal(String(greeting), 'of the product')
      const ponged = once(events, 'pong')
      events.ping()
      await ponged
      events.close()
      await once(events, 'close')
    }

    // A rejection is reported after the tasks of the event loop's present round.
    await new Promise((resolve) => void setImmediate(resolve))
    assert.deepEqual(rejections, [])
    own.close()
    detach()
    process.off('unhandledRejection', onRejection)
  })

  it('of @fastify/websocket work, as they answer every upgrade of a Fastify server', async () => {
    const app = Fastify()
    await app.register(fastifyWebsocket)
    app.get('/live', { websocket: true }, (webSocket) => webSocket.send('of the product'))
    app.addHook('onRequest', async (request, reply) => {
      const answer = await at.chat.handle(toChatRequest(request.raw, reply.raw))
      if (answer === undefined) return
      reply.hijack()
      sendChatResponse(reply.raw, answer)
    })
    await app.ready()
    dispatchUpgrades(app.server, at.chat)
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo

    await requireBothOn(port)
    await app.close()
  })

  it('of gateways of NestJS work, although they end upgrades of other paths', async () => {
    const app = await NestFactory.create<NestExpressApplication>(
      { module: LiveGateway, providers: [LiveGateway] },
      { logger: false },
    )
    app.useWebSocketAdapter(new WsAdapter(app))
    app.use(createChatMiddleware(at.chat))
    await app.init()
    const server: Server = app.getHttpServer()
    dispatchUpgrades(server, at.chat)
    await app.listen(0, '127.0.0.1')
    const { port } = server.address() as AddressInfo

    await requireBothOn(port)
    await app.close()
  })

  it('of socket.io work on their path with destroyUpgrade off', async () => {
    const detach = attachUpgrade(at.product.server, at.chat)
    const own = new SocketIo(at.product.server, { destroyUpgrade: false })
    own.on('connection', (socket) => socket.emit('greeting', 'of the product'))

    const client = io(at.product.origin, { transports: ['websocket'] })
    const greeting = await new Promise((resolve) => client.once('greeting', resolve))
    await openChat()

    assert.equal(greeting, 'of the product')
    client.close()
    detach()
    await own.close()
  })
})
