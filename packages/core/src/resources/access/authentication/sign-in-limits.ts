import { inject } from 'tsyringe'

import {
  RateLimiter,
  requireUnderLimit,
  type RateLimitHeaders,
  type RateLimitDomain,
} from '../../../http/limits/rate-limiter.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { addressKey, textKey, type LimitKey, type MadeKey } from '../../../kernel/limit-keys.js'
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

type CountedKey = readonly [RateLimitDomain, LimitKey]

/** An attempt that was counted. */
export interface SignInAttempt {
  readonly hashingClient: HashingClient
  /**
   * Counts it for the account of a directory that the name leads to, too. One account may have many
   * names.
   *
   * @param account undefined if the name leads to none, which takes as long.
   * @throws {ChatError} `RATE_LIMIT_HIT` if there were too many; the attempt counts nowhere then.
   */
  countFor(account: string | undefined): Promise<void>
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
 * from elsewhere can never lock out a user with the right password. An account of a directory, which
 * may have several names, is limited as a name is.
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
    const { organizationId, remoteAddress, username } = origin
    const address = addressKey(remoteAddress)
    const name = textKey(username)
    const pair = textKey(name, address)
    const usedAt = await this.knownAddresses.findUse(organizationId, pair)
    const isKnown = usedAt !== undefined && usedAt > nowSeconds(this.clock) - knownSeconds
    const keysOf = (subject: MadeKey, ofBoth: MadeKey): CountedKey[] => {
      const keys: CountedKey[] = [['loginByUsernameAndAddress', ofBoth]]
      if (!isKnown) keys.push(['loginByUsername', subject])
      return keys
    }
    const counted: CountedKey[] = []
    // The address is counted first: an attempt that it refuses adds no keys for names.
    if (!isKnown) await this.#count(origin, ['loginByAddress', address], counted)
    for (const key of keysOf(name, pair)) await this.#count(origin, key, counted)
    return {
      hashingClient: { lane: isKnown ? 'known' : 'other', key: address },
      countFor: async (account) => {
        const subject = textKey(account === undefined ? 'no account' : 'account', account ?? name)
        for (const key of keysOf(subject, textKey(subject, address))) {
          await this.#count(origin, key, counted)
        }
      },
      withdraw: () => this.#withdraw(origin, counted),
      succeed: async (userId) => {
        await this.#withdraw(origin, counted)
        for (const [domain, key] of counted) {
          if (domain !== 'loginByUsernameAndAddress') continue
          await this.rateLimiter.forget(domain, organizationId, key)
        }
        if (userId !== undefined) await this.#remember(organizationId, pair, userId, usedAt)
      },
    }
  }

  /** Counts one key of an attempt. If it is refused, the whole attempt counts nowhere. */
  async #count(origin: SignInOrigin, key: CountedKey, counted: CountedKey[]): Promise<void> {
    const state = await this.rateLimiter.count(key[0], origin.organizationId, key[1])
    origin.limitHeaders?.add(state)
    if (state?.retryAfterSeconds !== undefined) {
      await this.#withdraw(origin, counted)
      requireUnderLimit(state)
    }
    counted.push(key)
  }

  async #withdraw({ organizationId }: SignInOrigin, counted: readonly CountedKey[]): Promise<void> {
    for (const [domain, key] of counted) await this.rateLimiter.uncount(domain, organizationId, key)
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
