import { inject } from 'tsyringe'

import { hasRole, isApplication, Role, type Actor } from '../../../domain/actor.js'
import { badRequest } from '../../../errors/index.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { Database, type OrganizationScope } from '../../../storage/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import {
  ProfileValuesToken,
  unknownUser,
  UserLookup,
  userObject,
  UserRepository,
  type ListedUser,
  type ProfileValues,
  type ViewableUser,
} from '../../people/users/index.js'
import { UserListRepository } from './user-list-repository.js'

/** Options for the user objects of a list. */
export interface UserListOptions {
  readonly clientGravatar: boolean
  readonly withProfileData: boolean
  /**
   * Whether to include placeholders for users whom a guest cannot access.
   *
   * @default false
   */
  readonly withUnknown?: boolean
}

/** Converts users into the objects that other users get. */
@perServer()
export class UserListService {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(UserLookup) private readonly lookup: UserLookup,
    @inject(UserListRepository) private readonly repository: UserListRepository,
    @inject(UserAccess) private readonly access: UserAccess,
    @inject(ProfileValuesToken) private readonly profileValues: ProfileValues,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /** @param userIds undefined for all users; unknown ids are ignored. */
  async list(
    actor: Actor,
    userIds: readonly number[] | undefined,
    options: UserListOptions,
  ): Promise<ListedUser[]> {
    return this.database.readReplicated(actor.organizationId, (scope) =>
      this.listIn(scope, actor, userIds, options),
    )
  }

  /** The same, from one consistent state of the database. */
  async listIn(
    scope: OrganizationScope,
    actor: Actor,
    userIds: readonly number[] | undefined,
    options: UserListOptions,
  ): Promise<ListedUser[]> {
    const rows =
      userIds === undefined
        ? await this.users.listViewable(scope)
        : await this.users.findViewable(scope, [...new Set(userIds)])
    const accessible = await this.access.accessibleTo(scope, actor)
    const profiles = options.withProfileData
      ? await this.profileValues.list(scope, userIds)
      : undefined
    const described: ListedUser[] = []
    const yielder = new EventLoopYielder()
    for (const row of rows) {
      if (yielder.isDue) await yielder.yield()
      if (accessible !== undefined && !accessible.has(row.id)) {
        if (options.withUnknown === true) described.push(unknownUser(row.id, this.facts))
        continue
      }
      const user: ListedUser = this.#object(actor, row, options)
      if (profiles !== undefined && !user.is_bot) user.profile_data = profiles.get(row.id) ?? {}
      described.push(user)
    }
    return described
  }

  /** @throws {ChatError} `BAD_REQUEST` if there is no such user whom `actor` can access. */
  async get(actor: Actor, userId: number, options: UserListOptions): Promise<ListedUser> {
    const [row] = await this.users.findViewable(this.database.read(actor.organizationId), [userId])
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
    const user = await this.get(actor, actor.userId, {
      clientGravatar: false,
      withProfileData: true,
    })
    const scope = this.database.read(actor.organizationId)
    const newest = await this.repository.newestMessageId(scope, actor.userId)
    return { ...user, max_message_id: newest ?? -1 }
  }

  async #describe(
    actor: Actor,
    row: ViewableUser | undefined,
    options: UserListOptions,
  ): Promise<ListedUser> {
    if (row === undefined) throw badRequest('USER_UNKNOWN')
    const scope = this.database.read(actor.organizationId)
    if (!(await this.access.allows(scope, actor, row))) throw badRequest('INSUFFICIENT_PERMISSION')
    const user = this.#object(actor, row, options)
    if (!options.withProfileData || user.is_bot) return user
    const profiles = await this.profileValues.list(scope, [row.id])
    return { ...user, profile_data: profiles.get(row.id) ?? {} }
  }

  #object(actor: Actor, row: ViewableUser, options: UserListOptions): ListedUser {
    const user = userObject(row, actor, this.facts, options)
    const seesExternalIds =
      isApplication(actor) ||
      (this.facts.externalIdsForAdministrators && hasRole(actor, Role.administrator))
    if (!seesExternalIds || row.external_id === null) return user
    return { ...user, external_id: row.external_id }
  }
}
