import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { setImmediate as eventLoopTick } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { attachUpgrade } from '@parley/core'
import express from 'express'
import { WebSocket, WebSocketServer } from 'ws'

import { within } from '../support/waiting.js'
import { withChatProduct } from './product.js'

/** The first line of the response to an upgrade request; the connection is then closed. */
async function upgradeStatus(origin: string, path: string): Promise<string> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: product\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  let text = ''
  for await (const chunk of socket.setEncoding('utf8')) text += chunk
  return text.split('\r\n')[0] ?? ''
}

describe("the upgrades of an application's server", () => {
  const at = withChatProduct(express)

  it('get a 404 response if the chat is the only listener and does not accept them', async () => {
    const detach = attachUpgrade(at.product.server, at.chat)

    const statuses = await Promise.all(
      ['/live', '/api/v1/messages', '/api/v1/eventsx', '/'].map((path) =>
        upgradeStatus(at.product.origin, path),
      ),
    )
    detach()

    assert.deepEqual(new Set(statuses), new Set(['HTTP/1.1 404 Not Found']))
  })

  it('reach the application and the chat separately', async () => {
    const detach = attachUpgrade(at.product.server, at.chat)
    const own = new WebSocketServer({ noServer: true })
    const onUpgrade = (...[request, socket, head]: Parameters<typeof own.handleUpgrade>): void => {
      if (request.url !== '/live') return
      own.handleUpgrade(request, socket, head, (webSocket) => webSocket.send('of the product'))
    }
    at.product.server.on('upgrade', onUpgrade)
    const address = at.product.origin.replace('http', 'ws')

    const live = new WebSocket(`${address}/live`)
    const events = new WebSocket(`${address}/api/v1/events?event_types=["message"]`, {
      headers: at.cast.people.bob.authorization(),
    })
    const [[greeting]] = await within(
      'both sockets to open',
      Promise.all([once(live, 'message'), once(events, 'message')]),
    )
    const received = once(events, 'message')
    const { api } = at.chat.as({ userId: at.cast.people.alice.id })
    await api.sendMessage({ type: 'direct', to: [at.cast.people.bob.id], content: 'of the chat' })
    const [frame] = (await within('a frame', received)) as [Buffer]

    assert.equal(String(greeting), 'of the product')
    assert.equal(JSON.parse(frame.toString('utf8')).events[0].message.content, 'of the chat')
    live.close()
    events.close()
    const closed = Promise.all([once(live, 'close'), once(events, 'close')])
    await within('both sockets to be closed', closed)
    at.product.server.off('upgrade', onUpgrade)
    detach()
  })

  it('are not kept in memory while their WebSockets are open', async () => {
    const requests: WeakRef<object>[] = []
    const noteRequest = (request: object): void => void requests.push(new WeakRef(request))
    at.product.server.on('upgrade', noteRequest)
    const detach = attachUpgrade(at.product.server, at.chat)
    const url = `${at.product.origin.replace('http', 'ws')}/api/v1/events`
    const sockets = Array.from(
      { length: 5 },
      () => new WebSocket(url, { headers: at.cast.people.bob.authorization() }),
    )
    await within('all to open', Promise.all(sockets.map((socket) => once(socket, 'message'))))

    await collectGarbage()
    const kept = requests.filter((request) => request.deref() !== undefined)
    const states = new Set(sockets.map(({ readyState }) => readyState))
    const closed = Promise.all(sockets.map((socket) => once(socket, 'close')))
    for (const socket of sockets) socket.close()
    await within('all to be closed', closed)
    at.product.server.off('upgrade', noteRequest)
    detach()

    assert.equal(requests.length, sockets.length)
    assert.equal(kept.length, 0)
    assert.deepEqual(states, new Set([WebSocket.OPEN]))
  })
})

/** Collects it together with what the last ticks of the event loop still used. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let tick = 0; tick < 5; tick += 1) {
    await eventLoopTick()
    collect()
  }
}
