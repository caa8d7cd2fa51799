import { inject, type InjectionToken } from 'tsyringe'

import { isEmailAddress } from '../../domain/email-address.js'
import { foldCase } from '../../domain/folding.js'
import { badRequest, ChatError } from '../../errors/index.js'
import { noOrganization, type Organization } from '../../http/ports.js'
import { RateLimiter } from '../../http/rate-limiter.js'
import { perServer } from '../../kernel/per-server.js'
import { Database, UnitOfWork } from '../../storage/index.js'
import { ApiKeys, PasswordHasher } from '../credentials/index.js'
import { OrganizationService } from '../organizations/index.js'
import { UserRepository, ExternalAccounts, type UserRow } from '../users/index.js'
import type { PasswordAuthenticator, PasswordVerdict } from './password-authenticator.js'

/** The authenticators of the application, asked in this order before the chat's own passwords. */
export const PasswordAuthenticatorsToken: InjectionToken<readonly PasswordAuthenticator[]> =
  Symbol('PasswordAuthenticators')

/** What a client needs to act as a user. */
export interface ApiCredentials {
  readonly api_key: string
  /** The real address. */
  readonly email: string
  readonly user_id: number
}

/** Gives API keys to those who know a password. */
@perServer()
export class PasswordLogin {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(ExternalAccounts) private readonly externals: ExternalAccounts,
    @inject(ApiKeys) private readonly apiKeys: ApiKeys,
    @inject(PasswordHasher) private readonly passwords: PasswordHasher,
    @inject(RateLimiter) private readonly rateLimiter: RateLimiter,
    @inject(PasswordAuthenticatorsToken)
    private readonly authenticators: readonly PasswordAuthenticator[],
  ) {}

  /**
   * @param organization the one addressed, or {@link noOrganization}.
   * @throws {ChatError} `NONEXISTENT_SUBDOMAIN`, `BAD_REQUEST` if the name is no address,
   *   `RATE_LIMIT_HIT`, `USER_DEACTIVATED`, `REALM_DEACTIVATED`, `PASSWORD_AUTH_DISABLED`,
   *   `PASSWORD_RESET_REQUIRED`, or `AUTHENTICATION_FAILED`.
   */
  async logIn(
    organization: Organization,
    username: string,
    password: string,
  ): Promise<ApiCredentials> {
    if (organization === noOrganization) throw new ChatError('NONEXISTENT_SUBDOMAIN')
    const name = username.trim()
    const needsAddress = !this.authenticators.some(({ acceptsAnyUsername }) => acceptsAnyUsername)
    if (needsAddress && !isEmailAddress(name)) throw badRequest('Enter a valid email address.')
    this.rateLimiter.require('loginByUsername', organization.id, foldCase(name))

    const account = await this.#findHuman(organization, name)
    if (account !== undefined && !account.is_active) throw new ChatError('USER_DEACTIVATED')
    if (organization.isDeactivated) throw new ChatError('REALM_DEACTIVATED')
    const user =
      (await this.#byAuthenticators(organization, name, password)) ??
      (await this.#byStoredPassword(organization, account, password))
    this.rateLimiter.forget('loginByUsername', organization.id, foldCase(name))
    return this.credentialsOf(user)
  }

  credentialsOf(user: UserRow): ApiCredentials {
    return { api_key: this.apiKeys.reveal(user), email: user.email, user_id: user.id }
  }

  async #findHuman(organization: Organization, name: string): Promise<UserRow | undefined> {
    const scope = this.database.read(organization.id)
    const user = await this.users.findByEmailKey(scope, foldCase(name))
    return user?.is_bot ? undefined : user
  }

  async #byAuthenticators(
    organization: Organization,
    username: string,
    password: string,
  ): Promise<UserRow | undefined> {
    // Some directories take an empty password for an anonymous login, and let anybody in.
    if (password === '') return undefined
    const attempt = { username, password, organization: organization.subdomain }
    for (const authenticator of this.authenticators) {
      const verdict: PasswordVerdict = await authenticator.authenticate(attempt)
      if (verdict === undefined) continue
      if (verdict === 'deactivated') throw new ChatError('USER_DEACTIVATED')
      const scope = this.database.read(organization.id)
      const user = await this.externals.ensure(scope, verdict)
      if (!user.is_active) throw new ChatError('USER_DEACTIVATED')
      return user
    }
    return undefined
  }

  async #byStoredPassword(
    organization: Organization,
    account: UserRow | undefined,
    password: string,
  ): Promise<UserRow> {
    const { settings } = await this.organizations.require(organization.id)
    if (!settings.password_auth_enabled) {
      throw new ChatError(
        this.authenticators.length === 0 ? 'PASSWORD_AUTH_DISABLED' : 'AUTHENTICATION_FAILED',
      )
    }
    const stored = account?.password_hash ?? null
    if (stored !== null && !this.passwords.canVerify(stored)) {
      throw new ChatError('PASSWORD_RESET_REQUIRED')
    }
    // Also without an account: how long the answer takes must not tell which addresses have one.
    const isRight = await this.passwords.verify(password, stored)
    if (account === undefined || stored === null || !isRight) {
      throw new ChatError('AUTHENTICATION_FAILED')
    }
    if (this.passwords.needsRehash(stored)) await this.#rehash(account, stored, password)
    return account
  }

  async #rehash(account: UserRow, stored: string, password: string): Promise<void> {
    const hash = await this.passwords.hash(password)
    await this.unitOfWork.run(account.organization_id, async (tx) => {
      await this.users.replacePasswordHash(tx, account.id, stored, hash)
      tx.emit({ kind: '@user', data: { userId: account.id }, audience: {} })
    })
  }
}
