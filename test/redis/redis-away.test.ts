import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { CuttingProxy } from '../client/cutting-proxy.js'
import { databaseColumns, type DatabaseColumn } from '../support/databases.js'
import { until } from '../support/waiting.js'
import { ConnectedChats, type ConnectedChat } from './connected-chats.js'
import { MessageStream } from './message-stream.js'
import { RedisServer } from './redis-server.js'

const disconnected = 'The event bus is not connected; the event log is polled instead'

/** Two servers on one database, which poll as fast as they do in production. */
async function pair(
  column: DatabaseColumn,
  redis: RedisServer,
  port = redis.port,
): Promise<{ chats: ConnectedChats; one: ConnectedChat; two: ConnectedChat }> {
  const chats = ConnectedChats.on(await column.create())
  const one = await chats.add(redis.client(port), { polls: true })
  const two = await chats.add(redis.client(port), { polls: true })
  return { chats, one, two }
}

function untilConnected({ bus }: ConnectedChat): Promise<true> {
  return until('the bus to be connected', () => bus.isConnected === true)
}

/** The chat looks once a second whether the bus is connected. */
function untilDisconnected({ bus, warnings }: ConnectedChat): Promise<true> {
  return until(
    'the chat to log that the bus is not connected',
    () => bus.isConnected === false && warnings.includes(disconnected),
  )
}

/** Nothing else is logged, and not once for each message. A slow machine may lose the bus twice. */
function assertOnlyDisconnected({ warnings }: ConnectedChat): void {
  assert.deepEqual([...new Set(warnings)], [disconnected])
  assert.ok(warnings.length < 5, `logged ${warnings.length} times`)
}

for (const column of databaseColumns()) {
  describe(`a Redis bus without its server (${column.title})`, () => {
    it('starts without it, and uses it once it is there', async () => {
      await using redis = await RedisServer.create()
      const { chats, one, two } = await pair(column, redis)
      await using _chats = chats
      const stream = await MessageStream.between(one, two)

      await stream.send(3)
      await stream.assertComplete()
      assert.equal(two.bus.isConnected, false)
      await redis.start()
      await Promise.all([untilConnected(one), untilConnected(two)])
      await stream.send(3)
      await stream.assertComplete()

      assertOnlyDisconnected(two)
    })

    it('loses nothing while it is killed, flushed and started again', async () => {
      await using redis = await RedisServer.started()
      const { chats, one, two } = await pair(column, redis)
      await using _chats = chats
      const stream = await MessageStream.between(one, two)

      await stream.send(2)
      await redis.kill()
      await Promise.all([stream.send(3), untilDisconnected(two)])
      await stream.assertComplete()
      await redis.start()
      await Promise.all([stream.send(3), untilConnected(one), untilConnected(two)])
      const admin = await redis.connected()
      await admin.flushAll()
      await stream.send(3)
      await stream.assertComplete()

      assertOnlyDisconnected(two)
      admin.destroy()
    })

    it('polls while the server is stopped, and sends no typing notifications of that time later', async () => {
      await using redis = await RedisServer.started()
      const { chats, one, two } = await pair(column, redis)
      await using _chats = chats
      const stream = await MessageStream.between(one, two)
      const typing = await two.cast.people.bob.listen({ event_types: ['typing'] })
      const { alice, bob } = one.cast.people
      const type = (op: 'start' | 'stop') =>
        alice.post('/typing', { op, type: 'direct', to: [bob.id] })

      redis.pause()
      // It is sent before the pause is noticed. Redis passes it on afterwards, before or after it
      // answers heartbeats; it is still true for fifteen seconds.
      await type('start')
      await Promise.all([stream.send(3), untilDisconnected(one), untilDisconnected(two)])
      await type('stop')
      await stream.assertComplete()
      redis.continue()
      await Promise.all([untilConnected(one), untilConnected(two)])
      await stream.send(3)
      await stream.assertComplete()

      const late = (await typing.drain()).filter(({ op }) => op !== 'start')
      assert.deepEqual(late, [], 'what was sent without a connection')
      assertOnlyDisconnected(two)
    })

    it('connects again after every cut', async () => {
      await using redis = await RedisServer.started()
      const proxy = await CuttingProxy.before(`http://127.0.0.1:${redis.port}`)
      const port = Number(new URL(proxy.origin).port)
      const { chats, one, two } = await pair(column, redis, port)
      await using _chats = chats
      const stream = await MessageStream.between(one, two)

      for (let cut = 0; cut < 5; cut += 1) {
        await untilConnected(two)
        proxy.cut()
        await stream.send(4)
      }
      await stream.assertComplete()
      await untilConnected(two)

      await proxy.close()
    })
  })
}

describe('a Redis bus that is closed', () => {
  it('has closed its connections, and leaves those of the product open', async () => {
    await using redis = await RedisServer.started()
    const [column] = databaseColumns()
    if (column === undefined) throw new Error('There is no database to test with.')
    const own = await redis.connected()
    {
      await using chats = ConnectedChats.on(await column.create())
      await chats.add(own)
      assert.equal(await redis.countConnections(own), 3)
    }

    await until(
      'the end of the connections of the bus',
      async () => (await redis.countConnections(own)) === 1,
    )
    assert.equal(await own.ping(), 'PONG')
    own.destroy()
  })
})
