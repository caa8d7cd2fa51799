import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { RateLimitStore } from '@parley/core'
import { createRedisRateLimitStore, type RedisClient } from '@parley/redis'

import { databaseColumns } from '../support/databases.js'
import { until, within } from '../support/waiting.js'
import { ConnectedChats, type ConnectedChat } from './connected-chats.js'
import { MessageStream } from './message-stream.js'
import { RedisCluster } from './redis-cluster.js'
import { RedisWithSentinel } from './redis-sentinel.js'
import { RedisServer } from './redis-server.js'

const [column] = databaseColumns()
if (column === undefined) throw new Error('There is no database to test with.')
const database = column

const limit = {
  key: 'apiByUser/1/1',
  rules: [{ windowSeconds: 3600, maxRequests: 1000 }],
  isPaced: false,
}

/** A message and a typing notification arrive at a server that does not poll. */
async function assertConnected(one: ConnectedChat, two: ConnectedChat): Promise<void> {
  const { alice, bob } = one.cast.people
  const feed = await two.cast.people.bob.listen({ event_types: ['message', 'typing'] })
  await until('the bus', () => one.bus.isConnected === true && two.bus.isConnected === true)

  const message = feed.until('the message', ({ type }) => type === 'message')
  await alice.whisper([bob], 'hi')
  await within('the message', message)
  // Those of the moment in which a connection is opened anew are lost.
  await until('a notification', async () => {
    await alice.post('/typing', { op: 'start', type: 'direct', to: [bob.id] })
    return (await feed.drain()).some(({ type }) => type === 'typing')
  })
}

async function connectedStore(client: RedisClient): Promise<RateLimitStore & AsyncDisposable> {
  const store = createRedisRateLimitStore(client)
  await store.connect?.('a database')
  return Object.assign(store, { [Symbol.asyncDispose]: async () => store.close?.() })
}

function untilCounting(store: RateLimitStore): Promise<unknown> {
  return until('the store', () => store.consume(limit).catch(() => undefined))
}

/** Two stores on one Redis count together. */
async function assertCountsTogether(first: RedisClient, second: RedisClient): Promise<void> {
  await using one = await connectedStore(first)
  await using two = await connectedStore(second)

  assert.equal((await one.consume(limit)).remaining, 999)
  assert.equal((await two.consume(limit)).remaining, 998)
  await one.refund(limit)
  assert.equal((await two.consume(limit)).remaining, 998)
}

describe('a Redis Cluster', () => {
  it('connects servers that do not poll, and counts for them together', async () => {
    await using cluster = await RedisCluster.started()
    await using chats = ConnectedChats.on(await database.create())
    const one = await chats.add(cluster.client())
    const two = await chats.add(cluster.client())

    await assertConnected(one, two)
    await assertCountsTogether(cluster.client(), cluster.client())
    assert.deepEqual([...one.warnings, ...two.warnings], [])
  })

  it('loses nothing while each of its nodes is killed and started again', async () => {
    await using cluster = await RedisCluster.started()
    await using chats = ConnectedChats.on(await database.create())
    const one = await chats.add(cluster.client(), { polls: true })
    const two = await chats.add(cluster.client(), { polls: true })
    const stream = await MessageStream.between(one, two)
    await using store = await connectedStore(cluster.client())

    for (const node of cluster.nodes) {
      await stream.send(2)
      await node.kill()
      await stream.send(3)
      await stream.assertComplete()
      await node.start()
      await until('the bus', () => one.bus.isConnected === true && two.bus.isConnected === true)
      await untilCounting(store)
    }
    await stream.send(2)
    await stream.assertComplete()
    await assertConnected(one, two)
  })
})

describe('a Redis with a sentinel', () => {
  it('connects servers that do not poll, and counts for them together', async () => {
    await using redis = await RedisWithSentinel.started()
    await using chats = ConnectedChats.on(await database.create())
    const one = await chats.add(redis.client())
    const two = await chats.add(redis.client())

    await assertConnected(one, two)
    await assertCountsTogether(redis.client(), redis.client())
    assert.deepEqual([...one.warnings, ...two.warnings], [])
  })

  it('loses nothing when the replica takes over, and is connected to it', async () => {
    await using redis = await RedisWithSentinel.started()
    await using chats = ConnectedChats.on(await database.create())
    const one = await chats.add(redis.client(), { polls: true })
    const two = await chats.add(redis.client(), { polls: true })
    const stream = await MessageStream.between(one, two)
    await using store = await connectedStore(redis.client())

    await stream.send(3)
    await Promise.all([redis.failOver(), stream.send(5)])
    await stream.send(3)
    await stream.assertComplete()
    await assertConnected(one, two)
    await untilCounting(store)
  })
})

describe('a Redis that has no memory left', () => {
  it('connects servers that do not poll', async () => {
    await using redis = await RedisServer.started(['--maxmemory-policy', 'noeviction'])
    await using chats = ConnectedChats.on(await database.create())
    const admin = await redis.connected()
    await admin.configSet('maxmemory', '1')
    const one = await chats.add(redis.client())
    const two = await chats.add(redis.client())

    await assert.rejects(admin.set('key', 'value'), /OOM/)
    await assertConnected(one, two)
    assert.deepEqual([...one.warnings, ...two.warnings], [])
    admin.destroy()
  })
})
