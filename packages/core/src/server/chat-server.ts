import type { ListenedEvents } from '../events/application/application-events.js'
import type { ChatEvents } from '../events/application/chat-events.js'
import type { ChatHandler } from '../http/chat-request.js'
import type { HostIdentity } from '../http/pipeline/host-identity.js'
import type { SetupProblem } from '../kernel/setup-problems.js'
import type { FetchOptions } from '../node/index.js'
import type { AuditLogEntry, AuditOptions } from '../resources/administration/audit-log/index.js'
import type { SearchIndexState } from '../resources/messages/search-index/index.js'
import type { MailEnvelope, ReceivedMail } from '../resources/notifications/incoming-mail/index.js'
import type { OrganizationReference } from '../resources/people/users/index.js'
import type {
  ChatConsumer,
  ConsumerContext,
  ConsumerOptions,
  ConsumerState,
  EventContext,
  ParkedEvent,
  SeparateConsumerOptions,
} from '../resources/realtime/consumers/index.js'
import type { KnexTransaction, PendingMigrations, WorkBacklogs } from '../storage/index.js'
import type { ChatApi, OperationMap, PersonalOperation } from './api-types.generated.js'
import type { CallOptions } from './call-options.js'
import type { ChatChannels, ChatInvitations, ChatOrganizations } from './chat-administration.js'
import type { ChatUsers } from './chat-users.js'
import type { AfterHook, BeforeHooks } from './hooks.js'

/** The operations of one user, for the application's own code. */
export interface UserApi {
  /**
   * The operations, as methods: `send-message` is `sendMessage`. They have the parameters, results,
   * access rules, hooks and events of the HTTP API, and no rate limits. Each call looks the user up
   * again.
   *
   * @throws {ChatError} as the operation does over HTTP, and with `BAD_REQUEST` if there is no such
   *   organization or user, `REALM_DEACTIVATED` or `USER_DEACTIVATED` if it is deactivated.
   * @throws {TypeError} naming a parameter or an option that the operation does not have, or if the transaction
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
  /** False only after `close()`. While it is true, starting the process again helps nothing. */
  readonly isLive: boolean
  /** Whether the server is started, not draining or closed, and its database takes writes. */
  readonly isReady: boolean
  readonly state: 'new' | 'starting' | 'started' | 'draining' | 'closed'
  /** `unwritable` while reads work and writes fail, for example because the disk is full. */
  readonly database: 'up' | 'unwritable' | 'down'
  /**
   * `down` after the read replica has failed, until it is used again; the primary answers meanwhile.
   * Undefined without the option `readReplica`.
   */
  readonly readReplica?: 'up' | 'down'
  /**
   * `down` while the bus reports that it is not connected. Events of other processes are then found
   * by polling, so it does not concern `isReady`.
   */
  readonly bus: 'up' | 'down'
  /** Number of event queues that this process serves. */
  readonly openQueues: number
  /**
   * The logs of all organizations: `lag` is the number of committed entries that this process knows
   * of and has not delivered yet, `entries` the number of all entries. `entries` is undefined while
   * the server is not running or its database does not respond.
   */
  readonly log: { readonly lag: number; readonly entries?: number }
  /**
   * Deferred work that is due and not done yet, in all organizations, each at most 10,000. Undefined
   * while the server is not running or its database does not respond.
   */
  readonly backlogs?: WorkBacklogs
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
  /**
   * How far the index for searches is: `pendingMessages` is the number of messages that are not
   * indexed yet, in all organizations together, at most 100,000. Searches find the newest 2,000 of
   * them in each organization. Undefined while the server is not running or its database does not
   * respond.
   */
  readonly searchIndex?: SearchIndexState
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
   * as `message` or `reaction/add`; `*` for all that clients get. `unread_counts` says whose unread
   * counts may have changed. It is called shortly after the commit, in
   * the order of the commits, at most once, for commits of this process.
   *
   * @returns a function that removes the listener.
   * @throws {TypeError} if there is no event of that name.
   */
  on<Name extends keyof ListenedEvents>(
    name: Name,
    listener: (event: ListenedEvents[Name]) => void,
  ): () => void
  /**
   * Handles events durably: each of them once, in the order of the commits of its organization,
   * whichever process has committed it, also after a restart. The position is stored in the
   * database and moves in the same transaction as the writes of the handler with `trx`; its effects
   * elsewhere may happen again after a failure. If the handler throws, its writes are rolled back,
   * and the event is tried again after 1, 2, 4, … (at most 300) seconds, while later events of the
   * organization wait; after `attempts` failures it is parked.
   *
   * Among all processes on the same database, one at a time handles the events of a name. May be
   * called before `start()`.
   *
   * With `transaction: false` the handler runs without a transaction, so it may take long, and its
   * position moves afterwards: each event is handled at least once. `context.id` is the same at
   * every attempt.
   *
   * @param name identifies the position; 1 to 100 characters.
   * @throws {TypeError} if an option is wrong, there is no event of that name in the log, or this
   *   server consumes that name already.
   */
  consume<Name extends keyof ChatEvents>(
    name: string,
    options: SeparateConsumerOptions<Name>,
    handler: (event: ChatEvents[Name], context: EventContext) => unknown,
  ): ChatConsumer
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
   * Adds a hook before an operation, named as in `chat.as().api`: for calls over HTTP and in the
   * process. It returns parameters to change, or throws a `ChatError` to refuse the call. Hooks run
   * in the order in which they were added; each receives the changes of the hooks before it.
   *
   * A hook of `content` sees every text that others will read before it is written: messages,
   * topics, names, descriptions, statuses and more, of every operation that writes one. It returns a
   * text that replaces it, or throws.
   *
   * @returns a function that removes the hook.
   * @throws {TypeError} if there is no operation of that name, or the hook is not a function.
   */
  before<Name extends keyof BeforeHooks>(name: Name, hook: BeforeHooks[Name]): () => void
  /**
   * Adds a hook after an operation has succeeded, which gets its result. The caller waits for it,
   * but its errors are only logged.
   *
   * @returns a function that removes the hook.
   * @throws {TypeError} if there is no operation of that name, or the hook is not a function.
   */
  after<Name extends keyof OperationMap>(name: Name, hook: AfterHook<Name>): () => void
  readonly users: ChatUsers
  readonly channels: ChatChannels
  readonly invitations: ChatInvitations
  readonly organizations: ChatOrganizations
  /**
   * Receives a mail for an address of the chat, and posts it as a message, once within a day. A mail
   * to several recipients is passed once for each. "Incoming mail" in docs/mail.md has the details.
   *
   * @param raw the mail as it was received (RFC 5322); text that is not ASCII or UTF-8 as bytes.
   * @returns the message; or why the mail was refused, which no other attempt changes.
   * @throws {ChatError} `SERVICE_UNAVAILABLE` or `RATE_LIMIT_HIT` if the mail should arrive again
   *   later.
   * @throws {TypeError} without the option `incomingMail`, or if the arguments are invalid.
   */
  receiveMail(raw: Uint8Array | string, envelope?: MailEnvelope): Promise<ReceivedMail>
  /**
   * Returns the audit trail of an organization, newest first: who changed roles, settings,
   * permissions, memberships, accounts and keys. Read in pages of 500 as it is iterated.
   * "The audit trail" in docs/audit.md has the actions.
   *
   * The iteration throws the errors:
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization.
   * @throws {TypeError} naming an option that is unknown or invalid.
   */
  audit(options?: AuditOptions): AsyncIterable<AuditLogEntry>
  /** Migrates the tables to the current schema, regardless of the option `migrations`. */
  migrate(): Promise<void>
  /**
   * Returns the migrations that the database does not have yet, with their statements. Changes
   * nothing, and may be called before `start()`.
   *
   * @throws {Error} if the database cannot be used, or a migration was interrupted, which `migrate()`
   *   completes.
   */
  pendingMigrations(): Promise<PendingMigrations>
  /** Returns the statements that `migrate()` would run on an empty database. */
  migrationSql(): string
  /**
   * Ends every event queue of every organization, so that all clients register again. Call it after
   * the database was restored from a backup, before the first `start()`, while no process serves the
   * database: clients may be ahead of the restored log.
   *
   * @throws {Error} if this server was started.
   */
  endQueues(): Promise<void>
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
  /**
   * What about the setup is probably not meant so, with the remedies: options that are missing, and
   * what requests have shown since the start of this process. Each is logged once, too.
   *
   * @throws {Error} before `start()` and after `close()`.
   */
  diagnose(): Promise<readonly SetupProblem[]>
}
