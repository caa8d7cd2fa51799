import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { databaseColumns } from '../support/databases.js'
import { until } from '../support/waiting.js'
import { ConnectedChats } from './connected-chats.js'
import { RedisServer } from './redis-server.js'
import { SlowProxy } from './slow-proxy.js'

const [column] = databaseColumns()
if (column === undefined) throw new Error('There is no database to test with.')
const database = column

const disconnected = 'The event bus is not connected; the event log is polled instead'

describe('a Redis bus with a slow server', () => {
  it('loses and repeats nothing, and counts as connected again when it is faster', async () => {
    await using redis = await RedisServer.started()
    await using proxy = await SlowProxy.before(redis.port)
    await using chats = ConnectedChats.on(await database.create())
    const one = await chats.add(redis.client(proxy.port), { polls: true })
    const two = await chats.add(redis.client(proxy.port), { polls: true })
    const { alice, bob } = one.cast.people
    const feed = await two.cast.people.bob.listen({ event_types: ['message'] })
    const sent: string[] = []
    const send = async (count: number): Promise<void> => {
      for (let index = 0; index < count; index += 1) {
        const content = `message ${sent.length}`
        await alice.whisper([bob], content)
        sent.push(content)
      }
    }

    proxy.delayMilliseconds = 200
    await send(3)
    // A heartbeat takes ten seconds, and is dead after two and a half.
    proxy.delayMilliseconds = 5000
    await until('the chat to log it', () => two.warnings.includes(disconnected))
    await send(3)
    proxy.delayMilliseconds = 0
    await until('the bus to be connected', () => two.bus.isConnected === true)
    await send(3)

    const received: string[] = []
    while (received.length < sent.length) {
      const events = await feed.until('a message', ({ type }) => type === 'message')
      received.push(
        ...events.flatMap(({ message }) => (message === undefined ? [] : [message.content])),
      )
    }
    assert.deepEqual(received, sent)
    assert.deepEqual([...new Set(two.warnings)], [disconnected])
  })
})
