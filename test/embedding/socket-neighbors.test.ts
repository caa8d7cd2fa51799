import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'

import { attachUpgrade } from '@parley/core'
import express from 'express'
import { Server as SocketIo } from 'socket.io'
import { io } from 'socket.io-client'
import { WebSocket, WebSocketServer } from 'ws'

import { withChatProduct } from './product.js'

describe('other WebSocket servers of an application', () => {
  const at = withChatProduct(express)
  const address = (path: string) => at.product.origin.replace('http', 'ws') + path
  const openChat = async (): Promise<void> => {
    const events = new WebSocket(address('/api/v1/events'), {
      headers: at.cast.people.bob.authorization(),
    })
    await once(events, 'open')
    events.close()
    await once(events, 'close')
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
    const others = server.listeners('upgrade')
    server.removeAllListeners('upgrade')
    server.on('upgrade', (request, socket, head) => {
      if (at.chat.handleUpgrade(request, socket, head)) return
      for (const other of others) other.call(server, request, socket, head)
    })

    const live = new WebSocket(address('/live'))
    const [greeting] = (await once(live, 'message')) as [Buffer]
    await openChat()

    assert.equal(String(greeting), 'of the product')
    live.close()
    await once(live, 'close')
    own.close()
    server.removeAllListeners('upgrade')
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
