import { createHash } from 'node:crypto'

import { inject } from 'tsyringe'

import { foldCase } from '../../../domain/folding.js'
import { addressGroup } from '../../../http/client-address.js'
import {
  RateLimiter,
  requireUnderLimit,
  type RateLimitHeaders,
  type RateLimitDomain,
} from '../../../http/rate-limiter.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { UnitOfWork } from '../../../storage/index.js'
import type { HashingClient } from '../../people/credentials/index.js'
import { KnownAddressRepository } from './known-address-repository.js'

/** How long an address is known after the last sign-in from it. */
const knownSeconds = 90 * 86_400
/** The minimum age of a stored sign-in before it is stored again. */
const renewalSeconds = 86_400
/** The maximum number of known addresses per user; the least recently used ones are deleted. */
const maxKnownPerUser = 20

/** An attempt to sign in with a name and a password. */
export interface SignInOrigin {
  readonly organizationId: number
  /** As typed, or the address of a user who is signed in. */
  readonly username: string
  /** The client's address, as the framework reports it. */
  readonly remoteAddress: string
  /** Receives the state of the limits on attempts. */
  readonly limitHeaders?: RateLimitHeaders | undefined
}

/** An attempt that was counted. */
export interface SignInAttempt {
  readonly hashingClient: HashingClient
  /**
   * Stops counting it, because the password was right. @param userId stores the address as known.
   */
  succeed(userId?: number): Promise<void>
  /** Stops counting it, because the password was not checked. */
  withdraw(): Promise<void>
}

/**
 * Limits attempts to sign in: by the client's address, by name and address, and by name. Only the
 * second limit applies to an address from which the name has recently signed in, so that attempts
 * from elsewhere can never lock out a user with the right password.
 */
@perServer()
export class SignInLimits {
  constructor(
    @inject(RateLimiter) private readonly rateLimiter: RateLimiter,
    @inject(KnownAddressRepository) private readonly knownAddresses: KnownAddressRepository,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * Counts an attempt, unless it is refused.
   *
   * @throws {ChatError} `RATE_LIMIT_HIT` if there were too many.
   */
  async begin(origin: SignInOrigin): Promise<SignInAttempt> {
    const { organizationId, limitHeaders } = origin
    const address = addressGroup(origin.remoteAddress)
    const name = hashOf(foldCase(origin.username.trim()))
    const pair = hashOf(name, address)
    const usedAt = await this.knownAddresses.findUse(organizationId, pair)
    const isKnown = usedAt !== undefined && usedAt > nowSeconds(this.clock) - knownSeconds
    // The address is counted first: an attempt that it refuses adds no keys for names.
    const keys: [RateLimitDomain, string][] = isKnown ? [] : [['loginByAddress', address]]
    keys.push(['loginByUsernameAndAddress', pair])
    if (!isKnown) keys.push(['loginByUsername', name])

    const counted: [RateLimitDomain, string][] = []
    const withdraw = async (): Promise<void> => {
      for (const [domain, key] of counted) {
        await this.rateLimiter.uncount(domain, organizationId, key)
      }
    }
    for (const [domain, key] of keys) {
      const state = await this.rateLimiter.count(domain, organizationId, key)
      limitHeaders?.add(state)
      if (state?.retryAfterSeconds !== undefined) {
        await withdraw()
        requireUnderLimit(state)
      }
      counted.push([domain, key])
    }
    return {
      hashingClient: { lane: isKnown ? 'known' : 'other', key: address },
      withdraw,
      succeed: async (userId) => {
        await withdraw()
        await this.rateLimiter.forget('loginByUsernameAndAddress', organizationId, pair)
        if (userId !== undefined) await this.#remember(organizationId, pair, userId, usedAt)
      },
    }
  }

  async #remember(
    organizationId: number,
    loginHash: string,
    userId: number,
    usedAt: number | undefined,
  ): Promise<void> {
    const now = nowSeconds(this.clock)
    if (usedAt !== undefined && usedAt > now - renewalSeconds) return
    await this.unitOfWork.run(organizationId, async (tx) => {
      const row = { login_hash: loginHash, user_id: userId, used_at_seconds: now }
      await this.knownAddresses.put(tx, row)
      const keep = { count: maxKnownPerUser, sinceSeconds: now - knownSeconds }
      await this.knownAddresses.trim(tx, userId, keep)
    })
  }
}

/** Names may be long, and are kept as keys of the rate limiter. */
function hashOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
