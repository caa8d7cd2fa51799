import type { IncomingMessage } from 'node:http'

import { inject } from 'tsyringe'

import { foldCase } from '../../../domain/texts/folding.js'
import type { CallOrigin } from '../../../domain/users/call-origin.js'
import { isEmailAddress } from '../../../domain/users/email-address.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import type { RateLimitHeaders } from '../../../http/limits/rate-limiter.js'
import type { HostIdentity } from '../../../http/pipeline/host-identity.js'
import { noOrganization, type Organization } from '../../../http/ports.js'
import type { Logger } from '../../../kernel/logger.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { LoggerToken } from '../../../kernel/tokens.js'
import { Database, UnitOfWork } from '../../../storage/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { ApiKeys, PasswordHasher } from '../../people/credentials/index.js'
import {
  ExternalAccounts,
  requireApiKeyAllowed,
  requireIdentity,
  UserRepository,
  type ExternalIdentity,
  type UserRow,
  accountChanged,
} from '../../people/users/index.js'
import { AuthenticationMethods } from './authentication-methods.js'
import type {
  PasswordAttempt,
  PasswordAuthenticator,
  PasswordVerdict,
} from './password-authenticator.js'
import { SecondFactorCheck } from './second-factor.js'
import { SignInAudit } from './sign-in-audit.js'
import { SignInLimits, type SignInAttempt } from './sign-in-limits.js'

/** No directory has longer names. */
const maxNameLength = 1000
const maxPasswordLength = 1000

/** The credentials that a client needs to act as a user. */
export interface ApiCredentials {
  readonly api_key: string
  /** The real e-mail address. */
  readonly email: string
  readonly user_id: number
}

/** The credentials of a sign-in attempt. */
export interface GivenCredentials {
  /** An e-mail address, or a name that an authenticator accepts. */
  readonly username: string
  readonly password: string
  /** The code that the application's `secondFactor` may require. */
  readonly code: string | undefined
  readonly request: IncomingMessage
  /** The client's address. */
  readonly remoteAddress: string
  readonly origin: CallOrigin
  /** Receives the state of the limits on attempts. */
  readonly limitHeaders?: RateLimitHeaders | undefined
}

/** The combined result of the application's authenticators. */
interface AuthenticatorsResult {
  readonly user: UserRow | undefined
  /** Whether each of them completed without an error. */
  readonly isComplete: boolean
}

type CheckedVerdict = Exclude<PasswordVerdict, HostIdentity> | ExternalIdentity

/** Returns API keys to users who send the right password. */
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
    @inject(SignInLimits) private readonly limits: SignInLimits,
    @inject(AuthenticationMethods) private readonly methods: AuthenticationMethods,
    @inject(SignInAudit) private readonly signIns: SignInAudit,
    @inject(SecondFactorCheck) private readonly secondFactor: SecondFactorCheck,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {}

  /**
   * Checks the password before anything else of the account, so that the response to a wrong
   * password is the same whatever the account's state, and whether or not it exists.
   *
   * @param organization the one addressed, or {@link noOrganization}.
   * @throws {ChatError} `NONEXISTENT_SUBDOMAIN`, `BAD_REQUEST` if the name is not an e-mail
   *   address, `RATE_LIMIT_HIT`, `PASSWORD_AUTH_DISABLED`, `AUTHENTICATION_FAILED`, or
   *   `SERVICE_UNAVAILABLE` if an authenticator that might accept the password failed; with the
   *   right password `USER_DEACTIVATED`, `REALM_DEACTIVATED`, `PASSWORD_RESET_REQUIRED`,
   *   `SECOND_FACTOR_REQUIRED`, `SECOND_FACTOR_FAILED`, or `BAD_REQUEST` if the application allows
   *   the user no API key.
   */
  async logIn(organization: Organization, credentials: GivenCredentials): Promise<ApiCredentials> {
    if (organization === noOrganization) throw new ChatError('NONEXISTENT_SUBDOMAIN')
    const name = credentials.username.trim()
    const { settings } = await this.organizations.require(organization.id)
    const authenticators = this.methods.allowedAuthenticators(settings)
    const needsAddress = !authenticators.some(({ acceptsAnyUsername }) => acceptsAnyUsername)
    if (needsAddress && !isEmailAddress(name)) throw badRequest('EMAIL_ADDRESS_INVALID')
    // Names and passwords of any length must not be passed on to a directory.
    if (name.length > maxNameLength || credentials.password.length > maxPasswordLength) {
      throw new ChatError('AUTHENTICATION_FAILED')
    }
    const { remoteAddress, limitHeaders } = credentials
    const attempt = await this.limits.begin({
      organizationId: organization.id,
      username: name,
      remoteAddress,
      limitHeaders,
    })

    const result = await this.#byAuthenticators(organization, name, credentials.password, attempt)
    const user =
      result.user ??
      (await this.#byStoredPassword(organization, name, credentials.password, result, attempt))
    if (!user.is_active) throw new ChatError('USER_DEACTIVATED')
    if (organization.isDeactivated) throw new ChatError('REALM_DEACTIVATED')
    await this.secondFactor.require(user, organization, {
      code: credentials.code,
      request: credentials.request,
    })
    await attempt.succeed(user.id)
    await this.signIns.note(user, credentials.origin)
    return this.credentialsOf(user)
  }

  /** @throws {ChatError} `BAD_REQUEST` if the application allows the user no key. */
  credentialsOf(user: UserRow): ApiCredentials {
    requireApiKeyAllowed(user, this.facts)
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
    counted: SignInAttempt,
  ): Promise<AuthenticatorsResult> {
    let isComplete = true
    // Some directories treat an empty password as an anonymous login, which always succeeds.
    if (password === '') return { user: undefined, isComplete }
    const attempt = { username, password, organization: organization.subdomain }
    const { settings } = await this.organizations.require(organization.id)
    for (const authenticator of this.methods.allowedAuthenticators(settings)) {
      let verdict: CheckedVerdict
      try {
        verdict = await verdictOf(authenticator, attempt, counted)
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
      if (verdict === 'resetRequired') throw new ChatError('PASSWORD_RESET_REQUIRED')
      if (organization.isDeactivated) throw new ChatError('REALM_DEACTIVATED')
      const user = await this.externals.admit(this.database.read(organization.id), verdict, {
        creates: authenticator.createsAccounts ?? true,
        adoptsByEmail: authenticator.adoptsAccountsByEmail ?? false,
      })
      if (user === undefined) throw new ChatError('AUTHENTICATION_FAILED')
      return { user, isComplete }
    }
    return { user: undefined, isComplete }
  }

  async #byStoredPassword(
    organization: Organization,
    name: string,
    password: string,
    { isComplete }: AuthenticatorsResult,
    attempt: SignInAttempt,
  ): Promise<UserRow> {
    const { settings } = await this.organizations.require(organization.id)
    if (!settings.password_auth_enabled || !this.methods.allows(settings, 'Email')) {
      if (!isComplete) throw new ChatError('SERVICE_UNAVAILABLE')
      const hasAuthenticators = this.methods.allowedAuthenticators(settings).length > 0
      throw new ChatError(hasAuthenticators ? 'AUTHENTICATION_FAILED' : 'PASSWORD_AUTH_DISABLED')
    }
    const account = await this.#findHuman(organization, name)
    const stored = account?.password_hash ?? null
    // Also without an account: the response time must not reveal which addresses have one.
    const isRight = await this.#verify(password, stored, attempt)
    if (account === undefined || stored === null || !isRight) {
      // In response to `AUTHENTICATION_FAILED`, users would change a right password, or give up.
      if (!isComplete) throw new ChatError('SERVICE_UNAVAILABLE')
      throw new ChatError('AUTHENTICATION_FAILED')
    }
    if (await this.passwords.needsRehash(stored)) await this.#rehash(account, stored, password)
    return account
  }

  async #verify(password: string, stored: string | null, attempt: SignInAttempt): Promise<boolean> {
    try {
      return await this.passwords.verify(password, stored, attempt.hashingClient)
    } catch (error) {
      // A refusal that other users' attempts caused does not count as an attempt of this name.
      await attempt.withdraw()
      throw error
    }
  }

  async #rehash(account: UserRow, stored: string, password: string): Promise<void> {
    const hash = await this.passwords.hashQueued(password)
    await this.unitOfWork.run(account.organization_id, async (tx) => {
      await this.users.replacePasswordHash(tx, account.id, stored, hash)
      tx.emit(accountChanged({ userId: account.id }))
    })
  }
}

/** @throws {ChatError} `RATE_LIMIT_HIT` if there were too many attempts for the account. */
async function verdictOf(
  authenticator: PasswordAuthenticator,
  attempt: Omit<PasswordAttempt, 'countFor'>,
  counted: SignInAttempt,
): Promise<CheckedVerdict> {
  const countings: Promise<void>[] = []
  const countFor = (account: string | undefined): Promise<void> => {
    const counting = counted.countFor(account)
    counting.catch(() => {})
    countings.push(counting)
    return counting
  }
  try {
    const verdict = await authenticator.authenticate({ ...attempt, countFor })
    return checked(verdict, attempt.organization)
  } finally {
    // The authenticator may not have waited for them, or may have replaced their error.
    await Promise.all(countings)
  }
}

/** @throws {TypeError} if the verdict is not one of those that an authenticator may return. */
function checked(verdict: PasswordVerdict | null, organization: string): CheckedVerdict {
  if (verdict === undefined || verdict === null) return undefined
  if (verdict === 'deactivated' || verdict === 'resetRequired') return verdict
  const identity = requireIdentity(verdict, 'authenticate()')
  // A user of another organization does not exist in this one.
  return (verdict.organization ?? organization) === organization ? identity : undefined
}
