import { inject } from 'tsyringe'

import { isGuest, type Actor, type Role } from '../../../domain/users/actor.js'
import { systemBots } from '../../../domain/users/system-bots.js'
import { badRequest, type ChatError } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database, type OrganizationScope } from '../../../storage/index.js'
import {
  organizationChanges,
  OrganizationService,
  SharedValues,
  type SharedValue,
} from '../../organization/organizations/index.js'
import { UserAccessRepository } from './user-access-repository.js'

const systemBotIds = Object.values(systemBots).map(({ id }) => id)

/** The users whom each guest can access, by the guest's id. */
export type GuestVisibility = ReadonlyMap<number, ReadonlySet<number>>

/**
 * Decides which users a guest can access, if the organization's `can_access_all_users_group`
 * excludes guests. All other users can access everyone.
 */
@perServer()
export class UserAccess {
  readonly #isLimited: SharedValue<boolean>

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserAccessRepository) private readonly repository: UserAccessRepository,
    @inject(SharedValues) shared: SharedValues,
  ) {
    this.#isLimited = shared.define('user_visibility', {
      load: (scope) => this.#load(scope),
      changedBy: organizationChanges,
    })
  }

  /** Whether `actor` is a guest who cannot access all users. */
  async isLimited(actor: Pick<Actor, 'organizationId' | 'role'>): Promise<boolean> {
    return isGuest(actor) && this.#isLimited.of(actor.organizationId)
  }

  /**
   * The ids of the users whom `actor` can access: themselves, bots, and users with whom they share
   * a channel or a direct conversation.
   *
   * @returns undefined for all users.
   */
  async accessibleTo(
    scope: OrganizationScope,
    actor: Actor,
  ): Promise<ReadonlySet<number> | undefined> {
    if (!(await this.isLimited(actor))) return undefined
    const peers = await this.repository.listPeerIds(scope, actor.userId)
    const bots = await this.repository.listBotIds(scope)
    return new Set([actor.userId, ...peers, ...bots, ...systemBotIds])
  }

  /** Whether `actor` can access the user. */
  async allows(
    scope: OrganizationScope,
    actor: Actor,
    user: { readonly id: number; readonly is_bot: boolean },
  ): Promise<boolean> {
    if (user.is_bot || user.id === actor.userId || !(await this.isLimited(actor))) return true
    return (await this.repository.listPeerIds(scope, actor.userId, user.id)).length > 0
  }

  /**
   * @param user undefined if there is no such user.
   * @returns the user.
   * @throws {ChatError} `BAD_REQUEST` if `actor` cannot access the user. For actors who cannot
   *   access all users, the error is the same if there is no such user.
   */
  async requireAccess<User extends { readonly id: number; readonly is_bot: boolean }>(
    scope: OrganizationScope,
    actor: Actor,
    user: User | undefined,
  ): Promise<User> {
    if (user !== undefined && (await this.allows(scope, actor, user))) return user
    throw await this.unknownUserError(actor)
  }

  /** Those of the users whom `actor` can access. */
  async filterAccessible<User extends { readonly id: number }>(
    scope: OrganizationScope,
    actor: Actor,
    users: readonly User[],
  ): Promise<readonly User[]> {
    const accessible = await this.accessibleTo(scope, actor)
    return accessible === undefined ? users : users.filter(({ id }) => accessible.has(id))
  }

  /** The error for a user who does not exist, or whom `actor` cannot access. */
  async unknownUserError(actor: Actor): Promise<ChatError> {
    return badRequest((await this.isLimited(actor)) ? 'INSUFFICIENT_PERMISSION' : 'USER_UNKNOWN')
  }

  /** The active guests who cannot access the user. They must not get events about the user. */
  async guestsWithoutAccess(
    scope: OrganizationScope,
    user: { readonly id: number; readonly is_bot: boolean },
  ): Promise<readonly number[]> {
    if (user.is_bot || !(await this.#isLimited.of(scope.organizationId))) return []
    return this.repository.listGuestsWithoutAccess(scope, user.id)
  }

  /**
   * The active guests who cannot access new human users, who share no channel or conversation with
   * anyone yet; a new guest can nevertheless access themselves.
   */
  async guestsWithoutAccessToNewcomers(scope: OrganizationScope): Promise<readonly number[]> {
    if (!(await this.#isLimited.of(scope.organizationId))) return []
    return this.repository.listActiveGuestIds(scope)
  }

  /**
   * The access of guests to users, for all pairs that contain one of the users. Bots are left out,
   * because everyone can access them.
   *
   * @returns undefined if all guests can access all users.
   */
  async visibilityOf(
    scope: OrganizationScope,
    userIds: readonly number[],
  ): Promise<GuestVisibility | undefined> {
    if (userIds.length === 0 || !(await this.#isLimited.of(scope.organizationId))) return undefined
    const guestIds = await this.repository.listActiveGuestIds(scope)
    if (guestIds.length === 0) return undefined
    const concerned = new Set(userIds)
    const rows = await this.repository.listAccessible(scope, [
      { guestIds: guestIds.filter((id) => concerned.has(id)) },
      { guestIds: guestIds.filter((id) => !concerned.has(id)), userIds },
    ])
    return accessByGuest(rows)
  }

  /** The same for pairs in which both are among the users. */
  async visibilityAmong(
    scope: OrganizationScope,
    users: readonly { readonly id: number; readonly role: Role }[],
  ): Promise<GuestVisibility | undefined> {
    const guestIds = users.filter(isGuest).map(({ id }) => id)
    if (guestIds.length === 0 || !(await this.#isLimited.of(scope.organizationId))) {
      return undefined
    }
    const userIds = users.map(({ id }) => id)
    return accessByGuest(await this.repository.listAccessible(scope, [{ guestIds, userIds }]))
  }

  /**
   * The active guests who shared a channel with a deactivated user and cannot access them
   * otherwise.
   */
  async guestsLeftBy(
    scope: OrganizationScope,
    user: { readonly id: number; readonly is_bot: boolean },
  ): Promise<readonly number[]> {
    const without = new Set(await this.guestsWithoutAccess(scope, user))
    if (without.size === 0) return []
    return (await this.repository.listGuestsSharing(scope, user.id)).filter((id) => without.has(id))
  }

  async #load(scope: OrganizationScope): Promise<boolean> {
    const { permissions } = await this.organizations.require(scope.organizationId)
    const groupId = permissions.can_access_all_users_group
    const name = await this.repository.findGroupName(scope, groupId)
    return name === 'role:members'
  }
}

function accessByGuest(rows: readonly { guest_id: number; user_id: number }[]): GuestVisibility {
  const byGuest = new Map<number, Set<number>>()
  for (const { guest_id, user_id } of rows) {
    const userIdSet = byGuest.get(guest_id)
    if (userIdSet === undefined) byGuest.set(guest_id, new Set([user_id]))
    else userIdSet.add(user_id)
  }
  return byGuest
}
