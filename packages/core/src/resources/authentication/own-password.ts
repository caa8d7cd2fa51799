import { inject } from 'tsyringe'

import { foldCase } from '../../domain/folding.js'
import { badRequest } from '../../errors/index.js'
import { RateLimiter, type MetLimits } from '../../http/rate-limiter.js'
import { perServer } from '../../kernel/per-server.js'
import { PasswordHasher } from '../credentials/index.js'
import type { UserRow } from '../users/index.js'
import type { PasswordAuthenticator } from './password-authenticator.js'
import { PasswordAuthenticatorsToken } from './password-authenticators.js'

/** Asks a user who is logged in already for the password once more. */
@perServer()
export class OwnPassword {
  constructor(
    @inject(PasswordHasher) private readonly passwords: PasswordHasher,
    @inject(RateLimiter) private readonly rateLimiter: RateLimiter,
    @inject(PasswordAuthenticatorsToken)
    private readonly authenticators: readonly PasswordAuthenticator[],
  ) {}

  /**
   * @param met takes the limit of attempts.
   * @throws {ChatError} `BAD_REQUEST` if it is wrong, was tried too often, or is kept elsewhere;
   *   `SERVICE_UNAVAILABLE` if too many log in at once.
   */
  async require(user: UserRow, password: string | undefined, met?: MetLimits): Promise<void> {
    const hasDirectory = this.authenticators.some(({ method }) => method === 'ldap')
    if (user.password_hash === null && hasDirectory) {
      throw badRequest('Your Zulip password is managed in LDAP')
    }
    if (password === undefined || password === '') throw badRequest('Wrong password!')
    // What is refused because of others is no attempt of this user.
    this.passwords.requireRoom()
    const key = foldCase(user.email)
    const state = this.rateLimiter.count('loginByUsername', user.organization_id, key)
    met?.add(state)
    if (state?.retryAfterSeconds !== undefined) {
      const seconds = Math.ceil(state.retryAfterSeconds)
      throw badRequest(`You're making too many attempts! Try again in ${seconds} seconds.`)
    }
    if (!(await this.passwords.verify(password, user.password_hash))) {
      throw badRequest('Wrong password!')
    }
    this.rateLimiter.forget('loginByUsername', user.organization_id, key)
  }
}
