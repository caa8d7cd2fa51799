import { inject } from 'tsyringe'

import { hasRole, isApplication, Role, type Actor } from '../../../domain/users/actor.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import type { OrganizationScope } from '../../../storage/index.js'
import {
  ProfileValuesToken,
  userObject,
  type ListedUser,
  type ProfileValues,
  type ViewableUser,
} from '../../people/users/index.js'

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

type Profiles = Awaited<ReturnType<ProfileValues['list']>>

/** Converts the rows of users into the objects that other users get. */
@perServer()
export class ListedUsers {
  constructor(
    @inject(ProfileValuesToken) private readonly profileValues: ProfileValues,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /** @param userIds the users of the rows, or more; undefined for all users. */
  async objects(
    scope: OrganizationScope,
    actor: Actor,
    rows: readonly ViewableUser[],
    userIds: readonly number[] | undefined,
    options: UserListOptions,
  ): Promise<ListedUser[]> {
    const profiles = options.withProfileData
      ? await this.profileValues.known(scope, userIds)
      : undefined
    return this.withProfiles(actor, rows, profiles, options)
  }

  /** The profiles that {@link withProfiles} needs, as new as the scope; undefined for none. */
  async profiles(
    scope: OrganizationScope,
    userIds: readonly number[] | undefined,
    options: UserListOptions,
  ): Promise<Profiles | undefined> {
    return options.withProfileData ? this.profileValues.list(scope, userIds) : undefined
  }

  async withProfiles(
    actor: Actor,
    rows: readonly ViewableUser[],
    profiles: Profiles | undefined,
    options: UserListOptions,
  ): Promise<ListedUser[]> {
    const described: ListedUser[] = []
    const yielder = new EventLoopYielder()
    for (const row of rows) {
      if (yielder.isDue) await yielder.yield()
      const user = this.object(actor, row, options)
      if (profiles !== undefined && !user.is_bot) user.profile_data = profiles.get(row.id) ?? {}
      described.push(user)
    }
    return described
  }

  object(actor: Actor, row: ViewableUser, options: UserListOptions): ListedUser {
    const user: ListedUser = userObject(row, actor, this.facts, options)
    if (row.external_id !== null && this.seesExternalIds(actor)) user.external_id = row.external_id
    return user
  }

  /** Whether the ids of users in the application are listed for the actor. */
  seesExternalIds(actor: Actor): boolean {
    return (
      isApplication(actor) ||
      (this.facts.externalIdsForAdministrators && hasRole(actor, Role.administrator))
    )
  }
}
