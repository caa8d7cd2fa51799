import { inject } from 'tsyringe'

import { requireUserLimit } from '../../../http/limits/counted-limits.js'
import { RateLimiter, type RateLimitHeaders } from '../../../http/limits/rate-limiter.js'
import { perServer } from '../../../kernel/per-server.js'
import type { UserRow } from '../../people/users/index.js'

/** Limits how many new addresses a user can have the server send mail to. */
@perServer()
export class EmailChangeLimit {
  constructor(@inject(RateLimiter) private readonly rateLimiter: RateLimiter) {}

  /**
   * @param limitHeaders receives the state of the limit.
   * @throws {ChatError} `RATE_LIMIT_HIT` if the user has changed the address too often.
   */
  async require(
    user: Pick<UserRow, 'id' | 'organization_id' | 'bot_owner_id'>,
    limitHeaders?: RateLimitHeaders,
  ): Promise<void> {
    const counted = { userId: user.id, botOwnerId: user.bot_owner_id }
    const { organization_id } = user
    await requireUserLimit(
      this.rateLimiter,
      'emailChangeByUser',
      organization_id,
      counted,
      limitHeaders,
    )
  }
}
