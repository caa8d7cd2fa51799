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
  ApplicationChannel,
  EnsuredChannel,
  EnsureResult,
} from '../resources/channels/application-channels/index.js'
import type { OrganizationReference } from '../resources/people/users/index.js'
import type { CallOptions } from './call-options.js'

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
