import { inject } from 'tsyringe'

import { isGuest, type Actor, type Role } from '../../domain/actor.js'
import { systemBots } from '../../domain/system-bots.js'
import { EventDelivery } from '../../events/delivery.js'
import { ObservedCache } from '../../events/log-observer.js'
import { perServer } from '../../kernel/per-server.js'
import { Database, type OrganizationScope } from '../../storage/index.js'
import { OrganizationService } from '../organizations/index.js'
import { UserAccessRepository } from './user-access-repository.js'

const systemBotIds = Object.values(systemBots).map(({ id }) => id)

/** The people whom each guest may know of, by the guest's id. */
export type GuestSights = ReadonlyMap<number, ReadonlySet<number>>

/**
 * Decides which users a guest may know of, where the organization's `can_access_all_users_group`
 * leaves guests out. Everybody else may know of everyone.
 */
@perServer()
export class UserAccess {
  readonly #isLimited: ObservedCache<boolean>

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserAccessRepository) private readonly repository: UserAccessRepository,
    @inject(EventDelivery) delivery: EventDelivery,
  ) {
    this.#isLimited = new ObservedCache(
      delivery,
      (organizationId) => this.#load(organizationId),
      (kind) => kind === '@organization' || kind.startsWith('realm/'),
    )
  }

  /** Whether `actor` is a guest who may not know of everyone. */
  async isLimited(actor: Pick<Actor, 'organizationId' | 'role'>): Promise<boolean> {
    return isGuest(actor) && this.#isLimited.get(actor.organizationId)
  }

  /**
   * The ids of the users whom `actor` may know of: oneself, bots, and who shares a channel or a
   * direct conversation.
   *
   * @returns undefined if that is everyone.
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

  /** Whether `actor` may know of the user. */
  async allows(
    scope: OrganizationScope,
    actor: Actor,
    user: { readonly id: number; readonly is_bot: boolean | number },
  ): Promise<boolean> {
    if (user.is_bot || user.id === actor.userId || !(await this.isLimited(actor))) return true
    return (await this.repository.listPeerIds(scope, actor.userId, user.id)).length > 0
  }

  /** The active guests who may not know of the user: those whom no event about them may reach. */
  async guestsWithout(
    scope: OrganizationScope,
    user: { readonly id: number; readonly is_bot: boolean | number },
  ): Promise<readonly number[]> {
    if (user.is_bot || !(await this.#isLimited.get(scope.organizationId))) return []
    const guests = await this.repository.listActiveGuestIds(scope)
    if (guests.length === 0) return []
    const peers = new Set(await this.repository.listPeerIds(scope, user.id))
    return guests.filter((id) => id !== user.id && !peers.has(id))
  }

  /**
   * Which people guests know of, of all pairs in which one of the users is; bots are left out,
   * which everyone knows.
   *
   * @returns undefined if there is no guest who may not know of everyone.
   */
  async sightsOf(
    scope: OrganizationScope,
    userIds: readonly number[],
  ): Promise<GuestSights | undefined> {
    if (userIds.length === 0 || !(await this.#isLimited.get(scope.organizationId))) return undefined
    const guestIds = await this.repository.listActiveGuestIds(scope)
    if (guestIds.length === 0) return undefined
    const concerned = new Set(userIds)
    const rows = await this.repository.listSights(scope, [
      { guestIds: guestIds.filter((id) => concerned.has(id)) },
      { guestIds: guestIds.filter((id) => !concerned.has(id)), userIds },
    ])
    return sightsBy(rows)
  }

  /** The same of pairs in which both are among the users. */
  async sightsAmong(
    scope: OrganizationScope,
    users: readonly { readonly id: number; readonly role: Role }[],
  ): Promise<GuestSights | undefined> {
    const guestIds = users.filter(isGuest).map(({ id }) => id)
    if (guestIds.length === 0 || !(await this.#isLimited.get(scope.organizationId))) {
      return undefined
    }
    const userIds = users.map(({ id }) => id)
    return sightsBy(await this.repository.listSights(scope, [{ guestIds, userIds }]))
  }

  /** The active guests who shared a channel with a user who is deactivated, and know nothing more. */
  async guestsLeftBy(
    scope: OrganizationScope,
    user: { readonly id: number; readonly is_bot: boolean | number },
  ): Promise<readonly number[]> {
    const without = new Set(await this.guestsWithout(scope, user))
    if (without.size === 0) return []
    return (await this.repository.listGuestsSharing(scope, user.id)).filter((id) => without.has(id))
  }

  async #load(organizationId: number): Promise<boolean> {
    const { permissions } = await this.organizations.require(organizationId)
    const groupId = permissions.can_access_all_users_group
    const name = await this.repository.findGroupName(this.database.read(organizationId), groupId)
    return name === 'role:members'
  }
}

function sightsBy(rows: readonly { guest_id: number; user_id: number }[]): GuestSights {
  const sights = new Map<number, Set<number>>()
  for (const { guest_id, user_id } of rows) {
    const seen = sights.get(guest_id)
    if (seen === undefined) sights.set(guest_id, new Set([user_id]))
    else seen.add(user_id)
  }
  return sights
}
