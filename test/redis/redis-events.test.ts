import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { EphemeralEvent, EventBus } from '@parley/core'
import { createRedisBus } from '@parley/redis'

import { until } from '../support/waiting.js'
import { RedisServer } from './redis-server.js'

const event: EphemeralEvent = {
  organizationId: 1,
  kind: 'typing/start',
  userIds: [7],
  data: { name: 'sample' },
}

/** A bus without a chat, and the events that it has passed on. */
async function connectedBus(
  redis: RedisServer,
): Promise<{ bus: EventBus & AsyncDisposable; received: EphemeralEvent[] }> {
  const bus = createRedisBus(redis.client())
  const received: EphemeralEvent[] = []
  bus.subscribe({
    onRecords() {},
    onHead() {},
    onEphemeral: (passed) => received.push(passed),
  })
  await bus.connect?.('database')
  bus.follow?.(1)
  await until('the bus to be connected', () => bus.isConnected === true)
  return {
    bus: Object.assign(bus, { [Symbol.asyncDispose]: async () => bus.close() }),
    received,
  }
}

describe('events in Redis that are in no log', () => {
  it('are passed on once, and dropped when they are older than 15 seconds', async () => {
    await using redis = await RedisServer.started()
    const one = await connectedBus(redis)
    await using _one = one.bus
    const two = await connectedBus(redis)
    await using _two = two.bus
    const watcher = await redis.connected()
    const admin = await redis.connected()
    const seen: { channel: string; text: string }[] = []
    await watcher.pSubscribe('parley:*', (text, channel) => seen.push({ channel, text }))

    const sample = await until('an event with the time of Redis', async () => {
      one.bus.publishEphemeral(event)
      await admin.ping()
      return seen.find(({ text }) => text.includes('sentAt'))
    })
    // Sent by a bus of this test.
    const sent = JSON.parse(sample.text) as { sentAt: number }
    const [seconds] = await admin.time()
    assert.ok(Math.abs(Number(seconds) * 1000 - sent.sentAt) < 15_000, 'the time of Redis')
    await until('the first events', () => two.received.length > 0)
    two.received.length = 0
    const publish = async (processId: string, changes: Record<string, unknown>): Promise<void> => {
      const named = { ...event, data: { processId } }
      const text = JSON.stringify({ ...sent, event: named, processId, ...changes })
      await admin.publish(sample.channel, text)
    }
    await publish('late', { sentAt: sent.sentAt - 60_000 })
    await publish('wrong', { sentAt: 'now' })
    await publish('of an earlier version', { sentAt: undefined })
    await publish('of a later version', { sentAt: Number(seconds) * 1000, more: { of: 'it' } })
    await publish('again', { sentAt: undefined })
    await publish('again', { sentAt: undefined })
    await publish('last', { sentAt: undefined })

    const names = (): unknown[] => two.received.flatMap(({ data }) => Object.values(data ?? {}))
    await until('the last event', () => names().includes('last'))
    assert.deepEqual(
      names().filter((name) => name !== 'sample'),
      ['of an earlier version', 'of a later version', 'again', 'last'],
    )
    watcher.destroy()
    admin.destroy()
  })
})
