import { inject } from 'tsyringe'

import { foldCase } from '../../../domain/texts/folding.js'
import { isSpectator, type Actor } from '../../../domain/users/actor.js'
import { ChatError } from '../../../errors/index.js'
import { FollowedLogs } from '../../../events/log/followed-logs.js'
import type { SessionCheck } from '../../../events/queues/session-check.js'
import type { ChatRequest } from '../../../http/chat-request.js'
import { isFromBrowser } from '../../../http/pipeline/browser-requests.js'
import { HostHooksToken, type HostHooks } from '../../../http/pipeline/host-identity.js'
import type { Authenticator, CallDetails, Organization, TicketUse } from '../../../http/ports.js'
import type { Clock } from '../../../kernel/clock.js'
import { addressKey } from '../../../kernel/limit-keys.js'
import type { Logger } from '../../../kernel/logger.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken, LoggerToken } from '../../../kernel/tokens.js'
import { Database } from '../../../storage/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { hashApiKey } from '../../people/credentials/index.js'
import {
  actorOf,
  ExternalAccounts,
  type ExternalIdentity,
  type UserRow,
} from '../../people/users/index.js'
import { accessTokenHashOf, AccessTokens, hasAccessToken } from './access-tokens.js'
import { ApplicationLogins, wrongOrganization, type LoginUse } from './application-logins.js'
import { apiKeyInQuery, parseBasic } from './basic-credentials.js'
import { accountChanges, CallerCheck } from './caller-check.js'
import { CredentialRepository } from './credential-repository.js'
import { KnownCallers, proofOf } from './known-callers.js'
import { SocketTickets } from './socket-tickets.js'
import { WrongKeyLimit } from './wrong-key-limit.js'

/** The account of a credential, and the hashes that writes check again. */
type FoundAccount = { readonly user: UserRow } & Pick<Actor, 'apiKeyHash' | 'accessTokenHash'>

/** Authenticates requests by API key, by the application's own login, by a token or by a ticket. */
@perServer()
export class RequestAuthenticator implements Authenticator {
  readonly #known = new KnownCallers()
  /** Upgrade requests that a ticket has opened: whether it was issued to a session. */
  readonly #redeemed = new WeakMap<ChatRequest, boolean>()

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(CredentialRepository) private readonly credentials: CredentialRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ExternalAccounts) private readonly externals: ExternalAccounts,
    @inject(SocketTickets) private readonly tickets: SocketTickets,
    @inject(AccessTokens) private readonly accessTokens: AccessTokens,
    @inject(WrongKeyLimit) private readonly wrongKeys: WrongKeyLimit,
    @inject(ApplicationLogins) private readonly logins: ApplicationLogins,
    @inject(HostHooksToken) private readonly hooks: HostHooks,
    @inject(CallerCheck) private readonly callerCheck: CallerCheck,
    @inject(FollowedLogs) private readonly logs: FollowedLogs,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {
    logs.onChanges(accountChanges, (organizationId, ids) => {
      if (ids === 'all') this.#known.forgetOrganization(organizationId)
      else for (const userId of ids) this.#known.forgetUser(organizationId, userId)
    })
  }

  authenticate(
    request: ChatRequest,
    organization: Organization | undefined,
    details: CallDetails = {},
  ): Actor | undefined | Promise<Actor | undefined> {
    const reading = this.logs.becomeCurrent(organization?.id ?? 0)
    if (reading === undefined) return this.#authenticate(request, organization, details)
    return reading.then(() => this.#authenticate(request, organization, details))
  }

  #authenticate(
    request: ChatRequest,
    organization: Organization | undefined,
    details: CallDetails,
  ): Actor | undefined | Promise<Actor | undefined> {
    const { authorization } = request.headers
    if (authorization !== undefined && !this.#isToken(authorization)) {
      return this.#byApiKey(authorization, request, organization)
    }
    if (details.takesKeyInQuery === true) return this.#byKeyInQuery(request, organization)
    if (organization === undefined) return undefined
    if (authorization !== undefined && hasAccessToken(authorization)) {
      return this.#byAccessToken(authorization, request, organization)
    }
    return this.#withoutApiKey(request, organization, details)
  }

  /** Whether a header is not about an API key: it has a token of the chat, or is for `identify`. */
  #isToken(authorization: string): boolean {
    if (hasAccessToken(authorization)) return true
    return this.hooks.identify !== undefined && !/^basic\b/i.test(authorization.trim())
  }

  async #withoutApiKey(
    request: ChatRequest,
    organization: Organization,
    { ticketUse, changesState = false }: CallDetails,
  ): Promise<Actor | undefined> {
    const redeemed =
      ticketUse === undefined ? undefined : await this.#byTicket(request, organization, ticketUse)
    if (redeemed !== undefined) return redeemed
    return this.#bySession(request, organization, changesState)
  }

  async requireCurrent(actor: Actor): Promise<void> {
    const scope = this.database.read(actor.organizationId)
    await this.callerCheck.require(scope, actor, { isBehind: true })
  }

  sessionOf(
    request: ChatRequest,
    organization: Organization | undefined,
    actor: Actor | undefined,
  ): SessionCheck | undefined {
    const { authorization } = request.headers
    if (authorization !== undefined && !this.#isToken(authorization)) return undefined
    if (organization === undefined || actor === undefined || isSpectator(actor)) return undefined
    const isForSession = this.#redeemed.get(request)
    if (isForSession === false) return undefined
    const refusal = notSignedIn(request)
    return {
      refusal,
      check: async () => {
        // The request that a ticket has opened may carry nothing that `identify` could check.
        if (isForSession === true) return undefined
        try {
          if (authorization !== undefined && hasAccessToken(authorization)) {
            // Another process may have revoked it just now.
            await this.requireCurrent(actor)
            const isOver = accessTokenHashOf(authorization, this.clock) === undefined
            return isOver ? refusal : undefined
          }
          const current = await this.#identify(request, organization, { isRepeated: true })
          return current?.userId === actor.userId ? undefined : refusal
        } catch (error) {
          if (error instanceof ChatError && error.status === 401) return error
          this.logger.warn('Asking again who a connection belongs to failed', { err: error })
          return undefined
        }
      },
    }
  }

  async #byTicket(
    request: ChatRequest,
    organization: Organization,
    ticketUse: TicketUse,
  ): Promise<Actor | undefined> {
    // Watch the log before the ticket is redeemed: later events that end the session or deactivate
    // the account then end the connection.
    await this.logs.watch(organization.id)
    const redeemed = await this.tickets.redeem(organization.id, ticketUse)
    if (redeemed === undefined) return undefined
    if (organization.isDeactivated) throw new ChatError('CALLER_REALM_DEACTIVATED')
    this.#redeemed.set(request, redeemed.isForSession)
    return redeemed.actor
  }

  #byApiKey(
    authorization: string,
    request: ChatRequest,
    organization: Organization | undefined,
  ): Actor | Promise<Actor> {
    const proof = proofOf(organization?.id ?? 0, authorization)
    const known = this.#known.find(proof)
    if (known !== undefined) return known
    const { email, apiKey } = parseBasic(authorization)
    return this.#lookUp(proof, request, organization, () => this.#ofApiKey(apiKey, email))
  }

  #byKeyInQuery(
    request: ChatRequest,
    organization: Organization | undefined,
  ): Actor | Promise<Actor> {
    const apiKey = apiKeyInQuery(request.query)
    const proof = proofOf(organization?.id ?? 0, 'api_key', apiKey)
    return (
      this.#known.find(proof) ??
      this.#lookUp(proof, request, organization, () => this.#ofApiKey(apiKey))
    )
  }

  #byAccessToken(
    authorization: string,
    request: ChatRequest,
    organization: Organization,
  ): Actor | Promise<Actor> {
    const accessTokenHash = accessTokenHashOf(authorization, this.clock)
    if (accessTokenHash === undefined) throw new ChatError('UNAUTHORIZED')
    const proof = proofOf(organization.id, 'access_token', accessTokenHash)
    const scope = this.database.read(organization.id)
    const find = async (): Promise<FoundAccount | undefined> => {
      const user = await this.accessTokens.find(scope, accessTokenHash)
      return user && { user, accessTokenHash }
    }
    return (
      this.#known.find(proof) ?? this.#lookUp(proof, request, organization, find, 'UNAUTHORIZED')
    )
  }

  async #ofApiKey(apiKey: string, email?: string): Promise<FoundAccount | undefined> {
    const user = await this.credentials.findByApiKeyHash(hashApiKey(apiKey))
    if (user === undefined || user.email_key !== foldCase(email ?? user.email)) return undefined
    return { user, apiKeyHash: user.api_key_hash }
  }

  /** @throws {ChatError} `refusal` if there is no such account. */
  async #lookUp(
    proof: string,
    { remoteAddress }: ChatRequest,
    organization: Organization | undefined,
    find: () => Promise<FoundAccount | undefined>,
    refusal: 'INVALID_API_KEY' | 'UNAUTHORIZED' = 'INVALID_API_KEY',
  ): Promise<Actor> {
    const client = addressKey(remoteAddress)
    this.wrongKeys.requireLookUp(organization?.id ?? 0, client, proof)
    // Watch the log before the look-up: a change in between must not leave a stale cache entry.
    if (organization !== undefined) await this.logs.watch(organization.id)
    const { version } = this.callerCheck
    const found = await find()
    if (found === undefined) {
      await this.wrongKeys.count(organization?.id ?? 0, client)
      throw new ChatError(refusal)
    }
    this.wrongKeys.noteRight(proof)
    const { user, ...credential } = found
    await this.#requireUsable(user, organization)
    const actor = { ...actorOf(user), ...credential }
    if (this.callerCheck.note(actor, version)) this.#known.remember(proof, actor)
    return actor
  }

  async #requireUsable(user: UserRow, organization: Organization | undefined): Promise<void> {
    const own = await this.organizations.require(user.organization_id)
    if (own.isDeactivated) throw new ChatError('CALLER_REALM_DEACTIVATED')
    if (!user.is_active) throw new ChatError('CALLER_DEACTIVATED')
    if (user.organization_id !== organization?.id) throw wrongOrganization()
  }

  async #bySession(
    request: ChatRequest,
    organization: Organization,
    changesState: boolean,
  ): Promise<Actor | undefined> {
    if (this.hooks.identify === undefined) return undefined
    const context = { isRepeated: false, changesState }
    const actor = await this.#identify(request, organization, context)
    const hasCredentials = request.headers.authorization !== undefined
    if (actor === undefined && (hasCredentials || isFromBrowser(request))) {
      throw notSignedIn(request)
    }
    return actor
  }

  async #identify(
    request: ChatRequest,
    organization: Organization,
    use: LoginUse,
  ): Promise<Actor | undefined> {
    const identity = await this.logins.identify(request, organization, use)
    if (identity === undefined) return undefined
    if (organization.isDeactivated) throw new ChatError('CALLER_REALM_DEACTIVATED')
    return this.#ensure(organization, identity)
  }

  async #ensure(organization: Organization, identity: ExternalIdentity): Promise<Actor> {
    const { externalId, email, fullName, role, avatarUrl } = identity
    const proof = proofOf(organization.id, externalId, email, fullName, role, avatarUrl)
    const known = this.#known.find(proof)
    if (known !== undefined) return known
    await this.logs.watch(organization.id)
    const { version } = this.callerCheck
    const user = await this.externals.ensure(this.database.read(organization.id), identity)
    if (!user.is_active) throw new ChatError('CALLER_DEACTIVATED')
    const actor = actorOf(user)
    // A property that another account prevented may be possible after that account has changed.
    const isComplete = user.email === email && user.role === (role ?? user.role)
    if (this.callerCheck.note(actor, version)) this.#known.remember(proof, actor, !isComplete)
    return actor
  }
}

/** The error for a request without valid credentials, or whose session has ended. */
function notSignedIn(request: ChatRequest): ChatError {
  const isSession = request.headers.authorization === undefined && isFromBrowser(request)
  return new ChatError(isSession ? 'SESSION_REQUIRED' : 'UNAUTHORIZED')
}
