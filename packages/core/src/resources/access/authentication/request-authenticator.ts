import { inject } from 'tsyringe'

import { foldCase } from '../../../domain/texts/folding.js'
import { isSpectator, type Actor } from '../../../domain/users/actor.js'
import { ChatError, namedText } from '../../../errors/index.js'
import { FollowedLogs } from '../../../events/log/followed-logs.js'
import type { SessionCheck } from '../../../events/queues/session-check.js'
import type { ChatRequest } from '../../../http/chat-request.js'
import { isFromBrowser } from '../../../http/pipeline/browser-requests.js'
import { HostHooksToken, type HostHooks } from '../../../http/pipeline/host-identity.js'
import type { Authenticator, CallDetails, Organization, TicketUse } from '../../../http/ports.js'
import { addressKey } from '../../../kernel/limit-keys.js'
import type { Logger } from '../../../kernel/logger.js'
import { perServer } from '../../../kernel/per-server.js'
import { LoggerToken } from '../../../kernel/tokens.js'
import { Database } from '../../../storage/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { hashApiKey } from '../../people/credentials/index.js'
import {
  actorOf,
  ExternalAccounts,
  requireIdentity,
  type ExternalIdentity,
  type UserRow,
} from '../../people/users/index.js'
import { apiKeyInQuery, parseBasic } from './basic-credentials.js'
import { CallerCheck, changedAccountIds, changesAccounts } from './caller-check.js'
import { CredentialRepository } from './credential-repository.js'
import { KnownCallers, proofOf } from './known-callers.js'
import { requireSameOrigin } from './same-origin.js'
import { SocketTickets } from './socket-tickets.js'
import { WrongKeyLimit } from './wrong-key-limit.js'

/** Authenticates requests by API key, by the application's own session, or by a ticket. */
@perServer()
export class RequestAuthenticator implements Authenticator {
  readonly #known = new KnownCallers()
  /** Upgrade requests that a ticket has opened: whether it was issued to a session. */
  readonly #redeemed = new WeakMap<ChatRequest, boolean>()
  #version = 0

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(CredentialRepository) private readonly credentials: CredentialRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ExternalAccounts) private readonly externals: ExternalAccounts,
    @inject(SocketTickets) private readonly tickets: SocketTickets,
    @inject(WrongKeyLimit) private readonly wrongKeys: WrongKeyLimit,
    @inject(HostHooksToken) private readonly hooks: HostHooks,
    @inject(CallerCheck) private readonly callerCheck: CallerCheck,
    @inject(FollowedLogs) private readonly logs: FollowedLogs,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {
    logs.observe((organizationId, kind, data, userIds) => {
      if (!changesAccounts(kind)) return
      this.#version += 1
      const changed = changedAccountIds(kind, data, userIds)
      if (changed === 'all') this.#known.forgetOrganization(organizationId)
      else for (const userId of changed) this.#known.forgetUser(organizationId, userId)
    }, changesAccounts)
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
    if (authorization !== undefined) return this.#byApiKey(authorization, request, organization)
    if (details.takesKeyInQuery === true) return this.#byKeyInQuery(request, organization)
    if (organization === undefined) return undefined
    return this.#withoutApiKey(request, organization, details)
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
    if (request.headers.authorization !== undefined) return undefined
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
    return (
      this.#known.find(proof) ??
      this.#findByApiKey(proof, request, organization, () => parseBasic(authorization))
    )
  }

  #byKeyInQuery(
    request: ChatRequest,
    organization: Organization | undefined,
  ): Actor | Promise<Actor> {
    const apiKey = apiKeyInQuery(request.query)
    const proof = proofOf(organization?.id ?? 0, 'api_key', apiKey)
    return (
      this.#known.find(proof) ??
      this.#findByApiKey(proof, request, organization, () => ({ apiKey }))
    )
  }

  async #findByApiKey(
    proof: string,
    { remoteAddress }: ChatRequest,
    organization: Organization | undefined,
    credentialsOf: () => { readonly email?: string; readonly apiKey: string },
  ): Promise<Actor> {
    const { email, apiKey } = credentialsOf()
    const client = addressKey(remoteAddress)
    this.wrongKeys.requireLookUp(organization?.id ?? 0, client, proof)
    // Watch the log before the look-up: a change in between must not leave a stale cache entry.
    if (organization !== undefined) await this.logs.watch(organization.id)
    const version = this.#version
    const checkedVersion = this.callerCheck.version
    const user = await this.credentials.findByApiKeyHash(hashApiKey(apiKey))
    if (user === undefined || user.email_key !== foldCase(email ?? user.email)) {
      await this.wrongKeys.count(organization?.id ?? 0, client)
      throw new ChatError('INVALID_API_KEY')
    }
    this.wrongKeys.noteRight(proof)
    await this.#requireUsable(user, organization)
    const actor = { ...actorOf(user), apiKeyHash: user.api_key_hash }
    this.callerCheck.note(actor, checkedVersion)
    if (version === this.#version) this.#known.remember(proof, actor)
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
    if (actor === undefined && isFromBrowser(request)) throw notSignedIn(request)
    return actor
  }

  async #identify(
    request: ChatRequest,
    organization: Organization,
    { isRepeated, changesState = false }: { isRepeated: boolean; changesState?: boolean },
  ): Promise<Actor | undefined> {
    const hostIdentity = await this.hooks.identify?.(request.raw, {
      isRepeated,
      context: request.context,
    })
    if (hostIdentity === null || hostIdentity === undefined) return undefined
    if (!isRepeated) await requireSameOrigin(request, this.hooks, changesState)
    const identity = this.#checked(hostIdentity)
    if (
      hostIdentity.organization !== undefined &&
      hostIdentity.organization !== organization.subdomain
    ) {
      throw wrongOrganization()
    }
    if (organization.isDeactivated) throw new ChatError('CALLER_REALM_DEACTIVATED')
    return this.#ensure(organization, identity)
  }

  /** @throws {ChatError} `INTERNAL_SERVER_ERROR`; the reason is logged, not sent to the client. */
  #checked(hostIdentity: unknown): ExternalIdentity {
    try {
      const identity = requireIdentity(hostIdentity, 'identify')
      if (this.hooks.resolveOrganization === undefined || hasOrganization(hostIdentity))
        return identity
      throw new TypeError(
        'identify: organization is missing: with resolveOrganization, it says in which organization the user is',
      )
    } catch (error) {
      if (error instanceof TypeError) this.logger.error(error.message)
      throw new ChatError('INTERNAL_SERVER_ERROR', { cause: error })
    }
  }

  async #ensure(organization: Organization, identity: ExternalIdentity): Promise<Actor> {
    const { externalId, email, fullName, role, avatarUrl } = identity
    const proof = proofOf(organization.id, externalId, email, fullName, role, avatarUrl)
    const known = this.#known.find(proof)
    if (known !== undefined) return known
    await this.logs.watch(organization.id)
    const version = this.#version
    const checkedVersion = this.callerCheck.version
    const user = await this.externals.ensure(this.database.read(organization.id), identity)
    if (!user.is_active) throw new ChatError('CALLER_DEACTIVATED')
    const actor = actorOf(user)
    this.callerCheck.note(actor, checkedVersion)
    // What the account could not get, because of another one, it may get after that one has changed.
    const isComplete = user.email === email && user.role === (role ?? user.role)
    if (version === this.#version) this.#known.remember(proof, actor, !isComplete)
    return actor
  }
}

function hasOrganization(identity: unknown): boolean {
  return (
    typeof identity === 'object' &&
    identity !== null &&
    'organization' in identity &&
    identity.organization !== undefined
  )
}

/** The error for a request without credentials, or whose session has ended. */
function notSignedIn(request: ChatRequest): ChatError {
  return new ChatError(isFromBrowser(request) ? 'SESSION_REQUIRED' : 'UNAUTHORIZED')
}

function wrongOrganization(): ChatError {
  return new ChatError('UNAUTHORIZED', {
    text: namedText('ACCOUNT_IN_OTHER_ORGANIZATION'),
  })
}
