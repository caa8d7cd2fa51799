import { inject } from 'tsyringe'

import { isEmailAddress } from '../../domain/email-address.js'
import { foldCase } from '../../domain/folding.js'
import { badRequest, ChatError } from '../../errors/index.js'
import { noOrganization, type Organization } from '../../http/ports.js'
import { RateLimiter, type MetLimits } from '../../http/rate-limiter.js'
import type { Logger } from '../../kernel/logger.js'
import { perServer } from '../../kernel/per-server.js'
import { LoggerToken } from '../../kernel/tokens.js'
import { Database, UnitOfWork } from '../../storage/index.js'
import { ApiKeys, PasswordHasher } from '../credentials/index.js'
import { OrganizationService } from '../organizations/index.js'
import {
  ExternalAccounts,
  requireIdentity,
  UserRepository,
  type ExternalIdentity,
  type UserRow,
} from '../users/index.js'
import { AuthenticationMethods } from './authentication-methods.js'
import type { PasswordVerdict } from './password-authenticator.js'

/** No directory has longer ones. */
const maxNameLength = 1000
const maxPasswordLength = 1000

/** What a client needs to act as a user. */
export interface ApiCredentials {
  readonly api_key: string
  /** The real address. */
  readonly email: string
  readonly user_id: number
}

/** What the application's authenticators have said together. */
interface AskedAuthenticators {
  readonly user: UserRow | undefined
  /** Whether each of them could be asked. */
  readonly isComplete: boolean
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
    @inject(AuthenticationMethods) private readonly methods: AuthenticationMethods,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {}

  /**
   * @param organization the one addressed, or {@link noOrganization}.
   * @param met takes the limit of attempts.
   * @throws {ChatError} `NONEXISTENT_SUBDOMAIN`, `BAD_REQUEST` if the name is no address,
   *   `RATE_LIMIT_HIT`, `USER_DEACTIVATED`, `REALM_DEACTIVATED`, `PASSWORD_AUTH_DISABLED`,
   *   `PASSWORD_RESET_REQUIRED`, `AUTHENTICATION_FAILED`, or `SERVICE_UNAVAILABLE` if an
   *   authenticator that may know the password could not be asked, or too many log in at once.
   */
  async logIn(
    organization: Organization,
    username: string,
    password: string,
    met?: MetLimits,
  ): Promise<ApiCredentials> {
    if (organization === noOrganization) throw new ChatError('NONEXISTENT_SUBDOMAIN')
    const name = username.trim()
    const { settings } = await this.organizations.require(organization.id)
    const authenticators = this.methods.allowedAuthenticators(settings)
    const needsAddress = !authenticators.some(({ acceptsAnyUsername }) => acceptsAnyUsername)
    if (needsAddress && !isEmailAddress(name)) throw badRequest('Enter a valid email address.')
    // Names are remembered for as long as their attempts, and asked of a directory.
    if (name.length > maxNameLength || password.length > maxPasswordLength) {
      throw new ChatError('AUTHENTICATION_FAILED')
    }
    // What is refused because of others is no attempt of this name.
    this.passwords.requireRoom()
    this.rateLimiter.require('loginByUsername', organization.id, foldCase(name), met)

    const account = await this.#findHuman(organization, name)
    if (account !== undefined && !account.is_active) throw new ChatError('USER_DEACTIVATED')
    if (organization.isDeactivated) throw new ChatError('REALM_DEACTIVATED')
    const asked = await this.#byAuthenticators(organization, name, password)
    const user =
      asked.user ?? (await this.#byStoredPassword(organization, account, password, asked))
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
  ): Promise<AskedAuthenticators> {
    let isComplete = true
    // Some directories take an empty password for an anonymous login, and let anybody in.
    if (password === '') return { user: undefined, isComplete }
    const attempt = { username, password, organization: organization.subdomain }
    const { settings } = await this.organizations.require(organization.id)
    for (const authenticator of this.methods.allowedAuthenticators(settings)) {
      let verdict: 'deactivated' | ExternalIdentity | undefined
      try {
        verdict = checked(await authenticator.authenticate(attempt), attempt.organization)
      } catch (error) {
        if (error instanceof ChatError) throw error
        const { method } = authenticator
        const reason = error instanceof TypeError ? `: ${error.message}` : ''
        this.logger.error(`A password authenticator failed${reason}`, { method, err: error })
        isComplete = false
        continue
      }
      if (verdict === undefined) continue
      if (verdict === 'deactivated') throw new ChatError('USER_DEACTIVATED')
      const user = await this.externals.admit(this.database.read(organization.id), verdict, {
        creates: authenticator.createsAccounts ?? true,
        adoptsByEmail: authenticator.adoptsAccountsByEmail ?? false,
      })
      if (user === undefined) throw new ChatError('AUTHENTICATION_FAILED')
      if (!user.is_active) throw new ChatError('USER_DEACTIVATED')
      return { user, isComplete }
    }
    return { user: undefined, isComplete }
  }

  async #byStoredPassword(
    organization: Organization,
    account: UserRow | undefined,
    password: string,
    { isComplete }: AskedAuthenticators,
  ): Promise<UserRow> {
    const { settings } = await this.organizations.require(organization.id)
    if (!settings.password_auth_enabled || !this.methods.allows(settings, 'Email')) {
      if (!isComplete) throw new ChatError('SERVICE_UNAVAILABLE')
      const wasAsked = this.methods.allowedAuthenticators(settings).length > 0
      throw new ChatError(wasAsked ? 'AUTHENTICATION_FAILED' : 'PASSWORD_AUTH_DISABLED')
    }
    const stored = account?.password_hash ?? null
    if (stored !== null && !this.passwords.canVerify(stored)) {
      throw new ChatError('PASSWORD_RESET_REQUIRED')
    }
    // Also without an account: how long the answer takes must not tell which addresses have one.
    const isRight = await this.passwords.verify(password, stored)
    if (account === undefined || stored === null || !isRight) {
      // Whoever is told of a wrong password would change it, or give up.
      if (!isComplete) throw new ChatError('SERVICE_UNAVAILABLE')
      throw new ChatError('AUTHENTICATION_FAILED')
    }
    if (this.passwords.needsRehash(stored)) await this.#rehash(account, stored, password)
    return account
  }

  async #rehash(account: UserRow, stored: string, password: string): Promise<void> {
    const hash = await this.passwords.hashInTurn(password)
    await this.unitOfWork.run(account.organization_id, async (tx) => {
      await this.users.replacePasswordHash(tx, account.id, stored, hash)
      tx.emit({ kind: '@user', data: { userId: account.id }, audience: {} })
    })
  }
}

/** @throws {TypeError} if the verdict is not one of those that an authenticator may return. */
function checked(
  verdict: PasswordVerdict | null,
  organization: string,
): 'deactivated' | ExternalIdentity | undefined {
  if (verdict === undefined || verdict === null) return undefined
  if (verdict === 'deactivated') return verdict
  const identity = requireIdentity(verdict, 'authenticate()')
  // A user of another organization is not known in this one.
  return (verdict.organization ?? organization) === organization ? identity : undefined
}
