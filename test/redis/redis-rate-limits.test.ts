import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { RateLimitKey, RateLimitStore } from '@parley/core'
import { createRedisRateLimitStore } from '@parley/redis'

import { ProcessCounts } from '../../packages/core/src/http/limits/rate-limit-store.js'
import { until } from '../support/waiting.js'
import { RedisServer } from './redis-server.js'

const hour = { windowSeconds: 3600, maxRequests: 5 }
const day = { windowSeconds: 86_400, maxRequests: 8 }

function limit(key: string, rules = [hour], isPaced = false): RateLimitKey {
  return { key, rules, isPaced }
}

async function connectedStore(
  redis: RedisServer,
  databaseId = 'one',
): Promise<RateLimitStore & AsyncDisposable> {
  const store = createRedisRateLimitStore(redis.client())
  await store.connect?.(databaseId)
  return Object.assign(store, { [Symbol.asyncDispose]: async () => store.close?.() })
}

describe('rate limits in Redis', () => {
  it('count as a process does in its memory, over random histories', async () => {
    await using redis = await RedisServer.started()
    await using one = await connectedStore(redis)
    await using two = await connectedStore(redis)
    const model = new ProcessCounts({ now: () => Date.now() })
    const random = randomOf(20)
    const keys = [
      limit('apiByUser/1/1'),
      limit('loginByAddress/1/2', [hour, day]),
      limit('longPollByUser/1/1', [hour], true),
      limit('longPollByUser/1/2', [hour, day], true),
    ]

    for (let step = 0; step < 600; step += 1) {
      const key = keys[random(keys.length)] as RateLimitKey
      const store = random(2) === 0 ? one : two
      const action = random(20)
      if (action === 0) {
        await store.forget(key)
        model.forget(key)
      } else if (action < 5) {
        await store.refund(key)
        model.refund(key)
      } else {
        const actual = await store.consume(key)
        const expected = model.consume(key)
        assert.equal(actual.remaining, expected.remaining, `step ${step}: ${key.key}`)
        assertNear(actual.retryAfterMilliseconds ?? 0, expected.retryAfterMilliseconds ?? 0)
        assertNear(actual.fullAfterMilliseconds, expected.fullAfterMilliseconds)
      }
    }
  })

  it('allow requests again after the window, and leave nothing behind', async () => {
    await using redis = await RedisServer.started()
    await using store = await connectedStore(redis)
    const admin = await redis.connected()
    const short = [{ windowSeconds: 0.3, maxRequests: 2 }]

    for (const isPaced of [false, true]) {
      const key = limit(`apiByUser/1/${isPaced}`, short, isPaced)
      for (let count = 0; count < 2; count += 1) {
        assert.equal((await store.consume(key)).retryAfterMilliseconds, 0)
      }
      const refused = await store.consume(key)
      if ((refused.retryAfterMilliseconds ?? 0) > 0) assert.equal(refused.remaining, 0)
      await until('an allowed request', async () => {
        return (await store.consume(key)).retryAfterMilliseconds === 0
      })
    }

    await until('the end of the keys', async () => (await admin.dbSize()) === 0)
    admin.destroy()
  })

  it('are apart for products that share a server', async () => {
    await using redis = await RedisServer.started()
    await using one = await connectedStore(redis, 'one')
    await using two = await connectedStore(redis, 'two')

    await one.consume(limit('apiByUser/1/1'))

    assert.equal((await two.consume(limit('apiByUser/1/1'))).remaining, 4)
    await assert.rejects(async () => one.connect?.('two'), /Create one Redis store/)
  })

  it('go on after the scripts were flushed, and after the server was replaced', async () => {
    await using redis = await RedisServer.started()
    await using store = await connectedStore(redis)
    const admin = await redis.connected()
    await store.consume(limit('apiByUser/1/1'))

    await admin.sendCommand(['SCRIPT', 'FLUSH'])
    assert.equal((await store.consume(limit('apiByUser/1/1'))).remaining, 3)
    admin.destroy()
    await redis.kill()
    await assert.rejects(store.consume(limit('apiByUser/1/1')))
    await redis.start()

    const outcome = await until('the store to be back', () =>
      store.consume(limit('apiByUser/1/1')).catch(() => undefined),
    )
    assert.equal(outcome.remaining, 4)
  })

  it('open the connection anew when Redis does not answer', async () => {
    await using redis = await RedisServer.started()
    await using store = await connectedStore(redis)
    const admin = await redis.connected()
    const before = await redis.countConnections(admin)
    redis.pause()
    let failure: unknown
    const waiting = store.consume(limit('apiByUser/1/1')).catch((error: unknown) => {
      failure = error
    })

    // Each call checks for how long Redis has not answered, also if so many wait that it fails.
    await until('the connection to be given up', () => {
      if (failure === undefined) store.forget(limit('apiByUser/1/2')).catch(() => {})
      return failure !== undefined
    })
    await waiting

    assert.ok(failure instanceof Error)
    redis.continue()
    await until('the store to be back', () =>
      store.consume(limit('apiByUser/1/3')).catch(() => undefined),
    )
    await until(
      'the end of the old connection',
      async () => (await redis.countConnections(admin)) === before,
    )
    admin.destroy()
  })
})

/** The same numbers at every run. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** The two clocks are read at different times, and Redis rounds. */
function assertNear(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < 60_000, `${actual} instead of ${expected}`)
}
