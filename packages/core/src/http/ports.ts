import type { InjectionToken } from 'tsyringe'

import type { Actor } from '../domain/actor.js'
import type { SessionCheck } from '../events/session-check.js'
import type { ChatRequest } from './chat-request.js'

/** The organization that a request is addressed to. */
export interface Organization {
  readonly id: number
  /** The identifier in host names; empty for the only or root organization. */
  readonly subdomain: string
  readonly name: string
  readonly isDeactivated: boolean
}

/** Stands for the organization in operations that also answer where the address names none. */
export const noOrganization: Organization = Object.freeze({
  id: 0,
  subdomain: '',
  name: '',
  isDeactivated: false,
})

/** Finds the organization that a request is addressed to. */
export interface OrganizationResolver {
  resolve(request: ChatRequest): Promise<Organization | undefined>
}
export const OrganizationResolverToken: InjectionToken<OrganizationResolver> =
  Symbol('OrganizationResolver')

/** Knows which organizations show something to the whole web. */
export interface SpectatorGate {
  /** Whether somebody without an account may look at the organization now. */
  admits(organizationId: number): Promise<boolean>
}
export const SpectatorGateToken: InjectionToken<SpectatorGate> = Symbol('SpectatorGate')

/** What the request for a WebSocket has instead of credentials. */
export interface TicketUse {
  readonly ticket: string
  /** The event queue that is asked for; undefined for a new one. */
  readonly queueId: string | undefined
}

/** What an operation says about a call. */
export interface CallDetails {
  /** Only where a WebSocket is to be opened: a ticket is good for nothing else. */
  readonly ticketUse?: TicketUse | undefined
  /** Whether the call changes something, although it is a `GET`. @default false */
  readonly changesState?: boolean | undefined
}

/** Finds out who sends a request. */
export interface Authenticator {
  /**
   * @returns who calls, or undefined when the request carries no credentials of any kind.
   * @throws {ChatError} one of the 401 rows if the credentials are wrong;
   *   `CSRF_FAILED` if only a cookie identifies a call that changes something, without a
   *   proof of the same origin.
   */
  authenticate(
    request: ChatRequest,
    organization: Organization | undefined,
    details?: CallDetails,
  ): Promise<Actor | undefined>
  /**
   * How to ask again about a request that was authenticated as `actor`.
   *
   * @returns undefined where the application's own session does not vouch for it.
   */
  sessionOf(
    request: ChatRequest,
    organization: Organization | undefined,
    actor: Actor | undefined,
  ): SessionCheck | undefined
}
export const AuthenticatorToken: InjectionToken<Authenticator> = Symbol('Authenticator')
