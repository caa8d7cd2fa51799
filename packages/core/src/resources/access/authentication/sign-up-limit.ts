import { inject } from 'tsyringe'

import {
  RateLimiter,
  requireUnderLimit,
  type RateLimitHeaders,
} from '../../../http/limits/rate-limiter.js'
import { addressKey, textKey } from '../../../kernel/limit-keys.js'
import { perServer } from '../../../kernel/per-server.js'
import type { HashingClient } from '../../people/credentials/index.js'

/** The request of a person who signs up. */
export interface SignUpOrigin {
  /** The client's address, as the framework reports it. */
  readonly remoteAddress: string
  /** Receives the state of the limits. */
  readonly limitHeaders: RateLimitHeaders
}

/** Limits the mails that people without an account can have the server send. */
@perServer()
export class SignUpLimit {
  constructor(@inject(RateLimiter) private readonly rateLimiter: RateLimiter) {}

  /** @throws {ChatError} `RATE_LIMIT_HIT` if the client, or the address, has had too many mails. */
  async require(organizationId: number, email: string, origin: SignUpOrigin): Promise<void> {
    const { remoteAddress, limitHeaders } = origin
    const client = addressKey(remoteAddress)
    await this.rateLimiter.require('signUpByAddress', organizationId, client, limitHeaders)
    const key = textKey(email)
    const ofEmail = await this.rateLimiter.count('signUpByEmail', organizationId, key)
    limitHeaders.add(ofEmail)
    // A refused request counts nowhere.
    if (ofEmail?.retryAfterSeconds !== undefined) {
      await this.rateLimiter.uncount('signUpByAddress', organizationId, client)
    }
    requireUnderLimit(ofEmail)
  }

  /** The client for whom a password is hashed. */
  hashingClientOf({ remoteAddress }: SignUpOrigin): HashingClient {
    return { lane: 'other', key: addressKey(remoteAddress) }
  }
}
