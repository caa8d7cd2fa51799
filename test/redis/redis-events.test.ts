import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
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
const sharedKey = randomBytes(32)

/** A bus without a chat, and what it has passed on and refused. */
async function connectedBus(redis: RedisServer, databaseId = 'database', key = sharedKey) {
  const bus: EventBus = createRedisBus(redis.client())
  const received: EphemeralEvent[] = []
  const heads: string[] = []
  const refused: string[] = []
  bus.subscribe({
    onRecords() {},
    onHead: (organizationId, seq) => heads.push(`${organizationId}/${seq}`),
    onEphemeral: (passed) => received.push(passed),
  })
  await bus.connect?.(databaseId, { key, refuse: (reason) => refused.push(reason) })
  bus.follow?.(1)
  bus.follow?.(2)
  await until('the bus to be connected', () => bus.isConnected === true)
  return { bus, received, heads, refused, [Symbol.asyncDispose]: async () => bus.close() }
}

/** A message as a process with the key signs it. */
function signed(channel: string, kind: string, body: string): string {
  const code = createHmac('sha256', sharedKey).update(JSON.stringify([channel, kind, body]))
  return `${kind} ${code.digest('base64url')} ${body}`
}

interface Seen {
  readonly channel: string
  readonly text: string
}

/** The connection of an operator of Redis, who sees everything and may send anything. */
async function operator(redis: RedisServer) {
  const watcher = await redis.connected()
  const admin = await redis.connected()
  const seen: Seen[] = []
  await watcher.pSubscribe('parley:*', (text, channel) => seen.push({ channel, text }))
  const close = async (): Promise<void> => {
    watcher.destroy()
    admin.destroy()
  }
  /** A message of a kind that the sender publishes again and again. */
  const sample = (publish: () => void, isOfKind: (seen: Seen) => boolean): Promise<Seen> =>
    until('a message', async () => {
      publish()
      await admin.ping()
      return seen.find(isOfKind)
    })
  return { admin, sample, [Symbol.asyncDispose]: close }
}

const namesIn = (received: readonly EphemeralEvent[]): unknown[] =>
  received.flatMap(({ data }) => Object.values(data ?? {}))

describe('events in Redis that are in no log', () => {
  it('are passed on once, and dropped when they are older than 15 seconds', async () => {
    await using redis = await RedisServer.started()
    await using one = await connectedBus(redis)
    await using two = await connectedBus(redis)
    await using hostile = await operator(redis)
    const { channel, text } = await hostile.sample(
      () => one.bus.publishEphemeral(event),
      (seen) => seen.text.startsWith('event '),
    )
    // Sent by a bus of this test.
    const sent = JSON.parse(text.slice(text.indexOf('{'))) as { sentAt: number }
    const [seconds] = await hostile.admin.time()
    assert.ok(Math.abs(Number(seconds) * 1000 - sent.sentAt) < 15_000, 'the time of Redis')
    await until('the first events', () => two.received.length > 0)
    two.received.length = 0
    const publish = async (processId: string, changes: Record<string, unknown>): Promise<void> => {
      const named = { ...event, data: { processId } }
      const body = JSON.stringify({ ...sent, event: named, processId, ...changes })
      await hostile.admin.publish(channel, signed(channel, 'event', body))
    }
    await publish('late', { sentAt: sent.sentAt - 60_000 })
    await publish('wrong', { sentAt: 'now' })
    await publish('without a time', { sentAt: undefined })
    await publish('of another organization', { event: { ...event, organizationId: 2 } })
    await publish('of a later version', { sentAt: Number(seconds) * 1000, more: { of: 'it' } })
    await publish('again', {})
    await publish('again', {})
    await publish('last', {})

    await until('the last event', () => namesIn(two.received).includes('last'))
    assert.deepEqual(
      namesIn(two.received).filter((name) => name !== 'sample'),
      ['of a later version', 'again', 'last'],
    )
    assert.deepEqual(two.refused, ['form', 'form', 'form'])
  })

  it('are not sent if they are longer than 256 KiB, nor accepted', async () => {
    await using redis = await RedisServer.started()
    await using one = await connectedBus(redis)
    await using two = await connectedBus(redis)
    await using hostile = await operator(redis)
    const text = 'x'.repeat(256 * 1024)
    const { channel } = await hostile.sample(
      () => {
        one.bus.publishEphemeral({ ...event, data: { text } })
        one.bus.publishEphemeral(event)
      },
      (seen) => seen.text.startsWith('event '),
    )
    await hostile.admin.publish(channel, signed(channel, 'event', JSON.stringify({ text })))

    await until('the refusal', () => two.refused.length > 0)
    assert.deepEqual(two.refused, ['size'])
    assert.deepEqual([...new Set(namesIn(two.received))], ['sample'])
  })
})

describe('messages in Redis', () => {
  it('are accepted only in their channel, as their kind, unchanged and with the same key', async () => {
    await using redis = await RedisServer.started()
    await using one = await connectedBus(redis)
    await using two = await connectedBus(redis)
    await using otherDatabase = await connectedBus(redis, 'other')
    await using otherKey = await connectedBus(redis, 'database', randomBytes(32))
    await using hostile = await operator(redis)
    const record = { organizationId: 1, seq: 7, kind: 'message', data: {} }
    const head = await hostile.sample(
      () => one.bus.publishRecords(1, [record as never]),
      (seen) => seen.text.startsWith('head '),
    )
    const sent = await hostile.sample(
      () => one.bus.publishEphemeral(event),
      (seen) => seen.text.startsWith('event '),
    )
    const beat = await hostile.sample(
      () => {},
      (seen) => seen.text.startsWith('beat ') && seen.channel.includes(':database:'),
    )
    await until('what was published', () => two.heads.length > 0 && two.received.length > 0)
    const counts = { heads: two.heads.length, received: two.received.length }
    const channels = ['parley:database:1', 'parley:database:2', 'parley:other:1', beat.channel]
    const hasOwnForm = (channel: string, text: string): boolean =>
      [head, sent, beat].some((one) => one.channel === channel && one.text === text)
    let published = 0
    for (const { text } of [head, sent, beat]) {
      const [kind = '', code = '', ...rest] = text.split(' ')
      const body = rest.join(' ')
      const forms = [
        ...['head', 'event', 'beat'].map((other) => `${other} ${code} ${body}`),
        `${kind} ${code} ${body.replace(/\d/, (digit) => String((Number(digit) + 1) % 10))}`,
        `${kind} ${code} ${body} `,
        `${kind}  ${code} ${body}`,
        body,
      ]
      for (const channel of channels) {
        for (const form of forms.filter((other) => !hasOwnForm(channel, other))) {
          await hostile.admin.publish(channel, form)
          published += 1
        }
      }
    }
    one.bus.publishRecords(1, [{ ...record, seq: 8 } as never])

    await until('the last record', () => two.heads.includes('1/8'))
    assert.ok(published > 50, String(published))
    assert.deepEqual(two.heads.slice(counts.heads), ['1/8'])
    assert.equal(two.received.length, counts.received)
    assert.deepEqual([...new Set(two.refused)], ['authentication'])
    assert.deepEqual([...otherDatabase.heads, ...otherDatabase.received], [])
    assert.deepEqual([...otherKey.heads, ...otherKey.received], [])
    await until('a refusal of the other key', () => otherKey.refused.includes('authentication'))
  })
})
