import { spectatorOf, type Actor } from '../../domain/users/actor.js'
import { ChatError, namedText } from '../../errors/index.js'
import type { ChatRequest } from '../chat-request.js'
import type { Operation } from '../operation.js'
import type { Authenticator, Organization, SpectatorGate, TicketUse } from '../ports.js'
import { requireServedActor } from './access.js'

/** Determines the caller of an operation, as far as the operation requires one. */
export class Callers {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly spectators: SpectatorGate,
  ) {}

  /**
   * @returns undefined for an unauthenticated caller of an operation that allows such callers.
   * @throws {ChatError} one of the 401 rows if the operation requires credentials that are missing
   *   or wrong; `NONEXISTENT_SUBDOMAIN` if it needs an organization and the request names none.
   */
  find(
    operation: Operation,
    request: ChatRequest,
    organization: Organization | undefined,
  ): Actor | undefined | Promise<Actor | undefined> {
    const { access } = operation
    if (access === 'anyone') return requireServed(operation, organization)
    if (access !== 'visitor' && access !== 'userOrSpectator') {
      return this.require(operation, request, organization)
    }
    return this.#findVisitor(operation, request, organization)
  }

  async #findVisitor(
    operation: Operation,
    request: ChatRequest,
    organization: Organization | undefined,
  ): Promise<Actor | undefined> {
    const { access } = operation
    if (access === 'visitor') requireServed(operation, organization)
    try {
      return await this.require(operation, request, organization)
    } catch (error) {
      const isAnonymous =
        error instanceof ChatError &&
        (error.kind === 'SESSION_REQUIRED' ||
          (error.kind === 'UNAUTHORIZED' && request.headers.authorization === undefined))
      if (isAnonymous && access === 'visitor') return undefined
      if (isAnonymous && (await this.#admitsSpectators(organization))) {
        return spectatorOf(organization?.id ?? 0)
      }
      throw error
    }
  }

  async #admitsSpectators(organization: Organization | undefined): Promise<boolean> {
    if (organization === undefined || organization.isDeactivated) return false
    return this.spectators.admits(organization.id)
  }

  /**
   * Authenticates a caller by credentials.
   *
   * @param ticketUse only where a WebSocket is to be opened.
   * @throws {ChatError} one of the 401 rows if they are missing, wrong, or of another organization.
   */
  require(
    operation: Operation,
    request: ChatRequest,
    organization: Organization | undefined,
    ticketUse?: TicketUse,
  ): Actor | Promise<Actor> {
    const { changesState, takesKeyInQuery } = operation
    const details = { ticketUse, changesState, takesKeyInQuery }
    const found = this.authenticator.authenticate(request, organization, details)
    return found instanceof Promise
      ? found.then((actor) => requireMember(operation, organization, actor))
      : requireMember(operation, organization, found)
  }
}

function requireMember(
  operation: Operation,
  organization: Organization | undefined,
  actor: Actor | undefined,
): Actor {
  if (actor === undefined) throw new ChatError('UNAUTHORIZED')
  if (actor.organizationId !== organization?.id) {
    throw new ChatError('UNAUTHORIZED', {
      text: namedText('ACCOUNT_IN_OTHER_ORGANIZATION'),
    })
  }
  requireServedActor(operation, actor)
  return actor
}

function requireServed(operation: Operation, organization: Organization | undefined): undefined {
  if (organization === undefined && operation.servesUnknownHosts !== true) {
    throw new ChatError('NONEXISTENT_SUBDOMAIN')
  }
}
