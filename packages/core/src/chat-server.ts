import type { ChatApi, OperationMap, PersonalOperation } from './api-types.generated.js'
import type { CallOptions } from './call-options.js'
import type { ChatEvents } from './events/event-types.generated.js'
import type { AnyChatEvent } from './events/application-events.js'
import type { AfterHook, BeforeHook } from './hooks.js'
import type { ChatHandler } from './http/chat-request.js'
import type { FetchOptions } from './node/index.js'
import type { HostIdentity } from './http/host-identity.js'
import type { ContentHook } from './events/operation-hooks.js'
import type { EndSessionsOptions } from './resources/access/authentication/index.js'
import type {
  ApplicationChannel,
  EnsuredChannel,
  EnsureResult,
} from './resources/channels/application-channels/index.js'
import type {
  ApplicationUser,
  OrganizationReference,
  SyncedUser,
  SyncOptions,
  SyncResult,
} from './resources/people/users/index.js'
import type {
  ChatConsumer,
  ConsumerContext,
  ConsumerOptions,
  ConsumerState,
  ParkedEvent,
} from './resources/realtime/consumers/index.js'
import type { KnexTransaction } from './storage/index.js'
import type { LoadedOrganization } from './resources/administration/import/index.js'
import type {
  CreatedOrganization,
  NewOrganization,
} from './resources/administration/organization-lifecycle/index.js'

/** The operations of one user, for the application's own code. */
export interface UserApi {
  /**
   * The operations, as methods: `send-message` is `sendMessage`. They have the parameters, results,
   * access rules, hooks and events of the HTTP API, and no rate limits. Each call looks the user up
   * again.
   *
   * @throws {ChatError} as the operation does over HTTP, and with `BAD_REQUEST` if there is no such
   *   organization or user, `REALM_DEACTIVATED` or `USER_DEACTIVATED` if it is deactivated.
   * @throws {TypeError} naming a parameter that the operation does not have, or if the transaction
   *   cannot be joined.
   */
  readonly api: ChatApi
  /** The user's id in the chat. @throws {ChatError} as the operations. */
  id(options?: CallOptions): Promise<number>
}

/** The operations of the application itself. */
export interface SystemApi {
  /** As of {@link UserApi}, without those that concern the caller's own account only. */
  readonly api: Omit<ChatApi, PersonalOperation>
}

/**
 * Identifies a user: by the chat's id, by the application's id, or by a complete identity as
 * `identify` returns it. A complete identity creates or updates the user, as a request of that user
 * would.
 */
export type UserReference =
  | { readonly userId: number; readonly organization?: string }
  | { readonly externalId: string | number; readonly organization?: string }
  | HostIdentity

/** The state of the server, for the application's health checks. */
export interface ChatHealth {
  /** Whether the server is started, not draining or closed, and its database responds. */
  readonly isReady: boolean
  readonly database: 'up' | 'down'
  /** Number of event queues that this process serves. */
  readonly openQueues: number
  /**
   * Secrets, besides the current one, that still encrypt API keys, such as `previousSecrets[0]`. A
   * previous secret that is no longer listed here can be removed from the options. Undefined while
   * the server is not running or its database does not respond.
   */
  readonly oldSecretsInUse?: readonly string[]
  /**
   * The durable consumers in the database, by name: how many entries of the log they have not
   * passed yet (`lag`), how many events are `parked`, and how many entries were deleted before they
   * were handled (`missed`). Undefined while the server is not running or its database does not
   * respond.
   */
  readonly consumers?: Readonly<Record<string, ConsumerState>>
}

/** A chat server inside an application. */
export interface ChatServer extends ChatHandler {
  /**
   * Answers a request of the Fetch standard, for frameworks that work with it, such as Hono and the
   * route handlers of Next.js. Long polls are answered when something happens, and end when
   * `request.signal` is aborted; WebSockets need `handleUpgrade`.
   *
   * @returns a response with status 404 if the path is not the chat's.
   */
  fetch(request: Request, options?: FetchOptions): Promise<Response>
  /**
   * Returns the operations of a user of the chat.
   *
   * @throws {TypeError} if the reference or the identity is invalid; the message names every wrong
   *   field.
   */
  as(user: UserReference): UserApi
  /**
   * Returns the operations of the application itself, which has an owner's permissions in the
   * organization and no account: its messages are the Notification Bot's.
   */
  asSystem(organization?: OrganizationReference): SystemApi
  /**
   * Adds a listener for events of one kind: the type of the event and, after a slash, its `op`, such
   * as `message` or `reaction/add`; `*` for all of them. It is called shortly after the commit, in
   * the order of the commits, at most once, for what this process commits.
   *
   * @returns a function that removes the listener.
   * @throws {TypeError} if there is no event of that name.
   */
  on(name: '*', listener: (event: AnyChatEvent) => void): () => void
  on<Name extends keyof ChatEvents>(
    name: Name,
    listener: (event: ChatEvents[Name]) => void,
  ): () => void
  /**
   * Handles events durably: each of them once, in the order of the commits of its organization,
   * whichever process has committed it, also after a restart. The position is stored in the
   * database and moves in the same transaction as what the handler writes with `trx`; what it does
   * elsewhere may happen again after a failure. If the handler throws, its writes are rolled back,
   * and the event is tried again after 1, 2, 4, … (at most 300) seconds, while later events of the
   * organization wait; after `attempts` failures it is parked.
   *
   * Among all processes on the same database, one at a time handles the events of a name. May be
   * called before `start()`.
   *
   * @param name identifies the position; 1 to 100 characters.
   * @throws {TypeError} if an option is wrong, there is no event of that name in the log, or this
   *   server consumes that name already.
   */
  consume<Name extends keyof ChatEvents, Trx extends KnexTransaction = KnexTransaction>(
    name: string,
    options: ConsumerOptions<Name>,
    handler: (event: ChatEvents[Name], context: ConsumerContext<Trx>) => unknown,
  ): ChatConsumer
  readonly consumers: {
    /** The parked events of a consumer, oldest first, at most 1000. */
    listParked(name: string): Promise<readonly ParkedEvent[]>
    /**
     * Makes the parked events of a consumer due again, with a new count of attempts; they are
     * handled before later events. @returns their number.
     */
    retry(name: string): Promise<number>
    /**
     * Deletes the position and the parked events of a consumer that is no longer used, so that the
     * log is no longer kept for it.
     *
     * @throws {TypeError} if this server consumes that name.
     */
    remove(name: string): Promise<void>
  }
  /**
   * Adds a hook that sees every text that others will read before it is written: messages, topics,
   * names, descriptions, statuses and more, of every operation that writes one. It returns a text
   * that replaces it, or throws a `ChatError` to refuse the call.
   *
   * @returns a function that removes the hook.
   * @throws {TypeError} if the hook is not a function.
   */
  before(name: 'content', hook: ContentHook): () => void
  /**
   * Adds a hook before an operation, named as in `chat.as().api`: for calls over HTTP and in the
   * process. It returns parameters to change, or throws a `ChatError` to refuse the call. Hooks run
   * in the order in which they were added; each receives the changes of the hooks before it.
   *
   * @returns a function that removes the hook.
   * @throws {TypeError} if there is no operation of that name, or the hook is not a function.
   */
  before<Name extends keyof OperationMap>(name: Name, hook: BeforeHook<Name>): () => void
  /**
   * Adds a hook after an operation has succeeded, which gets its result. The caller waits for it,
   * but its errors are only logged.
   *
   * @returns a function that removes the hook.
   * @throws {TypeError} if there is no operation of that name, or the hook is not a function.
   */
  after<Name extends keyof OperationMap>(name: Name, hook: AfterHook<Name>): () => void
  readonly users: {
    /**
     * Creates and updates the accounts of many users, as requests of them would: new users get the
     * default channels and the Welcome Bot's messages, clients get the usual events. A second call
     * with the same list changes nothing. Each batch of users is a transaction of its own.
     *
     * A user with a field that is invalid is not touched, and reported among the `problems`; so is
     * a user whose address another account has, whose account gets or keeps another address, and
     * the only owner, who keeps the role and the account. A user with `isActive: false` and without
     * an account gets none.
     *
     * @throws {ChatError} `BAD_REQUEST` if there is no such organization.
     * @throws {TypeError} before anything is changed, if an `externalId` is neither a string of 1
     *   to 190 characters nor an integer, or if the list is empty with `deactivateMissing`.
     */
    sync(users: readonly SyncedUser[], options?: SyncOptions): Promise<SyncResult>
    /**
     * Finds a user by the application's id; undefined if the user has no account.
     *
     * @throws {ChatError} `BAD_REQUEST` if there is no such organization.
     * @throws {TypeError} if `externalId` is neither a string of 1 to 190 characters nor an
     *   integer.
     */
    find(
      externalId: string | number,
      options?: OrganizationReference,
    ): Promise<ApplicationUser | undefined>
    /**
     * Returns the chat's ids of users, by the application's ids as text; without those who have no
     * account. One statement per 1,000 users.
     *
     * @throws {ChatError} `BAD_REQUEST` if there is no such organization.
     * @throws {TypeError} if an id is neither a string of 1 to 190 characters nor an integer.
     */
    idOf(
      externalIds: readonly (string | number)[],
      options?: OrganizationReference,
    ): Promise<Map<string, number>>
    /**
     * Returns the application's ids of users, as text, by the chat's ids; without users that the
     * application has not identified, such as bots. One statement per 1,000 users.
     *
     * @throws {ChatError} `BAD_REQUEST` if there is no such organization.
     * @throws {TypeError} if an id is not an integer.
     */
    externalIdOf(
      ids: readonly number[],
      options?: OrganizationReference,
    ): Promise<Map<number, string>>
    /**
     * Ends the long polls and WebSockets that a user has opened through a session of the
     * application, in every process on the same database. Call it after the session was destroyed.
     * Does nothing if the user does not exist in the chat.
     *
     * @throws {ChatError} `BAD_REQUEST` if there is no such organization.
     * @throws {TypeError} if `externalId` is neither a string of 1 to 190 characters nor an
     *   integer.
     */
    endSessions(externalId: string | number, options?: EndSessionsOptions): Promise<void>
    /**
     * Deactivates a user and the bots that they own: their sessions, API keys and connections are
     * rejected immediately, in every process on the same database. Does nothing if the user does
     * not exist in the chat.
     *
     * @throws {ChatError} `BAD_REQUEST` if there is no such organization, or if it would be left
     *   without an owner.
     * @throws {TypeError} if `externalId` is neither a string of 1 to 190 characters nor an
     *   integer.
     */
    deactivate(externalId: string | number, options?: OrganizationReference): Promise<void>
    /**
     * Reactivates a deactivated user, with their previous API key; their bots stay deactivated.
     * Does nothing if the user does not exist in the chat.
     *
     * @throws {ChatError} `BAD_REQUEST` if there is no such organization.
     * @throws {TypeError} if `externalId` is neither a string of 1 to 190 characters nor an
     *   integer.
     */
    reactivate(externalId: string | number, options?: OrganizationReference): Promise<void>
  }
  readonly channels: {
    /**
     * Creates the channel of a thing of the application, or changes what differs, as the
     * application itself: found again by `externalId`, whatever it is called by then. Subscribers
     * get the usual events, but no messages about their subscriptions.
     *
     * @param options `within`: a transaction of the application, as for the operations.
     * @throws {ChatError} `CHANNEL_ALREADY_EXISTS` if another channel has the name; `BAD_REQUEST`
     *   if there is no such organization, folder or user, or a text is invalid;
     *   `REALM_DEACTIVATED` if the organization is deactivated.
     * @throws {TypeError} naming a property of the wrong type.
     */
    ensure(channel: EnsuredChannel, options?: CallOptions): Promise<EnsureResult>
    /**
     * Finds a channel by the application's id; undefined if there is none.
     *
     * @throws {ChatError} `BAD_REQUEST` if there is no such organization, `REALM_DEACTIVATED` if it
     *   is deactivated.
     * @throws {TypeError} if `externalId` is neither a string of 1 to 190 characters nor an
     *   integer.
     */
    find(
      externalId: string | number,
      options?: OrganizationReference,
    ): Promise<ApplicationChannel | undefined>
  }
  readonly organizations: {
    /**
     * Creates an organization from an organization file; does nothing if its subdomain is taken.
     */
    load(file: unknown): Promise<LoadedOrganization>
    /**
     * Creates an organization with its owner and the initial content of every new organization:
     * channels, and the Welcome Bot's first messages.
     *
     * @throws {ChatError} `BAD_REQUEST` if a value is invalid or the subdomain is taken.
     */
    create(organization: NewOrganization): Promise<CreatedOrganization>
    /**
     * Deactivates an organization, by its `subdomain`: its further requests are refused. No data is
     * deleted.
     *
     * @throws {ChatError} `BAD_REQUEST` if there is no such organization.
     */
    deactivate(subdomain: string): Promise<void>
    /** Reactivates a deactivated organization. @throws {ChatError} as `deactivate`. */
    reactivate(subdomain: string): Promise<void>
  }
  /** Migrates the tables to the current schema, regardless of the option `migrations`. */
  migrate(): Promise<void>
  /** Returns the statements that `migrate()` would run on an empty database. */
  migrationSql(): string
  /** Starts the server: tables, secrets, background work. */
  start(): Promise<void>
  /**
   * Answers every waiting long poll, closes the WebSockets and accepts no new ones. Other requests
   * are still served, with `Connection: close` in their responses so that clients connect
   * elsewhere; for the handover of a load balancer.
   */
  drain(): Promise<void>
  /**
   * Drains, waits for requests in progress (for five seconds at most), and closes everything that
   * the server has opened. Later requests are answered 503. Idempotent.
   */
  close(): Promise<void>
  health(): Promise<ChatHealth>
}
