import { LRUCache } from 'lru-cache'
import { inject } from 'tsyringe'

import { ChatError } from '../../../errors/index.js'
import { RateLimiter, requireUnderLimit } from '../../../http/limits/rate-limiter.js'
import type { Clock } from '../../../kernel/clock.js'
import { entryLimit } from '../../../kernel/entry-limit.js'
import { keyWithin, type MadeKey } from '../../../kernel/limit-keys.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'

/** Some 150 bytes for each. */
const maxRemembered = 20_000

/**
 * Limits wrong API keys by the client's address. Beyond the limit, keys from this address are
 * refused without being looked up, except those that were right before: the wrong keys of one
 * client never end the access of others at the same address.
 */
@perServer()
export class WrongKeyLimit {
  readonly #refusedUntil = new LRUCache<MadeKey, number>(entryLimit(maxRemembered))
  readonly #rightBefore = new LRUCache<string, true>(entryLimit(maxRemembered))

  constructor(
    @inject(RateLimiter) private readonly rateLimiter: RateLimiter,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * @param client from which the key comes.
   * @param proof identifies the key, by a hash.
   * @throws {ChatError} `RATE_LIMIT_HIT` if the key is not to be looked up now.
   */
  requireLookUp(organizationId: number, client: MadeKey, proof: string): void {
    const until = this.#refusedUntil.get(keyWithin(String(organizationId), client)) ?? 0
    const waitMilliseconds = until - this.clock.now()
    if (waitMilliseconds <= 0 || this.#rightBefore.has(proof)) return
    throw new ChatError('RATE_LIMIT_HIT', { fields: { 'retry-after': waitMilliseconds / 1000 } })
  }

  /** Notes that a key is right. */
  noteRight(proof: string): void {
    this.#rightBefore.set(proof, true)
  }

  /** Counts a wrong key. @throws {ChatError} `RATE_LIMIT_HIT` if there were too many. */
  async count(organizationId: number, client: MadeKey): Promise<void> {
    const state = await this.rateLimiter.count('wrongKeyByAddress', organizationId, client)
    if (state?.retryAfterSeconds !== undefined) {
      const until = this.clock.now() + state.retryAfterSeconds * 1000
      this.#refusedUntil.set(keyWithin(String(organizationId), client), until)
    }
    requireUnderLimit(state)
  }
}
