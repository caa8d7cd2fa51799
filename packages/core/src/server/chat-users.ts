import type { HostIdentity } from '../http/pipeline/host-identity.js'
import type {
  AccessToken,
  CreateTokenOptions,
  EndSessionsOptions,
} from '../resources/access/authentication/index.js'
import type {
  ErasedUser,
  EraseOptions,
  ExportOptions,
} from '../resources/administration/personal-data/index.js'
import type { UnreadOptions, UserUnread } from '../resources/messages/unread-counts/index.js'
import type {
  AccountReference,
  ApplicationUser,
  OrganizationReference,
  SyncedUser,
  SyncOptions,
  SyncResult,
} from '../resources/people/users/index.js'
import type { UserPresence } from '../resources/personal/presence/index.js'

/** Accounts of users, by the application's ids. */
export interface ChatUsers {
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
   * Counts the unread messages of a user, as the user's client counts them: for numbers beside the
   * things of the application, for a badge, and for mails. Undefined if the user has no account, or
   * it is deactivated.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization.
   * @throws {TypeError} if an id is neither a string of 1 to 190 characters nor an integer, there are
   *   more than 100 users or channels, or an option is unknown.
   */
  unread(externalId: string | number, options?: UnreadOptions): Promise<UserUnread | undefined>
  /**
   * The same for at most 100 users, by the application's ids as text; without those who have no
   * account, or a deactivated one. The number of statements does not depend on the number of users
   * and channels.
   */
  unread(
    externalIds: readonly (string | number)[],
    options?: UnreadOptions,
  ): Promise<Map<string, UserUnread>>
  /**
   * Tells whether a user is there, by the rules of `GET /users/{user_id_or_email}/presence`.
   * Undefined if the user has no account, or it is deactivated; `offline` if the user is invisible.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization.
   * @throws {TypeError} if an id is neither a string of 1 to 190 characters nor an integer, there are
   *   more than 1,000 users, or an option is unknown.
   */
  presence(
    externalId: string | number,
    options?: OrganizationReference,
  ): Promise<UserPresence | undefined>
  /** The same for at most 1,000 users, by the application's ids as text; one statement for all. */
  presence(
    externalIds: readonly (string | number)[],
    options?: OrganizationReference,
  ): Promise<Map<string, UserPresence>>
  /**
   * Creates a token with which a client of the user calls the chat, as `Authorization: Bearer <token>`:
   * for clients that the application's own session does not reach, such as those on another host. A
   * user with address and name gets an account, as by `identify`. The chat has only a hash of the token. Valid until it expires, {@link endSessions} is called for the user, or
   * 100 newer ones were created for the user; a reactivated user needs another one.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization or user, or the user is
   *   deactivated.
   * @throws {TypeError} if the reference or the lifetime is invalid.
   */
  createToken(
    user: AccountReference | HostIdentity,
    options?: CreateTokenOptions,
  ): Promise<AccessToken>
  /**
   * Ends the tokens of a user, and the long polls and WebSockets that the user has opened with them or
   * through a session of the application, in every process on the same database. Call it after the session was destroyed.
   * Does nothing if the user does not exist in the chat.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization.
   * @throws {TypeError} if the reference is invalid.
   */
  endSessions(user: AccountReference, options?: EndSessionsOptions): Promise<void>
  /**
   * Deactivates a user and the bots that they own: their sessions, API keys and connections are
   * rejected immediately, in every process on the same database. Does nothing if the user does
   * not exist in the chat.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization, or if it would be left
   *   without an owner.
   * @throws {TypeError} if the reference is invalid.
   */
  deactivate(user: AccountReference, options?: OrganizationReference): Promise<void>
  /**
   * Reactivates a deactivated user, with their previous API key; their bots stay deactivated.
   * Does nothing if the user does not exist in the chat.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization.
   * @throws {TypeError} if the reference is invalid.
   */
  reactivate(user: AccountReference, options?: OrganizationReference): Promise<void>
  /**
   * Erases a user, finally: data that concern the user alone are deleted; of the account remains
   * the row that others' rows refer to, under the name `Deleted user 17`. It is never active again;
   * with the same `externalId` a new account is created. Runs in small transactions; if a call
   * fails midway, repeat it. Does nothing if the user does not exist in the chat, or is already
   * erased.
   *
   * @returns the erased account; undefined if there is no such user.
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization, it would be left without an
   *   owner, or the account is a bot's.
   * @throws {TypeError} if the reference or an option is invalid.
   */
  erase(
    user: AccountReference,
    options?: EraseOptions & OrganizationReference,
  ): Promise<ErasedUser | undefined>
  /**
   * Exports the data that the chat stores about a user: newline-delimited JSON in UTF-8, one record
   * with a `type` per line, from `export` to `end`. Read in pages as it is iterated, without a
   * transaction; never contains passwords, keys or tokens.
   *
   * The iteration throws the errors:
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization or user.
   * @throws {TypeError} if the reference is invalid.
   */
  export(
    user: AccountReference,
    options?: ExportOptions & OrganizationReference,
  ): AsyncIterable<Uint8Array>
}
