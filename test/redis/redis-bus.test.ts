import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { databaseColumns, type DatabaseColumn } from '../support/databases.js'
import { until, within } from '../support/waiting.js'
import { ConnectedChats } from './connected-chats.js'
import { RedisServer } from './redis-server.js'

const messages = { event_types: ['message'] }

async function ground(column: DatabaseColumn) {
  const redis = await RedisServer.started()
  const chats = ConnectedChats.on(await column.create())
  return { redis, chats }
}

for (const column of databaseColumns()) {
  describe(`a Redis bus (${column.title})`, () => {
    it('wakes clients that wait at other processes, which do not poll', async () => {
      const { redis, chats } = await ground(column)
      await using _redis = redis
      await using _chats = chats
      const one = await chats.add(redis.client())
      const two = await chats.add(redis.client())
      const feed = await two.cast.people.bob.listen(messages)
      assert.equal(two.bus.isConnected, true)

      const received = feed.until('the message', ({ message }) => message?.content === 'hi')
      await one.cast.people.alice.whisper([one.cast.people.bob], 'hi')

      assert.equal((await within('the message', received)).length, 1)
      assert.deepEqual(two.warnings, [])
    })

    it('carries typing notifications, and each of them once', async () => {
      const { redis, chats } = await ground(column)
      await using _redis = redis
      await using _chats = chats
      const one = await chats.add(redis.client())
      const two = await chats.add(redis.client())
      const feeds = [
        await one.cast.people.bob.listen({ event_types: ['typing'] }),
        await two.cast.people.bob.listen({ event_types: ['typing'] }),
      ]

      const bob = one.cast.people.bob
      await one.cast.people.alice.post('/typing', { op: 'start', type: 'direct', to: [bob.id] })

      for (const feed of feeds) {
        const isTyping = ({ type }: { type: string }): boolean => type === 'typing'
        const events = await feed.until('the notification', isTyping)
        assert.deepEqual([...events, ...(await feed.drain())].filter(isTyping).length, 1)
      }
    })

    it('stays subscribed to an organization that is followed again at once', async () => {
      const { redis, chats } = await ground(column)
      await using _redis = redis
      await using _chats = chats
      const one = await chats.add(redis.client())
      const two = await chats.add(redis.client())
      const feed = await two.cast.people.bob.listen({ event_types: ['typing'] })
      const watcher = await redis.connected()
      const channel = await until('the channel', async () =>
        (await watcher.pubSubChannels('parley:*')).find((name) => !name.includes(':process:')),
      )
      const organizationId = Number(channel.split(':').at(-1))

      two.bus.unfollow?.(organizationId)
      two.bus.follow?.(organizationId)

      const { alice, bob } = one.cast.people
      await until('a notification', async () => {
        await alice.post('/typing', { op: 'start', type: 'direct', to: [bob.id] })
        return (await feed.drain()).length > 0
      })
      watcher.destroy()
    })

    it('transmits no text of a message', async () => {
      const { redis, chats } = await ground(column)
      await using _redis = redis
      await using _chats = chats
      const watcher = await redis.connected()
      const seen: string[] = []
      await watcher.pSubscribe('*', (text, channel) => seen.push(`${channel} ${text}`))
      const one = await chats.add(redis.client())
      const two = await chats.add(redis.client())
      const feed = await two.cast.people.bob.listen(messages)

      await one.cast.people.alice.whisper([one.cast.people.bob], 'for nobody else')
      await feed.drain()

      await until('the number of the log', () =>
        seen.some((line) => /^parley:[\w-]+:\d+ head [\w-]{43} \d+$/.test(line)),
      )
      assert.equal(
        seen.some((line) => line.includes('for nobody else')),
        false,
      )
      watcher.destroy()
    })

    it('ignores everything that no process of the chat has sent', async () => {
      const { redis, chats } = await ground(column)
      await using _redis = redis
      await using _chats = chats
      const one = await chats.add(redis.client())
      const two = await chats.add(redis.client())
      const feed = await two.cast.people.bob.listen({ event_types: ['message', 'typing'] })
      const publisher = await redis.connected()
      const channel = await until('the channel', async () =>
        (await publisher.pubSubChannels('parley:*')).find((name) => !name.includes(':process:')),
      )

      const organizationId = Number(channel.split(':').at(-1))
      const { alice, bob } = two.cast.people
      const person = { user_id: alice.id, email: alice.email }
      const data = { message_type: 'direct', sender: person, recipients: [person] }
      const event = { organizationId, kind: 'typing/start', userIds: [bob.id], data }
      const sent = JSON.stringify({ processId: 'x', count: 1, sentAt: 2 ** 42, event })
      for (const text of [
        '0',
        '999999999',
        '1'.repeat(400),
        '-1',
        '{',
        'null',
        '[]',
        sent,
        `event ${'x'.repeat(43)} ${sent}`,
        `head ${'x'.repeat(43)} 999999999`,
      ]) {
        await publisher.publish(channel, text)
      }
      await one.cast.people.alice.whisper([one.cast.people.bob], 'after')

      const events = await feed.until('the message', ({ message }) =>
        message?.content.includes('after'),
      )
      assert.deepEqual(
        events.map(({ message }) => message?.content),
        ['after'],
      )
      assert.deepEqual(two.warnings, ['Messages of the event bus were not accepted'])
      publisher.destroy()
    })

    it('separates products that share a server and a prefix', async () => {
      const { redis, chats } = await ground(column)
      await using _redis = redis
      await using _chats = chats
      await using others = ConnectedChats.on(await column.create())
      const here = await chats.add(redis.client())
      const there = await others.add(redis.client())
      const feed = await there.cast.people.bob.listen({ event_types: ['typing'] })

      const { alice, bob } = here.cast.people
      await alice.post('/typing', { op: 'start', type: 'direct', to: [bob.id] })
      await alice.whisper([bob], 'here')

      assert.deepEqual(await feed.drain(), [])
    })
  })
}
