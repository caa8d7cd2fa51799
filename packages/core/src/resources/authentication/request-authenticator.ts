import { LRUCache } from 'lru-cache'
import { inject } from 'tsyringe'

import { isSpectator, type Actor } from '../../domain/actor.js'
import { foldCase } from '../../domain/folding.js'
import { ChatError } from '../../errors/index.js'
import { EventDelivery } from '../../events/delivery.js'
import type { SessionCheck } from '../../events/session-check.js'
import type { ChatRequest } from '../../http/chat-request.js'
import { HostHooksToken, type HostHooks } from '../../http/host-identity.js'
import type { Authenticator, Organization } from '../../http/ports.js'
import type { Logger } from '../../kernel/logger.js'
import { perServer } from '../../kernel/per-server.js'
import { LoggerToken } from '../../kernel/tokens.js'
import { Database } from '../../storage/index.js'
import { hashApiKey } from '../credentials/index.js'
import { OrganizationService } from '../organizations/index.js'
import {
  actorOf,
  ExternalAccounts,
  requireIdentity,
  type ExternalIdentity,
  type UserRow,
} from '../users/index.js'
import { CallerCheck, changesAccounts } from './caller-check.js'
import { CredentialRepository } from './credential-repository.js'
import { requireSameOrigin } from './same-origin.js'
import { SocketTickets } from './socket-tickets.js'

const maxRemembered = 20_000
const apiKeyPattern = /^[A-Za-z0-9]{32}$/

/** Finds out who sends a request: by API key, by the application's own session, or by a ticket. */
@perServer()
export class RequestAuthenticator implements Authenticator {
  /** Accounts by the credentials that proved them, until the account changes. */
  readonly #byCredentials = new LRUCache<string, Actor>({ max: maxRemembered })
  /** Upgrades that a ticket has opened: whether it was issued to a session. */
  readonly #redeemed = new WeakMap<ChatRequest, boolean>()
  #version = 0

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(CredentialRepository) private readonly credentials: CredentialRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ExternalAccounts) private readonly externals: ExternalAccounts,
    @inject(SocketTickets) private readonly tickets: SocketTickets,
    @inject(HostHooksToken) private readonly hooks: HostHooks,
    @inject(CallerCheck) private readonly callerCheck: CallerCheck,
    @inject(EventDelivery) private readonly delivery: EventDelivery,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {
    delivery.observe((_, kind) => {
      if (!changesAccounts(kind)) return
      this.#version += 1
      this.#byCredentials.clear()
    }, changesAccounts)
  }

  async authenticate(
    request: ChatRequest,
    organization: Organization | undefined,
  ): Promise<Actor | undefined> {
    const { authorization } = request.headers
    if (authorization !== undefined) return this.#byApiKey(authorization, organization)
    if (organization === undefined) return undefined
    const isUpgrade = request.headers.upgrade !== undefined
    if (isUpgrade && request.query.includes('ticket=')) {
      const redeemed = await this.tickets.redeem(organization.id, request.query)
      if (redeemed !== undefined && organization.isDeactivated) {
        throw new ChatError('CALLER_REALM_DEACTIVATED')
      }
      if (redeemed !== undefined) {
        this.#redeemed.set(request, redeemed.isForSession)
        return redeemed.actor
      }
    }
    return this.#bySession(request, organization)
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
        // The request that a ticket has opened may carry nothing that `identify` could look at.
        if (isForSession === true) return undefined
        try {
          const current = await this.#identify(request, organization, true)
          return current?.userId === actor.userId ? undefined : refusal
        } catch (error) {
          if (error instanceof ChatError && error.status === 401) return error
          this.logger.warn('Asking again who a connection belongs to failed', { err: error })
          return undefined
        }
      },
    }
  }

  async #byApiKey(authorization: string, organization: Organization | undefined): Promise<Actor> {
    const cacheKey = `${organization?.id ?? 0} ${authorization}`
    const known = this.#byCredentials.get(cacheKey)
    if (known !== undefined) return known
    const { email, apiKey } = parseBasic(authorization)
    // Followed from before the look-up: a change in between must not leave a stale answer behind.
    if (organization !== undefined) await this.delivery.watch(organization.id)
    const version = this.#version
    const checkedVersion = this.callerCheck.version
    const user = await this.credentials.findByApiKeyHash(hashApiKey(apiKey))
    if (user === undefined || user.email_key !== foldCase(email)) {
      throw new ChatError('INVALID_API_KEY')
    }
    await this.#requireUsable(user, organization)
    const actor = actorOf(user)
    this.callerCheck.note(actor, checkedVersion)
    if (version === this.#version) this.#byCredentials.set(cacheKey, actor)
    return actor
  }

  async #requireUsable(user: UserRow, organization: Organization | undefined): Promise<void> {
    const own = await this.organizations.require(user.organization_id)
    if (own.isDeactivated) throw new ChatError('CALLER_REALM_DEACTIVATED')
    if (!user.is_active) throw new ChatError('CALLER_DEACTIVATED')
    if (user.organization_id !== organization?.id) throw wrongOrganization()
  }

  async #bySession(request: ChatRequest, organization: Organization): Promise<Actor | undefined> {
    if (this.hooks.identify === undefined) return undefined
    const actor = await this.#identify(request, organization, false)
    if (actor === undefined && isFromBrowser(request)) throw notSignedIn(request)
    return actor
  }

  async #identify(
    request: ChatRequest,
    organization: Organization,
    isRepeated: boolean,
  ): Promise<Actor | undefined> {
    const given = await this.hooks.identify?.(request.raw, { isRepeated })
    if (given === null || given === undefined) return undefined
    await requireSameOrigin(request, this.hooks)
    const identity = this.#checked(given)
    if (given.organization !== undefined && given.organization !== organization.subdomain) {
      throw wrongOrganization()
    }
    if (organization.isDeactivated) throw new ChatError('CALLER_REALM_DEACTIVATED')
    return this.#ensure(organization, identity)
  }

  /** @throws {ChatError} `INTERNAL_SERVER_ERROR`; what is wrong is for the log, not for the client. */
  #checked(given: unknown): ExternalIdentity {
    try {
      return requireIdentity(given, 'identify')
    } catch (error) {
      if (error instanceof TypeError) this.logger.error(error.message)
      throw new ChatError('INTERNAL_SERVER_ERROR', { cause: error })
    }
  }

  async #ensure(organization: Organization, identity: ExternalIdentity): Promise<Actor> {
    const { externalId, email, fullName, role } = identity
    const cacheKey = JSON.stringify([organization.id, externalId, email, fullName, role])
    const known = this.#byCredentials.get(cacheKey)
    if (known !== undefined) return known
    await this.delivery.watch(organization.id)
    const version = this.#version
    const checkedVersion = this.callerCheck.version
    const user = await this.externals.ensure(this.database.read(organization.id), identity)
    if (!user.is_active) throw new ChatError('CALLER_DEACTIVATED')
    const actor = actorOf(user)
    this.callerCheck.note(actor, checkedVersion)
    if (version === this.#version) this.#byCredentials.set(cacheKey, actor)
    return actor
  }
}

/** What a request is answered that carries no credentials, or whose session has ended. */
function notSignedIn(request: ChatRequest): ChatError {
  return new ChatError(isFromBrowser(request) ? 'SESSION_REQUIRED' : 'UNAUTHORIZED')
}

/** Browsers send Fetch Metadata; those that are too old for it have at least a cookie. */
function isFromBrowser({ headers }: ChatRequest): boolean {
  return headers['sec-fetch-mode'] !== undefined || headers.cookie !== undefined
}

function wrongOrganization(): ChatError {
  return new ChatError('UNAUTHORIZED', {
    message: 'Account is not associated with this subdomain',
  })
}

/** RFC 7617. */
function parseBasic(authorization: string): { email: string; apiKey: string } {
  const [scheme, encoded, ...rest] = authorization.trim().split(/\s+/)
  if (encoded === undefined || rest.length > 0) throw invalidHeader()
  if (scheme?.toLowerCase() !== 'basic') {
    throw new ChatError('BAD_REQUEST', {
      message: 'This endpoint requires HTTP basic authentication.',
    })
  }
  const decoded = Buffer.from(encoded, 'base64').toString('utf8')
  const [email, apiKey, ...more] = decoded.split(':')
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded) || decoded.includes('\uFFFD')) throw invalidHeader()
  if (email === undefined || apiKey === undefined || more.length > 0) throw invalidHeader()
  if (!apiKeyPattern.test(apiKey.trim())) {
    throw new ChatError('INVALID_API_KEY', { message: 'Malformed API key' })
  }
  return { email: email.trim(), apiKey: apiKey.trim() }
}

function invalidHeader(): ChatError {
  return new ChatError('UNAUTHORIZED', { message: 'Invalid authorization header for basic auth' })
}
