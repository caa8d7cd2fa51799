import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { createRedisRateLimitStore } from '@parley/redis'

import { databaseColumns } from '../support/databases.js'
import { until } from '../support/waiting.js'
import { ConnectedChats, type ConnectedChat } from './connected-chats.js'
import { RedisServer } from './redis-server.js'

const [column] = databaseColumns()
if (column === undefined) throw new Error('There is no database to test with.')
const database = column

const away = 'The store of rate limits is away; each process counts for itself until it is back'
const rules = {
  apiByUser: [{ windowSeconds: 3600, maxRequests: 6 }],
  loginByUsernameAndAddress: [{ windowSeconds: 3600, maxRequests: 4 }],
}

/** Two servers that count in Redis. */
async function ground() {
  const redis = await RedisServer.started()
  const chats = ConnectedChats.on(await database.create())
  const add = async (): Promise<ConnectedChat> =>
    chats.add(redis.client(), {
      polls: true,
      rateLimits: { ...rules, store: createRedisRateLimitStore(redis.client()) },
    })
  return { redis, chats, one: await add(), two: await add() }
}

async function statuses(chats: readonly ConnectedChat[], count: number): Promise<number[]> {
  const found: number[] = []
  for (let index = 0; index < count; index += 1) {
    const chat = chats[index % chats.length] as ConnectedChat
    found.push((await chat.cast.people.alice.get('/users/me')).status)
  }
  return found
}

function times(status: number, count: number): number[] {
  return Array.from({ length: count }, () => status)
}

describe('rate limits that servers share in Redis', () => {
  it('count requests and attempts to sign in at both', async () => {
    const { redis, chats, one, two } = await ground()
    await using _redis = redis
    await using _chats = chats

    assert.deepEqual(await statuses([one, two], 8), [...times(200, 6), ...times(429, 2)])
    const attempts: number[] = []
    for (const { cast } of [one, two, one, two, one, two]) {
      const form = { username: `bob@${cast.subdomain}.example`, password: 'wrong' }
      attempts.push((await cast.nobody.post('/fetch_api_key', form)).status)
    }
    assert.deepEqual(attempts, [...times(401, 4), ...times(429, 2)])
    assert.equal([...one.warnings, ...two.warnings].includes(away), false)
  })

  it('count at each of them while Redis is full or away, with one line each time', async () => {
    const { redis, chats, one, two } = await ground()
    await using _redis = redis
    await using _chats = chats
    const admin = await redis.connected()
    const linesOf = ({ warnings }: ConnectedChat): number =>
      warnings.filter((line) => line === away).length

    assert.deepEqual(await statuses([one, two], 6), times(200, 6))
    await admin.configSet('maxmemory', '1')
    // Refusing requests needs no memory.
    assert.deepEqual(await statuses([one], 1), [429])
    await admin.flushAll()
    assert.deepEqual(await statuses([one], 8), [...times(200, 6), ...times(429, 2)])
    assert.equal(linesOf(one), 1)
    await admin.configSet('maxmemory', '0')
    await admin.flushAll()
    // Its own memory would refuse requests for an hour.
    await until('the store to be back', async () => (await statuses([one], 1))[0] === 200)
    admin.destroy()

    await redis.kill()
    assert.deepEqual(await statuses([two], 8), [...times(200, 6), ...times(429, 2)])
    assert.equal(linesOf(two), 1)
  })
})
