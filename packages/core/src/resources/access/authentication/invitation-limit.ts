import { inject } from 'tsyringe'

import { isApplication, type Actor } from '../../../domain/users/actor.js'
import { countAll, limitsOfUser, uncountAll } from '../../../http/limits/counted-limits.js'
import { RateLimiter } from '../../../http/limits/rate-limiter.js'
import { textKey } from '../../../kernel/limit-keys.js'
import { perServer } from '../../../kernel/per-server.js'

/** Limits how many invitations a user creates, and how many mails with invitations an address gets. */
@perServer()
export class InvitationLimit {
  constructor(@inject(RateLimiter) private readonly rateLimiter: RateLimiter) {}

  /**
   * Counts invitations and runs `work`, which creates them or sends them again; if it fails, they
   * are not counted. The application has no limit.
   *
   * @param emails the address of each invitation; null for a reusable link.
   * @throws {ChatError} `RATE_LIMIT_HIT` if there were too many.
   */
  async run<Result>(
    actor: Actor,
    emails: readonly (string | null)[],
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (isApplication(actor)) return work()
    const limits = emails.flatMap((email) => [
      ...limitsOfUser('invitationByUser', actor, this.rateLimiter.rulesFor('invitationByUser')),
      ...(email === null ? [] : [this.#ofAddress(email)]),
    ])
    await countAll(this.rateLimiter, actor.organizationId, limits)
    try {
      return await work()
    } catch (error) {
      await uncountAll(this.rateLimiter, actor.organizationId, limits)
      throw error
    }
  }

  #ofAddress(email: string) {
    const name = 'invitationByEmail' as const
    return { name, key: textKey(email), rules: this.rateLimiter.rulesFor(name) }
  }
}
