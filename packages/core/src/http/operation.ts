import type { RepeatableCall } from '../kernel/repeatable-call.js'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

import type { InjectionToken } from 'tsyringe'
import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox'

import type { Actor } from '../domain/users/actor.js'
import type { ChatError, ErrorKindName } from '../errors/index.js'
import type { SessionCheck } from '../events/queues/session-check.js'
import type { TextWriter } from '../texts/index.js'
import type { UploadDeclaration, UploadedFile } from './bodies/uploaded-file.js'
import type { OtherRateLimitDomain, RateLimitHeaders } from './limits/rate-limiter.js'
import type { Organization } from './ports.js'

/**
 * The callers that an operation allows; checked after the rate limit and before the parameters.
 *
 * - `anyone`: credentials are ignored.
 * - `visitor`: anyone too, but credentials are checked if the request has any.
 * - `user`: any authenticated user.
 * - `userOrSpectator`: also anyone, if the organization has web-public content.
 * - `human`: no bots. `nonGuest`: no guests. `humanNonGuest`: neither.
 * - `administrator`, `owner`: that role or one with more permissions.
 */
export type Access =
  | 'anyone'
  | 'visitor'
  | 'userOrSpectator'
  | 'user'
  | 'human'
  | 'nonGuest'
  | 'humanNonGuest'
  | 'administrator'
  | 'owner'

/** The facts about the request that an operation gets besides the parameters. */
export interface RequestFacts {
  readonly organization: Organization
  /** The sending client's name, as messages and queues record it; at most 30 characters. */
  readonly clientName: string
  /** URL at which the client reached the chat, such as `https://product.example/chat`. */
  readonly chatUrl: string
  readonly remoteAddress: string
  /**
   * Calls `listener` when the client disconnects, or at once if it already has.
   *
   * @returns a function after whose call `listener` is no longer needed.
   */
  onDisconnect(listener: () => void): () => void
  /** Checks again whether the caller is signed in; undefined for credentials of the chat. */
  readonly session: SessionCheck | undefined
  /** File parts; empty unless the operation declares `upload`. */
  readonly files: readonly UploadedFile[]
  /** Names of all parameters that the request carried. */
  readonly parameterNames: ReadonlySet<string>
  /** The `Authorization` header. */
  readonly authorization: string | undefined
  /** The `Accept-Language` header. */
  readonly acceptLanguage: string | undefined
  /** The `User-Agent` header, or an empty string. */
  readonly userAgent: string
  /**
   * Whether the request may be a navigation from another site, or is not a navigation to a page.
   * False only if Fetch Metadata shows that the navigation came from a page of the server itself,
   * or from no page.
   */
  readonly isCrossSiteNavigation: boolean
  /** The `Range` header. */
  readonly range: string | undefined
  /** The `If-None-Match` header. */
  readonly ifNoneMatch: string | undefined
  /** Identifies a call of the application that may be repeated; only for operations that take it. */
  readonly repeatable?: RepeatableCall | undefined
  /**
   * Collects the rate limits that the operation itself counts against, for the headers of the
   * response.
   */
  readonly rateLimitHeaders: RateLimitHeaders
}

/** The facts of an operation that only clients call, and never the application's own code. */
export interface ClientRequestFacts extends RequestFacts {
  /** The request of `node:http`, for the application's own functions. */
  readonly raw: IncomingMessage
}

/** A success body that is already JSON text, with its envelope: sent unchanged. */
export class SerializedReply {
  constructor(
    readonly json: string | Buffer,
    /** Whether the response was held until something happened (a long poll). */
    readonly delayed: boolean,
  ) {}
}

/** A success body that is a complete document, without the envelope of the other responses. */
export class DocumentReply {
  /** @param etag a strong entity tag, if clients may send conditional requests for the document. */
  constructor(
    readonly json: string | Buffer,
    readonly etag?: string,
  ) {}
}

/** Headers of a file that everybody may see, and whose URL no other file ever gets. */
export const cachedForever: Readonly<Record<string, string>> = {
  'Cache-Control': 'public, max-age=31536000, immutable',
}

/**
 * A success body that is a file: browsers show it as its declared type only. No cache stores it,
 * unless its headers allow that.
 */
export class FileReply {
  constructor(
    readonly content: Buffer | Readable,
    readonly contentType: string,
    readonly options: {
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
    } = {},
  ) {}
}

/** A part of a file, a redirection, a file that the client has already, and no part of a file. */
export type OtherStatus = 206 | 302 | 304 | 416

/** The result of an operation: the payload, or a body that is already serialized. */
export type OperationResult<Payload> = Payload | SerializedReply | DocumentReply | FileReply

export interface OperationContext<Params extends TProperties, Who extends Access> {
  readonly actor: Who extends 'anyone'
    ? undefined
    : Who extends 'visitor'
      ? Actor | undefined
      : Actor
  readonly params: Static<TObject<Params>>
  readonly request: Who extends 'anyone' ? ClientRequestFacts : RequestFacts
}

/** One operation of the API, declared as data and compiled at startup. */
export interface OperationDeclaration<
  Params extends TProperties,
  Response extends TSchema,
  Service,
  Who extends Access,
> {
  /** Kebab-case, unique; the same as the public API's operation id where it has one. */
  readonly id: string
  readonly summary: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to `/api/v1`, with `{name}` for path parameters. An integer parameter matches digits only. */
  readonly path: string
  /**
   * Whether `path` is relative to the chat's URL instead; it must begin with a fixed segment.
   */
  readonly isAtRoot?: boolean
  readonly access: Who
  /**
   * Whether it counts as administration although other users may call it too. Operations that only
   * administrators or owners may call always do. The option `administrationAddresses` applies to
   * these operations.
   */
  readonly isAdministrative?: boolean
  /**
   * Whether it concerns only the account of its caller, such as drafts: the application, which has
   * no account, cannot call it. @default false
   */
  readonly isPersonal?: boolean
  /** Path, query and body parameters alike, in the order in which problems are reported. */
  readonly params: Params
  /** The parameters that only clients have, with their values in calls of the application. */
  readonly clientParameters?: Readonly<Partial<Record<keyof Params, unknown>>>
  /** The payload of a success, without the envelope. */
  readonly response: Response
  /**
   * The media type of a success that has no envelope: `application/json` for a
   * {@link DocumentReply}, a type or range such as `image/*` for a {@link FileReply}.
   */
  readonly mediaType?: string
  /**
   * The statuses of results that are neither a whole success nor an error: of a {@link FileReply}
   * that has a status, and 304 of a {@link DocumentReply} with an entity tag.
   */
  readonly otherStatuses?: readonly OtherStatus[]
  /**
   * The kinds of error that this operation may answer with, besides those that every operation may.
   */
  readonly errors: readonly ErrorKindName[]
  readonly service: InjectionToken<Service>
  /** Whether the response may be held; such a call has its own rate limit. */
  readonly longPoll?: boolean
  /**
   * Whether a long response is compressed for clients that accept it. Only for operations that no
   * page of another site can call for a user, because its length tells something about its content.
   *
   * @default false
   */
  readonly isCompressed?: boolean
  /**
   * Whether a `GET` changes something: if only a cookie identifies the caller, it then requires the
   * same proof of origin as other methods. @default false
   */
  readonly changesState?: boolean
  /** Accepts file parts. */
  readonly upload?: UploadDeclaration<Service>
  /**
   * Whether it also serves hosts without an organization. `request.organization` is then
   * {@link noOrganization}. Only for operations that `anyone` may call.
   */
  readonly servesUnknownHosts?: boolean
  /**
   * Whether calls are rate limited by client address; only for operations that `anyone` may call.
   * Off by default: signing in has a limit of its own, and describing the server none.
   */
  readonly countedByAddress?: boolean
  /**
   * The limit for calls without credentials, by the parameters of the path. Calls with credentials
   * then have no limit: for files that a page shows.
   */
  readonly visitorLimit?: OtherRateLimitDomain
  /**
   * Whether the caller is authenticated by `api_key` in the query, as services require that only let
   * their users enter a URL. An `Authorization` header is accepted too, sessions are not.
   */
  readonly takesKeyInQuery?: boolean
  /** Whether a `GET` answers with a secret, so that its caller is checked as that of a write. */
  readonly answersWithSecrets?: boolean
  /**
   * The parameter that a body which is no form is the value of, as JSON; the other parameters are
   * then those of the query. Without it, the members of a JSON body are the parameters.
   */
  readonly bodyParameter?: string
  /** Whether bots of the type "incoming webhook" may call it. @default false */
  readonly servesIncomingWebhooks?: boolean
  /** Whether calls of the application may have a key with which they are repeated. @default false */
  readonly isRepeatable?: boolean
  /**
   * The id of the operation that this one is another path of: switching that one off, and hooks of
   * it, apply here too.
   */
  readonly aliasOf?: string
  /** The page that a browser shows in place of the JSON of an error; undefined for the JSON. */
  errorPage?(error: ChatError, visit: RefusedVisit): FileReply | undefined
  /** Whether it is omitted from the published OpenAPI document. */
  readonly undocumented?: boolean
  handle(
    service: Service,
    context: OperationContext<Params, Who>,
  ): Promise<OperationResult<Static<Response>>> | OperationResult<Static<Response>>
}

/** How a request that is refused wants the error to be shown. */
export interface RefusedVisit {
  /** Writes in the language that the request or its organization prefers. */
  readonly writer: TextWriter
  /** Whether the request prefers HTML to JSON, as those of browsers that open a link do. */
  readonly prefersHtml: boolean
}

/** An operation of any type, for tables of operations. */
export type Operation = OperationDeclaration<TProperties, TSchema, unknown, Access>

/** Whether a call of the operation may change something. */
export function mayChangeState(one: Pick<Operation, 'method' | 'changesState'>): boolean {
  return one.method !== 'GET' || one.changesState === true
}

/** Declares an operation; the types of `params`, `actor` and the result are inferred. */
export function defineOperation<
  const Params extends TProperties,
  Response extends TSchema,
  Service,
  const Who extends Access,
>(declaration: OperationDeclaration<Params, Response, Service, Who>): Operation {
  return declaration as unknown as Operation
}

type Command<Params extends TProperties, Service, Who extends Access> = Omit<
  OperationDeclaration<Params, TObject, Service, Who>,
  'response' | 'handle'
> & {
  readonly handle: (service: Service, context: OperationContext<Params, Who>) => Promise<unknown>
}

/** Declares an operation whose success has no payload. */
export function defineCommand<const Params extends TProperties, Service, const Who extends Access>({
  handle,
  ...declaration
}: Command<Params, Service, Who>): Operation {
  return defineOperation<Params, TObject, Service, Who>({
    ...declaration,
    response: Type.Object({}),
    async handle(service, context) {
      await handle(service, context)
      return {}
    },
  })
}
