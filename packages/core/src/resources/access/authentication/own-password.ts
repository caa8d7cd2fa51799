import { inject } from 'tsyringe'

import { badRequest, ChatError } from '../../../errors/index.js'
import type { RateLimitHeaders } from '../../../http/limits/rate-limiter.js'
import { perServer } from '../../../kernel/per-server.js'
import { hashingClientOf, PasswordHasher } from '../../people/credentials/index.js'
import { actorOf, type UserRow } from '../../people/users/index.js'
import type { PasswordAuthenticator } from './password-authenticator.js'
import { PasswordAuthenticatorsToken } from './password-authenticators.js'
import { SignInLimits, type SignInAttempt } from './sign-in-limits.js'

/** The password input of a user who is signed in. */
export interface SubmittedPassword {
  readonly password: string | undefined
  /** The client's address. */
  readonly remoteAddress: string
  /** Receives the state of the limits on attempts. */
  readonly limitHeaders?: RateLimitHeaders | undefined
}

/** Checks the password of a user who is already logged in. */
@perServer()
export class OwnPassword {
  constructor(
    @inject(PasswordHasher) private readonly passwords: PasswordHasher,
    @inject(SignInLimits) private readonly limits: SignInLimits,
    @inject(PasswordAuthenticatorsToken)
    private readonly authenticators: readonly PasswordAuthenticator[],
  ) {}

  /**
   * @throws {ChatError} `BAD_REQUEST` if the password is wrong, was tried too often, or is managed
   *   elsewhere; `RATE_LIMIT_HIT` if too many users sign in at once.
   */
  async require(user: UserRow, input: SubmittedPassword): Promise<void> {
    const hasDirectory = this.authenticators.some(({ method }) => method === 'ldap')
    if (user.password_hash === null && hasDirectory) {
      throw badRequest('PASSWORD_MANAGED_ELSEWHERE')
    }
    const { password } = input
    if (password === undefined || password === '') throw badRequest('PASSWORD_WRONG')
    const attempt = await this.#begin(user, input)
    if (!(await this.#isRight(user, password, attempt))) throw badRequest('PASSWORD_WRONG')
    await attempt.succeed()
  }

  async #begin(
    user: UserRow,
    { remoteAddress, limitHeaders }: SubmittedPassword,
  ): Promise<SignInAttempt> {
    const { organization_id: organizationId, email: username } = user
    try {
      return await this.limits.begin({ organizationId, username, remoteAddress, limitHeaders })
    } catch (error) {
      if (!(error instanceof ChatError) || error.kind !== 'RATE_LIMIT_HIT') throw error
      const seconds = Math.ceil(Number(error.fields['retry-after']))
      throw badRequest('PASSWORD_ATTEMPTS_EXCEEDED', { seconds })
    }
  }

  async #isRight(user: UserRow, password: string, attempt: SignInAttempt): Promise<boolean> {
    try {
      const client = hashingClientOf(actorOf(user))
      return await this.passwords.verify(password, user.password_hash, client)
    } catch (error) {
      // A refusal that other users' attempts caused does not count as an attempt of this user.
      await attempt.withdraw()
      throw error
    }
  }
}
