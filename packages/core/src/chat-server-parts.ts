import type { CallOptions } from './call-options.js'
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
import type { LoadedOrganization } from './resources/administration/import/index.js'
import type {
  CreatedOrganization,
  NewOrganization,
} from './resources/administration/organization-lifecycle/index.js'

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

/** The channels of the application's things. */
export interface ChatChannels {
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

/** The organizations of the server. */
export interface ChatOrganizations {
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
