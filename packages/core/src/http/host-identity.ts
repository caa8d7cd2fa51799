import type { IncomingMessage } from 'node:http'

import type { InjectionToken } from 'tsyringe'

/** Who the application's own login says that a request comes from. */
export interface HostIdentity {
  /**
   * The application's id of the user: a string of 1 to 190 characters, or an integer, which is the
   * same as its decimal text. Never an address, which could pass to another user.
   */
  readonly externalId: string | number
  readonly email: string
  /** Not blank; cut after 100 characters. */
  readonly fullName: string
  /**
   * 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.
   * The only owner of an organization keeps that role, and the log says so once.
   * @default 400 for a new user; an existing one keeps the role
   */
  readonly role?: 100 | 200 | 300 | 400 | 600
  /** The `subdomain` of the user's organization; required with `resolveOrganization`. */
  readonly organization?: string
}

/** What the application may want to know about the question that `identify` asks. */
export interface IdentifyContext {
  /**
   * Whether the request was identified before and is still open: a long poll or a WebSocket. What
   * middleware has left on it is as old as the request, so read the session again.
   */
  readonly isRepeated: boolean
}

/**
 * Asks the application's own session who a request comes from; null or undefined if from nobody.
 * Long polls and WebSockets are asked about again at every heartbeat.
 *
 * The application's middleware has seen the request, except where it opens a WebSocket: Node gives
 * such a request to nobody else. An application whose sessions only its middleware can read gives
 * its pages tickets for WebSockets instead, by `POST /events/ticket`.
 */
export type Identify = (
  request: IncomingMessage,
  context: IdentifyContext,
) => HostIdentity | null | undefined | Promise<HostIdentity | null | undefined>

/** A user of one of several organizations. */
export interface OrganizationIdentity extends HostIdentity {
  readonly organization: string
}

/** {@link Identify} where there are several organizations: it says in which of them the user is. */
export type IdentifyInOrganization = (
  request: IncomingMessage,
  context: IdentifyContext,
) => OrganizationIdentity | null | undefined | Promise<OrganizationIdentity | null | undefined>

/** Asks the application which organization a request is addressed to, by `subdomain`. */
export type ResolveOrganization = (
  request: IncomingMessage,
) => string | null | Promise<string | null>

/** Where clients reach the server; undefined if the application leaves it to the request. */
export type BaseUrlOf = (request: IncomingMessage) => string | undefined

/** The application's hooks into who calls and whom they address. */
export interface HostHooks {
  readonly identify: Identify | undefined
  readonly resolveOrganization: ResolveOrganization | undefined
  readonly baseUrlOf: BaseUrlOf
  /** Origins besides the server's own from which cookie-identified requests may write. */
  readonly trustedOriginsOf: (
    request: IncomingMessage,
  ) => readonly string[] | Promise<readonly string[]>
}

export const HostHooksToken: InjectionToken<HostHooks> = Symbol('HostHooks')
