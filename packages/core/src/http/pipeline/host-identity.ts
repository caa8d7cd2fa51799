import type { IncomingMessage } from 'node:http'

import type { InjectionToken } from 'tsyringe'

/** The user that the application's own login identifies. */
export interface HostIdentity {
  /**
   * The application's id of the user: a string of 1 to 190 characters, or an integer, which is the
   * same as its decimal text. Not an e-mail address, which could be reassigned to another user.
   */
  readonly externalId: string | number
  readonly email: string
  /** Not blank; truncated to 100 characters. */
  readonly fullName: string
  /**
   * 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. The only owner of an
   * organization keeps that role; a warning is logged once.
   * @default the organization's role of new users (`newUserRole`), 400 unless it was changed; an
   *   existing user keeps the role
   */
  readonly role?: 100 | 200 | 300 | 400 | 600
  /**
   * The application's picture of the user: an https address or a path of the application, such as
   * `/pictures/7.png`, of at most 1,000 characters. Clients are redirected to it. Null for none;
   * a picture that the user has uploaded stays.
   * @default the picture stays as it is
   */
  readonly avatarUrl?: string | null
  /** The `subdomain` of the user's organization; required with `resolveOrganization`. */
  readonly organization?: string
  /**
   * How the request shows who the user is: by a cookie, or anything else that browsers add by
   * themselves, or by a token that only a program adds, such as `Authorization: Bearer`. With a token,
   * a request that writes need not come from a page of the server or of `trustedOrigins`.
   * @default 'token' for a request with `Authorization: Bearer` and without cookies, else 'cookie'
   */
  readonly via?: 'cookie' | 'token'
}

/** The context of a call of `identify`. */
export interface IdentifyContext {
  /**
   * Whether the request was identified before and is still open: a long poll or a WebSocket. Data
   * that middleware has put on it is as old as the request, so read the session again.
   */
  readonly isRepeated: boolean
  /**
   * The framework's own object for the request: Koa's context, the `Request` of `chat.fetch`. The
   * request of `node:http` where there is no other: in Express, which extends it, without a
   * framework, and for a request that opens a WebSocket.
   */
  readonly context: unknown
  /** Tells `chat.diagnose()` why a token has no user, without anything of the token. */
  readonly refused?: (reason: string) => void
}

/**
 * Identifies the user of a request by the application's own session or token; null or undefined if
 * there is none. Called again for long polls and WebSockets at every heartbeat.
 *
 * Called for all requests but those with an API key (`Authorization: Basic`), with a token of
 * `chat.users.createToken`, or with a valid ticket.
 *
 * The request has passed the application's middleware, except when it opens a WebSocket: Node does
 * not pass such a request to middleware. An application whose sessions can only be read by
 * middleware gives its pages tickets for WebSockets instead, by `POST /events/ticket`.
 */
export type Identify = (
  request: IncomingMessage,
  context: IdentifyContext,
) => HostIdentity | null | undefined | Promise<HostIdentity | null | undefined>

/** The identity of a user of one of several organizations. */
export interface OrganizationIdentity extends HostIdentity {
  readonly organization: string
}

/** {@link Identify} for several organizations: the identity includes the user's organization. */
export type IdentifyInOrganization = (
  request: IncomingMessage,
  context: IdentifyContext,
) => OrganizationIdentity | null | undefined | Promise<OrganizationIdentity | null | undefined>

/** Determines the organization that a request is addressed to, by `subdomain`. */
export type ResolveOrganization = (
  request: IncomingMessage,
) => string | null | Promise<string | null>

/** The URL at which clients reach the server; undefined to derive it from the request. */
export type BaseUrlOf = (request: IncomingMessage) => string | undefined

/** The application's hooks for identifying users and organizations. */
export interface HostHooks {
  readonly identify: Identify | undefined
  readonly resolveOrganization: ResolveOrganization | undefined
  readonly baseUrlOf: BaseUrlOf
  /** Origins, besides the server's own, whose pages may read and write. */
  readonly trustedOriginsOf: (
    request: IncomingMessage,
  ) => readonly string[] | Promise<readonly string[]>
}

export const HostHooksToken: InjectionToken<HostHooks> = Symbol('HostHooks')
