import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import { describe, it } from 'node:test'
import { setImmediate as eventLoopTick } from 'node:timers/promises'

import { WebSocket } from 'ws'

import type { EventDelivery } from '../../../packages/core/src/events/delivery.js'
import { LiveQueue, unused } from '../../../packages/core/src/events/queues/live-queue.js'
import type { EventBatch } from '../../../packages/core/src/events/queues/shared-events.js'
import { EventSocket } from '../../../packages/core/src/events/sockets/event-socket.js'
import { FakeClock } from '../../support/fake-clock.js'
import { sampleQueue } from './sample-log.js'

const mebibyte = 1024 * 1024

/** A connection whose client reads as much as a test specifies. */
class SlowSocket extends EventEmitter {
  bufferedAmount = 0
  readonly readyState = WebSocket.OPEN
  readonly sent: Buffer[] = []
  isTerminated = false
  closedWith: number | undefined

  write(frame: Buffer): void {
    this.sent.push(frame)
    this.bufferedAmount += frame.length
  }

  ping(): void {}

  close(code: number): void {
    this.closedWith = code
    this.emit('close')
  }

  terminate(): void {
    this.isTerminated = true
    this.emit('close')
  }
}

/** A log that always has more events, each with `size` characters. */
function endless(size: number): { delivery: EventDelivery; reads: () => number } {
  let reads = 0
  const delivery = {
    collect(_: LiveQueue, cursor: number, maxCharacters: number): EventBatch {
      reads += 1
      assert.ok(maxCharacters <= 100_000, 'a frame is small compared with the limits')
      return { events: ['x'.repeat(size)], lastId: cursor + 1024, hasMore: true, parts: undefined }
    },
    ephemeralId: () => undefined,
  }
  return { delivery: delivery as unknown as EventDelivery, reads: () => reads }
}

function serve(size: number) {
  const clock = new FakeClock()
  const socket = new SlowSocket()
  const { delivery, reads } = endless(size)
  const queue = sampleQueue()
  const live = new LiveQueue(queue, unused(queue.createdSeq), clock.now())
  new EventSocket(
    socket as unknown as WebSocket,
    socket as unknown as Duplex,
    delivery,
    live,
    0,
    clock,
    45,
    () => {},
  ).start()
  return { clock, socket, live, reads }
}

describe('a WebSocket whose client is slow', () => {
  it('is not written to while more than 512 KiB are buffered, and again below 128 KiB', async () => {
    const { clock, socket, reads } = serve(300_000)
    await eventLoopTick()
    const first = reads()

    assert.equal(first, 2, 'up to the first frame above 512 KiB')
    clock.advance(10)
    socket.bufferedAmount = 150_000
    clock.advance(1)
    await eventLoopTick()
    assert.equal(reads(), first, 'not while more than 128 KiB are buffered')
    socket.bufferedAmount = 100_000
    clock.advance(1)
    await eventLoopTick()
    assert.ok(reads() > first)
    assert.ok(socket.bufferedAmount <= mebibyte / 2 + 300_000 + 200)
  })

  it('is closed after 30 seconds in which the client read nothing', async () => {
    const { clock, socket, live } = serve(600_000)
    await eventLoopTick()

    clock.advance(29)
    assert.equal(socket.isTerminated, false)
    clock.advance(2)

    assert.equal(socket.isTerminated, true)
    assert.equal(live.consumer, undefined)
  })

  it('stays open as long as the client reads', async () => {
    const { clock, socket } = serve(600_000)
    await eventLoopTick()

    for (let round = 0; round < 8; round += 1) {
      clock.advance(20)
      socket.bufferedAmount -= 10_000
      clock.advance(1)
    }

    assert.equal(socket.isTerminated, false)
  })

  it('receives no heartbeat while its client is behind', async () => {
    const { clock, socket } = serve(600_000)
    await eventLoopTick()
    const frames = socket.sent.length

    for (let second = 0; second < 60; second += 10) {
      socket.bufferedAmount -= 1000
      clock.advance(10)
    }
    await eventLoopTick()

    assert.equal(socket.sent.length, frames)
  })

  it('sets no timers after it is closed', async () => {
    const { clock, socket, reads } = serve(600_000)
    await eventLoopTick()
    const before = reads()

    socket.emit('close')
    socket.bufferedAmount = 0
    clock.advance(120)
    await eventLoopTick()

    assert.equal(reads(), before)
  })
})
