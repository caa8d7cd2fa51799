import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { RateLimiter, type RateLimitRules } from '../../../packages/core/src/http/index.js'
import { requireUserLimit } from '../../../packages/core/src/http/limits/counted-limits.js'
import {
  defaultRateLimitRules,
  type UserRateLimitDomain,
} from '../../../packages/core/src/http/limits/rate-limiter.js'
import { silentLogger } from '../../../packages/core/src/kernel/logger.js'
import { ask } from './sample-request.js'
import { member, SampleChat } from './sample-server.js'

const maximum = 3
const rules = [{ windowSeconds: 60, maxRequests: maximum }]
const ownerId = 7
const bots = [11, 12, 13, 14].map((userId) => ({ userId, botOwnerId: ownerId }))
const userDomains = Object.keys(defaultRateLimitRules).filter((name): name is UserRateLimitDomain =>
  name.endsWith('ByUser'),
)

describe('the bots of a user', () => {
  for (const domain of userDomains) {
    it(`have twice the limit ${domain} of their owner together, and each of them once`, async () => {
      const limiter = new RateLimiter({ now: () => 0 } as never, silentLogger, { [domain]: rules })
      const countOf = async (users: readonly { userId: number; botOwnerId: number | null }[]) => {
        let counted = 0
        for (const user of users) {
          for (let index = 0; index <= maximum; index += 1) {
            await requireUserLimit(limiter, domain, 1, user).then(
              () => (counted += 1),
              () => undefined,
            )
          }
        }
        return counted
      }

      assert.equal(await countOf(bots.slice(0, 1)), maximum)
      assert.equal(await countOf(bots.slice(1)), maximum)
      assert.equal(await countOf([{ userId: ownerId, botOwnerId: null }]), maximum)
      assert.equal(await countOf([{ userId: 21, botOwnerId: 8 }]), maximum)
    })
  }

  for (const [title, option] of Object.entries({
    'all requests': { rules: () => ({ all: rules }) },
    'one operation': { rules: () => ({ operation: rules, all: [] }) },
  } satisfies Record<string, { rules: () => object }>)) {
    it(`share the limits that the application sets for ${title}`, async () => {
      const chat = new SampleChat({}, option)
      const statuses: number[] = []
      for (const { userId, botOwnerId } of bots) {
        chat.actor = { ...member, userId, isBot: true, botOwnerId }
        for (let index = 0; index < 2; index += 1) {
          statuses.push((await ask(chat, 'GET /samples')).status)
        }
      }
      assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 429, 429])
      chat.actor = { ...member, userId: ownerId }
      assert.equal((await ask(chat, 'GET /samples')).status, 200)
    })
  }

  it('do not lose what another limit refuses', async () => {
    const two: Partial<RateLimitRules> = {
      apiByUser: [{ windowSeconds: 60, maxRequests: 2 }],
    }
    const chat = new SampleChat({}, two)
    const send = async (userId: number): Promise<number> => {
      chat.actor = { ...member, userId, isBot: true, botOwnerId: ownerId }
      return (await ask(chat, 'GET /samples')).status
    }
    for (const id of [11, 11, 12, 12]) assert.equal(await send(id), 200)
    for (let index = 0; index < 5; index += 1) assert.equal(await send(13), 429)
    chat.time += 60_000
    for (const id of [13, 13]) assert.equal(await send(id), 200)
  })
})
