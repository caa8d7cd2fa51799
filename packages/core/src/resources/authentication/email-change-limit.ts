import { inject } from 'tsyringe'

import { RateLimiter, type RateLimitHeaders } from '../../http/rate-limiter.js'
import { perServer } from '../../kernel/per-server.js'
import type { UserRow } from '../users/index.js'

/** Keeps users from having the server write to ever new addresses. */
@perServer()
export class EmailChangeLimit {
  constructor(@inject(RateLimiter) private readonly rateLimiter: RateLimiter) {}

  /**
   * @param met takes the limit.
   * @throws {ChatError} `RATE_LIMIT_HIT` if the user has changed the own address too often.
   */
  require(user: Pick<UserRow, 'id' | 'organization_id'>, limitHeaders?: RateLimitHeaders): void {
    this.rateLimiter.require('emailChangeByUser', user.organization_id, user.id, limitHeaders)
  }
}
