import type { InjectionToken } from 'tsyringe'

import type { Actor } from '../domain/users/actor.js'
import type { SessionCheck } from '../events/queues/session-check.js'
import type { ChatRequest } from './chat-request.js'

/** The organization that a request is addressed to. */
export interface Organization {
  readonly id: number
  /** The organization's name in host names; empty for the only or root organization. */
  readonly subdomain: string
  readonly name: string
  readonly isDeactivated: boolean
}

/** Stands for the organization in operations that also serve hosts without one. */
export const noOrganization: Organization = Object.freeze({
  id: 0,
  subdomain: '',
  name: '',
  isDeactivated: false,
})

/** Resolves the organization that a request is addressed to. */
export interface OrganizationResolver {
  resolve(request: ChatRequest): Promise<Organization | undefined>
}
export const OrganizationResolverToken: InjectionToken<OrganizationResolver> =
  Symbol('OrganizationResolver')

/** Checks which organizations have web-public content. */
export interface SpectatorGate {
  /** Whether spectators may currently read the organization. */
  admits(organizationId: number): Promise<boolean>
}
export const SpectatorGateToken: InjectionToken<SpectatorGate> = Symbol('SpectatorGate')

/** The languages that people have chosen, as tags. */
export interface LanguageSettings {
  /** The language of a caller; undefined for a caller without settings. */
  ofUser(actor: Actor): Promise<string | undefined>
  /** The language of new users of an organization. */
  ofOrganization(organizationId: number): Promise<string | undefined>
}

/** The ticket of a request for a WebSocket, in place of credentials. */
export interface TicketUse {
  readonly ticket: string
  /** The requested event queue; undefined for a new one. */
  readonly queueId: string | undefined
}

/** Properties of a call that affect its authentication. */
export interface CallDetails {
  /** Only where a WebSocket is to be opened: a ticket is valid for nothing else. */
  readonly ticketUse?: TicketUse | undefined
  /** Whether the call changes something, although it is a `GET`. @default false */
  readonly changesState?: boolean | undefined
  /** Whether the caller is identified by `api_key` in the query, and not by a session. @default false */
  readonly takesKeyInQuery?: boolean | undefined
}

/** Authenticates requests. */
export interface Authenticator {
  /**
   * Synchronous for the caller of a recent request.
   *
   * @returns the caller, or undefined when the request carries no credentials of any kind.
   * @throws {ChatError} one of the 401 rows if the credentials are wrong; `CSRF_FAILED` if only a
   *   cookie identifies a call that changes something, without a proof of the same origin.
   */
  authenticate(
    request: ChatRequest,
    organization: Organization | undefined,
    details?: CallDetails,
  ): Actor | undefined | Promise<Actor | undefined>
  /**
   * Reads the account of a caller again, whatever this process knows of it.
   *
   * @throws {ChatError} `INVALID_API_KEY` if the API key that identified the caller was replaced; the
   *   error of a deactivated account or organization; `BAD_REQUEST` if it has lost permissions.
   */
  requireCurrent(actor: Actor): Promise<void>
  /**
   * Returns the check that repeats the authentication of a request of `actor`.
   *
   * @returns undefined if the request was not authenticated by the application's own session.
   */
  sessionOf(
    request: ChatRequest,
    organization: Organization | undefined,
    actor: Actor | undefined,
  ): SessionCheck | undefined
}

/** Has messages that callers have received written in the background. */
export interface CallerNotes {
  /** To be called for each call. */
  noteCaller(actor: Actor): void
}
export const AuthenticatorToken: InjectionToken<Authenticator> = Symbol('Authenticator')

/** Refuses writes that would wait too long. */
export interface WriteAdmission {
  /** @throws {ChatError} `SERVICE_UNAVAILABLE` with `retry-after` if a write of the caller would. */
  requireShortWait(caller: Actor): void
}
