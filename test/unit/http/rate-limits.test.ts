import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { ChatError } from '../../../packages/core/src/errors/index.js'
import {
  RateLimiter,
  type RateLimitedCall,
  type RateLimitRules,
  type RateLimitsOption,
} from '../../../packages/core/src/http/index.js'
import { requireUserLimit } from '../../../packages/core/src/http/limits/counted-limits.js'
import { textKey } from '../../../packages/core/src/kernel/limit-keys.js'
import { silentLogger } from '../../../packages/core/src/kernel/logger.js'
import { ask } from './sample-request.js'
import { member, organization, SampleChat } from './sample-server.js'

const threeAMinute: Partial<RateLimitRules> = {
  apiByUser: [{ windowSeconds: 60, maxRequests: 3 }],
  apiByAddress: [{ windowSeconds: 60, maxRequests: 2 }],
  longPollByUser: [{ windowSeconds: 60, maxRequests: 3 }],
}

describe('requests under a limit', () => {
  it('return the remaining number and when the limit is reset', async () => {
    const chat = new SampleChat({}, threeAMinute)
    await ask(chat, 'GET /samples')
    chat.time += 1500

    const { headers } = await ask(chat, 'GET /samples')

    assert.equal(headers['X-RateLimit-Limit'], '3')
    assert.equal(headers['X-RateLimit-Remaining'], '1')
    assert.equal(headers['X-RateLimit-Reset'], '1700000062')
  })

  it('return that also if they fail for another reason', async () => {
    const chat = new SampleChat({}, threeAMinute)
    const { status, headers } = await ask(chat, 'GET /samples', { query: 'count=x' })
    assert.equal(status, 400)
    assert.equal(headers['X-RateLimit-Remaining'], '2')
  })

  it('do not count if their credentials are invalid', async () => {
    const chat = new SampleChat({}, threeAMinute)
    chat.credentialError = new ChatError('INVALID_API_KEY')
    const { headers } = await ask(chat, 'GET /samples')
    assert.equal('X-RateLimit-Limit' in headers, false)
  })
})

describe('requests above a limit', () => {
  it('are rejected until the first one is older than the window', async () => {
    const chat = new SampleChat({}, threeAMinute)
    for (let index = 0; index < 3; index += 1) {
      await ask(chat, 'GET /samples')
      chat.time += 1250
    }

    const { status, headers, body } = await ask(chat, 'GET /samples')

    assert.equal(status, 429)
    assert.equal(headers['Retry-After'], '57')
    assert.equal(headers['X-RateLimit-Remaining'], '0')
    assert.deepEqual(body, {
      result: 'error',
      msg: 'API usage exceeded rate limit',
      code: 'RATE_LIMIT_HIT',
      'retry-after': 56.25,
    })
    chat.time += 56_249
    assert.equal((await ask(chat, 'GET /samples')).status, 429)
    chat.time += 1
    assert.equal((await ask(chat, 'GET /samples')).status, 200)
    assert.equal((await ask(chat, 'GET /samples')).status, 429)
  })

  it('are counted per user and organization', async () => {
    const chat = new SampleChat({}, threeAMinute)
    for (let index = 0; index < 4; index += 1) await ask(chat, 'GET /samples')

    assert.equal((await ask(chat, 'GET /samples')).status, 429)
    chat.actor = { ...member, userId: 8 }
    assert.equal((await ask(chat, 'GET /samples')).status, 200)
    chat.actor = { ...member, organizationId: 2 }
    chat.organization = { ...organization, id: 2 }
    assert.equal((await ask(chat, 'GET /samples')).status, 200)
  })

  it('are rejected after missing credentials and before roles and parameters', async () => {
    const chat = new SampleChat({}, threeAMinute)
    for (let index = 0; index < 3; index += 1) await ask(chat, 'GET /samples')

    assert.equal((await ask(chat, 'POST /administrators')).status, 429)
    chat.actor = undefined
    assert.equal((await ask(chat, 'GET /samples')).status, 401)
  })

  it('without credentials are counted by address if the operation declares that', async () => {
    const chat = new SampleChat({}, threeAMinute)
    for (let index = 0; index < 2; index += 1) await ask(chat, 'GET /anyone')

    assert.equal((await ask(chat, 'GET /anyone')).status, 429)
    assert.equal((await ask(chat, 'GET /anyone', { remoteAddress: '192.0.2.2' })).status, 200)
    assert.equal((await ask(chat, 'GET /server')).status, 200)
  })

  it('are counted together for all addresses with the same first 64 bits', async () => {
    const chat = new SampleChat({}, threeAMinute)
    const from = async (remoteAddress: string): Promise<number> =>
      (await ask(chat, 'GET /anyone', { remoteAddress })).status

    assert.deepEqual([await from('2001:db8::1'), await from('2001:db8::2')], [200, 200])
    assert.equal(await from('2001:db8:0:0:ffff::3'), 429)
    assert.equal(await from('2001:db8:0:1::3'), 200)
  })

  it('are allowed if limits are off', async () => {
    const chat = new SampleChat({}, 'off')
    for (let index = 0; index < 300; index += 1) {
      const { status, headers } = await ask(chat, 'GET /samples')
      assert.equal(status, 200)
      assert.equal('X-RateLimit-Limit' in headers, false)
    }
  })
})

describe('rules of the application', () => {
  const rule = (maxRequests: number) => [{ windowSeconds: 60, maxRequests }]
  const statuses = async (chat: SampleChat, route: string, count: number): Promise<number[]> => {
    const found: number[] = []
    for (let index = 0; index < count; index += 1) found.push((await ask(chat, route)).status)
    return found
  }

  it('get the operation, the role and the organization, and replace the usual ones', async () => {
    const calls: RateLimitedCall[] = []
    const chat = new SampleChat(
      {},
      {
        rules: (call) => {
          calls.push(call)
          return call.role === member.role ? { all: rule(2) } : undefined
        },
      },
    )

    assert.deepEqual(await statuses(chat, 'GET /samples', 3), [200, 200, 429])
    assert.deepEqual(calls[0], {
      operation: 'get-samples',
      role: member.role,
      isBot: false,
      organization: organization.subdomain,
    })
    chat.actor = { ...member, userId: 8, role: 200 }
    const { headers } = await ask(chat, 'GET /samples')
    assert.equal(headers['X-RateLimit-Limit'], '200')
  })

  it('limit single operations in addition, and count a refused request nowhere', async () => {
    const chat = new SampleChat(
      {},
      {
        apiByUser: rule(4),
        rules: ({ operation }) =>
          operation === 'get-samples' ? { operation: rule(2) } : undefined,
      },
    )

    assert.deepEqual(await statuses(chat, 'GET /samples', 3), [200, 200, 429])
    assert.deepEqual(await statuses(chat, 'GET /humans', 3), [200, 200, 429])
    chat.time += 60_000
    const { headers } = await ask(chat, 'GET /samples')
    assert.equal(headers['X-RateLimit-Remaining'], '1')
  })

  it('fail the request if they are invalid', async () => {
    // The type forbids it, applications in plain JavaScript do not.
    const rules = (() => ({ all: 3 })) as unknown as NonNullable<RateLimitsOption['rules']>
    const chat = new SampleChat({}, { rules })

    assert.equal((await ask(chat, 'GET /samples')).status, 500)
    assert.match(JSON.stringify(chat.log), /An operation failed/)
  })
})

describe('long polls', () => {
  it('have a separate limit and wait until one request is allowed', async () => {
    const chat = new SampleChat({}, threeAMinute)
    const poll = async (): Promise<number> =>
      (await ask(chat, 'GET /wait', { query: 'dont_block=true' })).status
    for (let index = 0; index < 3; index += 1) assert.equal(await poll(), 200)

    assert.equal(await poll(), 429)
    assert.equal((await ask(chat, 'GET /samples')).status, 200)
    chat.time += 20_000
    assert.equal(await poll(), 200)
    assert.equal(await poll(), 429)
  })

  it('that have waited carry no rate limit headers', async () => {
    const chat = new SampleChat({}, threeAMinute)
    const immediate = await ask(chat, 'GET /wait', { query: 'dont_block=true' })
    const delayed = await ask(chat, 'GET /wait', { signal: AbortSignal.abort() })
    assert.equal(immediate.headers['X-RateLimit-Remaining'], '2')
    assert.equal('X-RateLimit-Remaining' in delayed.headers, false)
  })
})

describe('a limiter', () => {
  function limiterAt(clock: { time: number }, rules?: Partial<RateLimitRules>): RateLimiter {
    const setTimeout = (): never => {
      throw new Error('No timers here')
    }
    return new RateLimiter({ now: () => clock.time, setTimeout }, silentLogger, rules)
  }
  const hit = (error: unknown): boolean =>
    error instanceof ChatError && error.kind === 'RATE_LIMIT_HIT'

  it('rejects the sixth login attempt, until one succeeds', async () => {
    const limiter = limiterAt({ time: 0 })
    const attempt = () => limiter.require('loginByUsernameAndAddress', 1, textKey('a'))
    for (let index = 0; index < 5; index += 1) await attempt()

    await assert.rejects(attempt, hit)
    await limiter.require('loginByUsernameAndAddress', 2, textKey('a'))
    await limiter.forget('loginByUsernameAndAddress', 1, textKey('a'))
    await attempt()
  })

  it('uncounts the newest request of a key', async () => {
    const clock = { time: 0 }
    const limiter = limiterAt(clock, threeAMinute)
    for (const domain of ['apiByUser', 'longPollByUser'] as const) {
      const count = async (): Promise<boolean> =>
        (await limiter.count(domain, 1, 7))?.retryAfterSeconds === undefined
      const first = [await count(), await count(), await count(), await count()]
      assert.deepEqual(first, [true, true, true, false])

      await limiter.uncount(domain, 1, 7)
      await limiter.uncount(domain, 1, 8)
      assert.deepEqual([await count(), await count()], [true, false], domain)
    }
  })

  it('applies all rules of a domain together', async () => {
    const clock = { time: 0 }
    const limiter = limiterAt(clock)
    const user = { userId: 7, botOwnerId: null }
    const change = () => requireUserLimit(limiter, 'emailChangeByUser', 1, user)

    for (let round = 0; round < 2; round += 1) {
      await change()
      await change()
      await assert.rejects(change, hit)
      clock.time += 3_600_000
    }
    await change()
    await assert.rejects(change, hit)
    clock.time = 86_400_000
    await change()
  })

  it('waits for the longest of several exceeded rules, whatever their order', async () => {
    const short = { windowSeconds: 10, maxRequests: 1 }
    const long = { windowSeconds: 100, maxRequests: 1 }
    for (const domain of ['apiByUser', 'longPollByUser'] as const) {
      for (const rules of [
        [short, long],
        [long, short],
      ]) {
        const limiter = limiterAt({ time: 0 }, { [domain]: rules })
        await limiter.count(domain, 1, 7)

        assert.equal((await limiter.count(domain, 1, 7))?.retryAfterSeconds, 100)
      }
    }
  })

  it('has no limit for a domain with an empty list of rules', async () => {
    const limiter = limiterAt({ time: 0 }, { apiByUser: [] })
    assert.equal(await limiter.count('apiByUser', 1, 7), undefined)
    assert.notEqual(await limiter.count('longPollByUser', 1, 7), undefined)
  })

  it('never allows more requests in a window than the maximum', async () => {
    const clock = { time: 0 }
    const limiter = limiterAt(clock, { apiByUser: [{ windowSeconds: 10, maxRequests: 7 }] })
    const passed: number[] = []
    for (let step = 0; step < 2000; step += 1) {
      clock.time += (step * 7919) % 900
      const state = await limiter.count('apiByUser', 1, 7)
      if (state?.retryAfterSeconds === undefined) passed.push(clock.time)
    }

    for (let index = 7; index < passed.length; index += 1) {
      assert.ok(passed[index]! - passed[index - 7]! >= 10_000)
    }
    assert.ok(passed.length > 100)
  })
})
