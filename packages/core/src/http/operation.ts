import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

import type { InjectionToken } from 'tsyringe'
import type { Static, TObject, TProperties, TSchema } from 'typebox'

import type { Actor } from '../domain/actor.js'
import type { ChatError, ErrorKindName } from '../errors/index.js'
import type { SessionCheck } from '../events/session-check.js'
import type { Organization } from './ports.js'
import type { RateLimitHeaders, RateLimitDomain } from './rate-limiter.js'

/**
 * Who may call an operation at all; checked after the rate limit and before the parameters.
 *
 * - `anyone`: no credentials are looked at.
 * - `visitor`: anyone too, but credentials are looked at where there are some.
 * - `user`: any authenticated user.
 * - `userOrSpectator`: where the organization shows something to the whole web, anyone besides.
 * - `human`: no bots. `nonGuest`: no guests. `humanNonGuest`: neither.
 * - `administrator`, `owner`: that role or a stronger one.
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

/** A file part of a `multipart/form-data` body. */
export interface UploadedFile {
  readonly fieldName: string
  /** As the client named it. */
  readonly fileName: string
  readonly contentType: string
  readonly bytes: Buffer
  /** Whether the part was longer than the operation takes; `bytes` is then cut. */
  readonly truncated: boolean
  /** What the operation's `upload.receive` has made of it; `bytes` is then empty. */
  readonly received?: unknown
}

/** A file part that is still arriving. */
export interface IncomingFile {
  /** As the client named it. */
  readonly fileName: string
  readonly contentType: string
  /** Fails when the request does. */
  readonly content: Readable
}

/** How an operation takes file parts. */
export interface UploadDeclaration<Service> {
  /** The largest part that is taken, in bytes. */
  maxFileBytes(service: Service): number
  /**
   * Takes the first file part as it arrives; without it, parts are collected in memory. Other parts
   * are listed without their content.
   */
  receive?(service: Service, file: IncomingFile, organizationId: number): Promise<unknown>
  /** Forgets what was received, of a request that failed before its operation was called. */
  abandon?(service: Service, received: unknown): Promise<void>
  /** What the request is answered as soon as a received part is too large. */
  tooLarge?(service: Service): ChatError
}

/** What an operation may know of its request besides the parameters. */
export interface RequestFacts {
  readonly organization: Organization
  /** The sending client's name, as messages and queues record it; at most 30 characters. */
  readonly clientName: string
  /** Origin under which the client reached the server, such as `https://chat.example`. */
  readonly origin: string
  readonly remoteAddress: string
  /** The request of `node:http`, for the application's own hooks. */
  readonly raw: IncomingMessage
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal
  /** How to ask again whether the caller is signed in; undefined for credentials of the chat. */
  readonly session: SessionCheck | undefined
  /** File parts; empty unless the operation declares `upload`. */
  readonly files: readonly UploadedFile[]
  /** Names of all parameters that the request carried. */
  readonly parameterNames: ReadonlySet<string>
  /** The `Authorization` header. */
  readonly authorization: string | undefined
  /** The `User-Agent` header, or an empty text. */
  readonly userAgent: string
  /**
   * Whether a page of another site may have sent the user here, or the browser wants something else
   * than a page to show. False only if the browser says that the user came from a page of the server
   * itself, or from no page.
   */
  readonly isCrossSiteNavigation: boolean
  /** The `Range` header. */
  readonly range: string | undefined
  /** The `If-None-Match` header. */
  readonly ifNoneMatch: string | undefined
  /** Takes the limits that the operation itself counts against, for the headers of the reply. */
  readonly rateLimitHeaders: RateLimitHeaders
}

/** A success body that is already JSON text, with its envelope: sent as it is. */
export class SerializedReply {
  constructor(
    readonly json: string | Buffer,
    /** Whether the answer was held back until something happened (a long poll). */
    readonly delayed: boolean,
  ) {}
}

/** A success body that is a document of its own, without the envelope of the other answers. */
export class DocumentReply {
  /** @param etag a strong entity tag, where clients may ask whether the document has changed. */
  constructor(
    readonly json: string | Buffer,
    readonly etag?: string,
  ) {}
}

/** A success body that is a file: shown by browsers as that type and nothing else. */
export class FileReply {
  constructor(
    readonly content: Buffer | Readable,
    readonly contentType: string,
    /** What is not as with a whole file that anyone may keep for ever. */
    readonly options: {
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
    } = {},
  ) {}
}

/** What an operation gives back: the payload, or a body that is written already. */
export type OperationResult<Payload> = Payload | SerializedReply | DocumentReply | FileReply

export interface OperationContext<Params extends TProperties, Who extends Access> {
  readonly actor: Who extends 'anyone'
    ? undefined
    : Who extends 'visitor'
      ? Actor | undefined
      : Actor
  readonly params: Static<TObject<Params>>
  readonly request: RequestFacts
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
  /** Whether `path` is relative to the server's address instead; it must begin with a fixed part. */
  readonly isAtRoot?: boolean
  readonly access: Who
  /**
   * Whether it is administration although others may call it too; what only administrators or owners
   * may call is in any case. The option `administrationAddresses` is about these operations.
   */
  readonly isAdministrative?: boolean
  /** Path, query and body parameters alike, in the order in which problems are reported. */
  readonly params: Params
  /** The payload of a success, without the envelope. */
  readonly response: Response
  /**
   * The media type of a success that has no envelope: `application/json` for a
   * {@link DocumentReply}, a type or range such as `image/*` for a {@link FileReply}.
   */
  readonly mediaType?: string
  /** The kinds of error that this operation may answer besides the ones every operation may. */
  readonly errors: readonly ErrorKindName[]
  readonly service: InjectionToken<Service>
  /** Whether the answer may be held back; such a call has its own rate limit bucket. */
  readonly longPoll?: boolean
  /**
   * Whether a `GET` changes something: if only a cookie identifies the caller, it then needs the
   * same proof of its origin as other methods. @default false
   */
  readonly changesState?: boolean
  /** Takes file parts. */
  readonly upload?: UploadDeclaration<Service>
  /**
   * Whether it also answers where the address names no organization. `request.organization` is
   * then {@link noOrganization}. Only for operations that `anyone` may call.
   */
  readonly servesUnknownHosts?: boolean
  /**
   * Whether calls count in the limit of their peer's address; only for operations that `anyone`
   * may call. Off by default: signing in has a limit of its own, and describing the server none.
   */
  readonly countedByAddress?: boolean
  /**
   * The limit in which calls without credentials count, by the parameters of the path. Those with
   * credentials then count in none: for files that a page shows.
   */
  readonly visitorLimit?: RateLimitDomain
  /** Whether bots of the type "incoming webhook" may call it. @default false */
  readonly servesIncomingWebhooks?: boolean
  /** Whether it is left out of the published OpenAPI document. */
  readonly undocumented?: boolean
  handle(
    service: Service,
    context: OperationContext<Params, Who>,
  ): Promise<OperationResult<Static<Response>>> | OperationResult<Static<Response>>
}

/** An operation of any shape, as tables of operations hold it. */
export type Operation = OperationDeclaration<TProperties, TSchema, unknown, Access>

/** Declares an operation; the types of `params`, `actor` and the result are inferred. */
export function defineOperation<
  const Params extends TProperties,
  Response extends TSchema,
  Service,
  const Who extends Access,
>(declaration: OperationDeclaration<Params, Response, Service, Who>): Operation {
  return declaration as unknown as Operation
}
