import type { HostIdentity } from '../http/pipeline/host-identity.js'
import type {
  AccessToken,
  CreateTokenOptions,
  EndSessionsOptions,
} from '../resources/access/authentication/index.js'
import type { InvitationAnswer, OpenInvitation } from '../resources/accounts/invitations/index.js'
import type { LoadedOrganization } from '../resources/administration/import/index.js'
import type {
  ImportedOrganization,
  ImportOptions,
} from '../resources/administration/organization-archive/index.js'
import type {
  ApplicationOrganization,
  CreatedOrganization,
  DeleteOptions,
  EnsuredOrganization,
  NewOrganization,
  OrganizationUpdate,
} from '../resources/administration/organization-lifecycle/index.js'
import type {
  ErasedUser,
  EraseOptions,
  ExportOptions,
} from '../resources/administration/personal-data/index.js'
import type {
  ApplicationChannel,
  EnsuredChannel,
  EnsureResult,
} from '../resources/channels/application-channels/index.js'
import type {
  AccountReference,
  ApplicationUser,
  OrganizationReference,
  SyncedUser,
  SyncOptions,
  SyncResult,
} from '../resources/people/users/index.js'
import type { CallOptions } from './call-options.js'

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

/** The channels of the application's things. */
export interface ChatChannels {
  /**
   * Creates the channel of a thing of the application, or changes properties that differ, as the
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

/** The invitations that people accept on the application's own page. */
export interface ChatInvitations {
  /**
   * Finds the invitation of a token; undefined if it has expired, was used or revoked, or never
   * existed.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization, `REALM_DEACTIVATED` if it
   *   is deactivated.
   * @throws {TypeError} if `token` is not a string.
   */
  find(token: string, options?: OrganizationReference): Promise<OpenInvitation | undefined>
  /**
   * Creates the account of a user of the application, with the role, the channels and the groups of
   * the invitation. Call it before the user's first request to the chat, which would create an
   * account without them.
   *
   * @param options `within`: a transaction of the application, as for the operations.
   * @returns the chat's id of the user.
   * @throws {ChatError} `OBJECT_NOT_FOUND` if the invitation is not usable any more; `BAD_REQUEST`
   *   if there is no such organization, or the user or the address has an account already;
   *   `REALM_DEACTIVATED` if the organization is deactivated.
   * @throws {TypeError} naming a property of the wrong type.
   */
  accept(answer: InvitationAnswer, options?: CallOptions): Promise<number>
}

/** The organizations of the server. */
export interface ChatOrganizations {
  /**
   * Creates an organization from an organization file; does nothing if its subdomain is taken.
   */
  load(file: unknown): Promise<LoadedOrganization>
  /**
   * Exports an organization with its files into one archive, a compressed tar file, as it is when
   * the iteration begins. The archive is written while it is read, so its size is not limited by
   * memory. Password hashes, API keys and other secrets are not in it.
   *
   * @param reference its `subdomain` or its id.
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization; with the first part.
   */
  export(reference: string | number): AsyncIterable<Uint8Array>
  /**
   * Creates an organization from an archive that `export` has written, all of it or nothing. Ids
   * stay the same. Nothing finds the organization before everything is stored; stored data are
   * deleted if the call fails or its process ends.
   *
   * @param archive a stream of Node.js, or any other iterable of bytes.
   * @throws {OrganizationArchiveError} if the archive is wrong or incomplete, or its ids are in use.
   * @throws {ChatError} `BAD_REQUEST` if the subdomain or the id of the organization is in use.
   */
  import(archive: AsyncIterable<Uint8Array>, options?: ImportOptions): Promise<ImportedOrganization>
  /**
   * Creates an organization with its owner and what its `preset` begins with: in a team, channels
   * and the Welcome Bot's first messages.
   *
   * @throws {ChatError} `SUBDOMAIN_TAKEN` if another organization has the subdomain; `BAD_REQUEST`
   *   if a value is invalid.
   */
  create(organization: NewOrganization): Promise<CreatedOrganization>
  /**
   * Creates an organization as `create` does, unless there is one with this subdomain: that one
   * stays as its administrators have made it, whatever the other values are. For programs that
   * start again, also for several that start at once on one database.
   *
   * @throws {ChatError} `BAD_REQUEST` if a value is invalid, also if the organization exists;
   *   `SUBDOMAIN_TAKEN` if one with this subdomain is being imported.
   */
  ensure(organization: NewOrganization): Promise<EnsuredOrganization>
  /**
   * Deactivates an organization, by its `subdomain`: its further requests are refused. No data is
   * deleted.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization.
   */
  deactivate(subdomain: string): Promise<void>
  /** Reactivates a deactivated organization. @throws {ChatError} as `deactivate`. */
  reactivate(subdomain: string): Promise<void>
  /** All organizations, also deactivated ones, oldest first; read in pages of 500. */
  list(): AsyncIterable<ApplicationOrganization>
  /**
   * Finds an organization by its `subdomain` or its id; undefined if there is none.
   *
   * @throws {TypeError} if the reference is neither a string nor an integer.
   */
  find(reference: string | number): Promise<ApplicationOrganization | undefined>
  /**
   * Changes the name or the subdomain of an organization, or how its new users begin; absent
   * properties stay.
   *
   * @param reference its `subdomain` or its id.
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization or a value is invalid;
   *   `SUBDOMAIN_TAKEN` if another organization has the subdomain.
   * @throws {TypeError} naming a property of the wrong type.
   */
  update(reference: string | number, update: OrganizationUpdate): Promise<ApplicationOrganization>
  /**
   * Deletes an organization with all its rows and files, finally. First it is deactivated, which
   * ends all sessions and connections. Runs in small transactions; if a call fails midway, repeat
   * it.
   *
   * @param reference its `subdomain` or its id.
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization.
   * @throws {TypeError} if `confirm` is not the organization's subdomain.
   */
  delete(reference: string | number, options: DeleteOptions): Promise<void>
}
