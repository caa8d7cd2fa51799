import type { ChatEvents, ChatHook, ChatHooks } from './events/application-hooks.js'
import type { ChatHandler } from './http/chat-request.js'
import type { HostIdentity } from './http/host-identity.js'
import type { EndSessionsOptions } from './resources/authentication/index.js'
import type { LoadedOrganization } from './resources/organization-file/index.js'
import type {
  CreatedOrganization,
  NewOrganization,
} from './resources/organization-lifecycle/index.js'
import type { KnexTransaction } from './storage/index.js'

/** A message that the application sends. */
export interface NewMessage {
  readonly type: 'channel' | 'direct'
  /** Of a channel its id or name; of a direct message the ids of the users who get it. */
  readonly to: number | string | readonly number[]
  /**
   * Required for a channel, unless a hook of `messages.send` sets it; ignored for a direct message.
   * At most 60 characters, what is longer is cut. The empty string is the general topic, where the
   * channel allows it.
   */
  readonly topic?: string
  /** Markdown; at most 10,000 characters, what is longer is cut. */
  readonly content: string
}

/** Sends messages in the name of one user. */
export interface UserMessages {
  /**
   * Sends a message with the same rules and events as `POST /messages`.
   *
   * @param options `transaction`: the application's own transaction to join; the message and its
   *   events exist if and only if it commits.
   * @returns the message's id.
   * @throws {ChatError} as the operation does: `STREAM_DOES_NOT_EXIST` if there is no such channel,
   *   `BAD_REQUEST` if the user may not write there or a channel message has no topic,
   *   `REALM_DEACTIVATED` if the organization is deactivated, or what a hook of `messages.send` threw.
   * @throws {TypeError} if the message is invalid, or the transaction cannot be joined.
   */
  send(
    message: NewMessage,
    options?: { readonly transaction?: KnexTransaction | undefined },
  ): Promise<{ readonly id: number }>
}

/** What one user can do, called from the application's own code. */
export interface UserApi {
  /** The chat's id of the user. */
  readonly userId: number
  readonly messages: UserMessages
}

/**
 * Names a user: by the chat's id, by the application's, or by all that `identify` would say, which
 * creates the user or brings it up to date, as a request of theirs would.
 */
export type UserReference =
  | { readonly userId: number; readonly organization?: string }
  | { readonly externalId: string | number; readonly organization?: string }
  | HostIdentity

/** How the server is doing, for the application's health checks. */
export interface ChatHealth {
  /** Whether it was started, is not draining or closed, and its database answers. */
  readonly isReady: boolean
  readonly database: 'up' | 'down'
  /** Event queues that this process serves now. */
  readonly openQueues: number
  /**
   * Which secrets, besides the current one, API keys are still sealed under, such as
   * `previousSecrets[0]`. One that is not in the list any more can be removed from the options.
   * Undefined while the server does not run, or its database does not answer.
   */
  readonly oldSecretsInUse?: readonly string[]
}

/** A chat server inside an application. */
export interface ChatServer extends ChatHandler {
  /**
   * Acts as a user of the chat. Lasts for one piece of work: later changes of the user's role are
   * not seen.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization or user,
   *   `REALM_DEACTIVATED` or `USER_DEACTIVATED` if it is deactivated, as over HTTP.
   * @throws {TypeError} if the reference or the identity is invalid; the message names every wrong
   *   field.
   */
  as(user: UserReference): Promise<UserApi>
  /**
   * Reports what happened, after its commit.
   *
   * @returns a function that ends it.
   * @throws {TypeError} if there is no event of that name.
   */
  on<Name extends keyof ChatEvents>(
    name: Name,
    listener: (event: ChatEvents[Name]) => void,
  ): () => void
  /**
   * Looks at what is about to happen, changes it or refuses it. Hooks are asked in the order in
   * which they came; each sees what those before it have changed.
   *
   * @returns a function that ends it.
   * @throws {TypeError} if there is no hook of that name.
   */
  before<Name extends keyof ChatHooks>(name: Name, hook: ChatHook<Name>): () => void
  readonly users: {
    /**
     * Ends the long polls and WebSockets that the application's own session has opened for a user,
     * in every process on the same database. Call it after the session was destroyed. Does nothing
     * for a user whom the chat does not know.
     *
     * @throws {ChatError} `BAD_REQUEST` if there is no such organization.
     * @throws {TypeError} if `externalId` is neither a string of 1 to 190 characters nor an integer.
     */
    endSessions(externalId: string | number, options?: EndSessionsOptions): Promise<void>
  }
  readonly organizations: {
    /** Creates the organization of a file; nothing happens if its subdomain is taken. */
    load(file: unknown): Promise<LoadedOrganization>
    /**
     * Opens an organization with its owner and what everybody finds in a new one: channels, and
     * the Welcome Bot's first messages.
     *
     * @throws {ChatError} `BAD_REQUEST` if a value is wrong, or the subdomain taken.
     */
    create(organization: NewOrganization): Promise<CreatedOrganization>
    /**
     * Refuses all further requests of an organization, by its `subdomain`; nothing is lost.
     *
     * @throws {ChatError} `BAD_REQUEST` if there is no such organization.
     */
    deactivate(subdomain: string): Promise<void>
    /** Opens a deactivated organization again. @throws {ChatError} as `deactivate`. */
    reactivate(subdomain: string): Promise<void>
  }
  /** Brings the tables up to date, whatever the option `migrations` says. */
  migrate(): Promise<void>
  /** The statements that `migrate()` would run on an empty database. */
  migrationSql(): string
  /** Makes the server ready: tables, secrets, background work. */
  start(): Promise<void>
  /**
   * Answers every waiting client and takes no new waits. Requests are served as before, and their
   * answers say `Connection: close`, so that clients go elsewhere; for a load balancer's hand-over.
   */
  drain(): Promise<void>
  /**
   * Drains, serves requests until none is under way (for five seconds at most), and ends everything
   * that the server has opened. Requests that come later are answered 503. Idempotent.
   */
  close(): Promise<void>
  health(): Promise<ChatHealth>
}
