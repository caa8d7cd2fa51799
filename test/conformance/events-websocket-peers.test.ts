import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import { everyHost } from '../support/host.js'
import { SocketClient } from '../support/socket-client.js'
import { within } from '../support/waiting.js'

const registration = { event_types: ['message'], fetch_event_types: [] }
/** Longer than the longest interval between two pings of a connection. */
const intervalSeconds = 55
/** Shorter than the shortest interval, so that a client can answer each ping before the next. */
const stepSeconds = 20

async function registered(client: Client): Promise<{ queue_id: string; last_event_id: number }> {
  const { body } = await client.post('/register', registration)
  return { queue_id: body.queue_id, last_event_id: body.last_event_id }
}

/** A peer that opens a WebSocket and then reads without sending anything. */
class SilentPeer {
  readonly closed: Promise<unknown>
  #received = Buffer.alloc(0)
  #notice: (() => void) | undefined

  private constructor(readonly socket: Socket) {
    this.closed = once(socket, 'close')
    socket.on('error', () => {})
    socket.on('data', (part: Buffer) => {
      this.#received = Buffer.concat([this.#received, part])
      this.#notice?.()
    })
  }

  static async open(client: Client, queueId: string): Promise<SilentPeer> {
    const { origin, subdomain } = client.endpoint
    const { host, port, hostname } = new URL(origin)
    const peer = new SilentPeer(connect(Number(port), hostname))
    const { authorization } = client.authorization()
    peer.socket.write(
      `GET /api/v1/events?queue_id=${encodeURIComponent(queueId)} HTTP/1.1\r\nHost: ${host}\r\n` +
        `Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n` +
        `Sec-WebSocket-Key: ${btoa('0123456789abcdef')}\r\nX-Organization: ${subdomain}\r\n` +
        `Authorization: ${authorization}\r\n\r\n`,
    )
    await peer.receives((bytes) => bytes.includes('HTTP/1.1 101 '))
    return peer
  }

  async receives(condition: (bytes: Buffer) => boolean): Promise<void> {
    while (!condition(this.#received)) {
      await new Promise<void>((resolve) => (this.#notice = resolve))
    }
  }
}

/** An empty ping of the server. */
const isPinged = (bytes: Buffer): boolean => bytes.includes(Buffer.from([0x89, 0x00]))

everyHost('get-events', (at) => {
  it('closes the connection of a peer that does not answer a ping before the next one', async () => {
    const { alice, bob } = at.people
    const { queue_id, last_event_id } = await registered(bob)
    const peer = await SilentPeer.open(bob, queue_id)
    let isClosed = false
    void peer.closed.then(() => (isClosed = true))

    at.clock.advance(intervalSeconds)
    await peer.receives(isPinged)
    assert.equal(isClosed, false)
    at.clock.advance(intervalSeconds)
    await within('the connection to be closed', peer.closed)

    await alice.whisper([bob], 'kept in the queue')
    const { body } = await bob.get('/events', { queue_id, last_event_id, dont_block: true })
    assert.equal(body.events.at(-1).message.content, 'kept in the queue')
  })

  it('closes the connection of a peer behind a proxy that stops forwarding data', async () => {
    const { bob } = at.people
    const { hostname, port } = new URL(bob.endpoint.origin)
    const pairs: Socket[] = []
    const proxy = createServer((inner) => {
      const outer = connect(Number(port), hostname)
      inner.pipe(outer)
      outer.pipe(inner)
      for (const socket of [inner, outer]) socket.on('error', () => {})
      pairs.push(inner, outer)
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const queue = await registered(bob)
    const through = at.host.clientOf(bob)
    Object.assign(through.endpoint, { origin })
    const socket = await SocketClient.open(through, queue)
    at.clock.advance(intervalSeconds)
    await socket.settle()

    const [inner, outer] = pairs as [Socket, Socket]
    inner.unpipe(outer)
    inner.pause()
    const isEnded = once(outer, 'close')
    at.clock.advance(intervalSeconds)
    at.clock.advance(intervalSeconds)
    await within('the connection to be closed', isEnded)

    for (const one of pairs) one.destroy()
    proxy.close()
    await socket.closing
  })

  it('keeps the connection of a client that answers and acknowledges', async () => {
    const { alice, bob } = at.people
    const socket = await SocketClient.open(bob, await registered(bob))

    for (let step = 0; step < 40; step += 1) {
      at.clock.advance(stepSeconds)
      await socket.settle()
      const last = socket.received().at(-1)
      if (last !== undefined) socket.acknowledge(last.id)
    }
    await alice.whisper([bob], 'still served')

    const events = await socket.events(1)
    assert.equal(events.at(-1)?.['message'].content, 'still served')
    await socket.close()
  })

  it('closes with code 4004 if no event is acknowledged within the lifespan of the queue', async () => {
    const { alice, bob } = at.people
    const { queue_id, last_event_id } = await registered(bob)
    const socket = await SocketClient.open(bob, { queue_id, last_event_id })
    await alice.whisper([bob], 'sent')
    const [sent] = await socket.events(1)
    const sentAt = at.clock.seconds

    // The client answers pings, and its connection works.
    while (at.clock.seconds - sentAt < 600 - stepSeconds) {
      at.clock.advance(stepSeconds)
      await socket.settle()
    }
    at.clock.advance(stepSeconds + intervalSeconds)
    const { code } = await socket.closing

    assert.equal(code, 4004)
    // A client that reconnects can continue with the queue.
    const again = await SocketClient.open(bob, { queue_id, last_event_id: sent?.id })
    await alice.whisper([bob], 'next')
    const [next] = await again.events(1)
    assert.equal(next?.['message'].content, 'next')
    await again.close()
  })
})
