import { inject } from 'tsyringe'

import { isSpectator, type Actor } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { Database, type OrganizationScope } from '../../../storage/index.js'
import { MissingMessageRepository } from '../../channels/unwritten-messages/index.js'
import {
  OrganizationRepository,
  SharedValues,
  type SharedValue,
} from '../../organization/organizations/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import {
  ProfileValuesToken,
  userChanges,
  unknownUser,
  UserDirectory,
  UserLookup,
  UserRepository,
  type ListedUser,
  type ProfileValues,
  type ViewableUser,
} from '../../people/users/index.js'
import { EncodedUserLists } from './encoded-user-lists.js'
import { ListedUsers, type UserListOptions } from './listed-users.js'
import { minEncodedUsers, UserListCache } from './user-list-cache.js'
import { UserListRepository } from './user-list-repository.js'

/** Converts users into the objects that other users get. */
@perServer()
export class UserListService {
  readonly #everyone: SharedValue<ViewableUser[]>

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UserRepository) users: UserRepository,
    @inject(UserDirectory) private readonly directory: UserDirectory,
    @inject(UserLookup) private readonly lookup: UserLookup,
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(UserListRepository) private readonly repository: UserListRepository,
    @inject(UserAccess) private readonly access: UserAccess,
    @inject(ListedUsers) private readonly listed: ListedUsers,
    @inject(UserListCache) private readonly cache: UserListCache,
    @inject(EncodedUserLists) private readonly encoded: EncodedUserLists,
    @inject(ProfileValuesToken) private readonly profileValues: ProfileValues,
    @inject(MissingMessageRepository) private readonly missing: MissingMessageRepository,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
    @inject(SharedValues) shared: SharedValues,
  ) {
    this.#everyone = shared.define('user_list', {
      load: async (scope) => {
        const rows = await users.listViewable(scope)
        cache.note(scope.organizationId, rows.length)
        return rows
      },
      changedBy: userChanges.all,
      isSmall: (rows) => rows.length < minEncodedUsers,
    })
  }

  /** @param userIds undefined for all users; unknown ids are ignored. */
  async list(
    actor: Actor,
    userIds: readonly number[] | undefined,
    options: UserListOptions,
  ): Promise<ListedUser[]> {
    return this.database.readReplicated(actor, (scope) =>
      this.listIn(scope, actor, userIds, options),
    )
  }

  /** All users. */
  async listAll(actor: Actor, options: UserListOptions): Promise<ListedUser[]> {
    return this.database.readReplicated(actor, async (scope) => {
      if (!(await this.cache.isLong(scope))) return this.listIn(scope, actor, undefined, options)
      // Before the users are read: changes in between are read again.
      const { headSeq } = await this.organizations.logBounds(scope)
      const encoded = await this.encoded.all(scope, headSeq, actor, options)
      return encoded ?? this.listIn(scope, actor, undefined, options)
    })
  }

  /** The same users as {@link list}, from one consistent state of the database. */
  async listIn(
    scope: OrganizationScope,
    actor: Actor,
    userIds: readonly number[] | undefined,
    options: UserListOptions,
  ): Promise<ListedUser[]> {
    const rows = await this.#rows(scope, actor, userIds)
    const accessible = await this.access.accessibleTo(scope, actor)
    if (accessible === undefined) {
      return this.listed.objects(scope, actor, rows, userIds, options)
    }
    const known = rows.filter(({ id }) => accessible.has(id))
    const users = await this.listed.objects(scope, actor, known, userIds, options)
    if (options.withUnknown !== true) return users
    const byId = new Map(users.map((user) => [user.user_id, user]))
    return rows.map(({ id }) => byId.get(id) ?? unknownUser(id, this.facts))
  }

  async #rows(
    scope: OrganizationScope,
    actor: Actor,
    userIds: readonly number[] | undefined,
  ): Promise<ViewableUser[]> {
    if (isSpectator(actor)) return this.repository.listSeenBySpectators(scope, userIds)
    if (userIds !== undefined) return this.directory.findViewable(scope, [...new Set(userIds)])
    return this.#everyone.in(scope)
  }

  /** @throws {ChatError} `BAD_REQUEST` if there is no such user whom `actor` can access. */
  async get(actor: Actor, userId: number, options: UserListOptions): Promise<ListedUser> {
    const scope = this.database.read(actor.organizationId)
    const [row] = await this.directory.findViewable(scope, [userId])
    return this.#describe(actor, row, options)
  }

  /**
   * Finds a user by the address that is shown to all users, or by a real one that `actor` may see.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such user whom `actor` can access.
   */
  async getByEmail(actor: Actor, email: string, options: UserListOptions): Promise<ListedUser> {
    const scope = this.database.read(actor.organizationId)
    return this.#describe(actor, await this.lookup.findByEmail(scope, actor, email), options)
  }

  /** The actor's own object, with the id of the newest message that they have received, or -1. */
  async getOwn(actor: Actor): Promise<ListedUser & { max_message_id: number }> {
    const scope = this.database.read(actor.organizationId)
    const [user, newest] = await scope.readTogether(
      () => this.get(actor, actor.userId, { clientGravatar: false, withProfileData: true }),
      () => this.missing.findNewestReceivedId(scope, actor.userId),
    )
    return { ...user, max_message_id: newest ?? -1 }
  }

  async #describe(
    actor: Actor,
    found: ViewableUser | undefined,
    options: UserListOptions,
  ): Promise<ListedUser> {
    const scope = this.database.read(actor.organizationId)
    const row = await this.access.requireAccess(scope, actor, found)
    const user = this.listed.object(actor, row, options)
    if (!options.withProfileData || user.is_bot) return user
    const profiles = await this.profileValues.known(scope, [row.id])
    return { ...user, profile_data: profiles.get(row.id) ?? {} }
  }
}
