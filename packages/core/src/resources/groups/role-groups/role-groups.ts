import { inject } from 'tsyringe'

import { systemGroupsOf } from '../../../domain/organizations/permission-groups.js'
import type { Role } from '../../../domain/users/actor.js'
import type { Audience } from '../../../events/event.js'
import { type Clock, nowSeconds } from '../../../kernel/clock.js'
import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import type { Transaction } from '../../../storage/index.js'
import { ActiveUsers, OrganizationService } from '../../organization/organizations/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import type { AccountStep, NewcomerStep, UserRow } from '../../people/users/index.js'
import {
  userGroupMembersAdded,
  userGroupMembersRemoved,
  UserGroupRepository,
} from '../user-groups/index.js'

/** Sends events when accounts enter and leave the system groups of their role. */
@perServer()
export class RoleGroups implements NewcomerStep, AccountStep {
  constructor(
    @inject(UserGroupRepository) private readonly groups: UserGroupRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ActiveUsers) private readonly activeUsers: ActiveUsers,
    @inject(UserAccess) private readonly access: UserAccess,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  async welcome(tx: Transaction, users: readonly UserRow[]): Promise<void> {
    const known = new Map<string, readonly number[]>()
    const entered = new Map<number, number[]>()
    for (const user of users) {
      const key = `${user.role}/${Math.floor(user.joined_at_milliseconds / 1000)}`
      const groupIds = known.get(key) ?? (await this.#groupsOfRole(tx, user))
      known.set(key, groupIds)
      for (const groupId of groupIds) addTo(entered, groupId, user.id)
    }
    await this.#emitAdded(tx, entered)
  }

  async roleChanged(tx: Transaction, user: UserRow, oldRole: Role): Promise<void> {
    // Deactivated users are not shown in groups; `enterAll` sends the events on reactivation.
    if (!user.is_active) return
    const before = await this.#groupsOfRole(tx, { ...user, role: oldRole })
    const after = await this.#groupsOfRole(tx, user)
    const left = before.filter((id) => !after.includes(id))
    const entered = after.filter((id) => !before.includes(id))
    // The order of events: first the groups of both roles, then that of the full members.
    await this.#emitRemoved(await this.#everyone(tx), tx, user.id, left.slice(0, 1))
    await this.#emitAdded(tx, groupsEnteredBy(user, entered.slice(0, 1)))
    await this.#emitRemoved(await this.#everyone(tx), tx, user.id, left.slice(1))
    await this.#emitAdded(tx, groupsEnteredBy(user, entered.slice(1)))
  }

  /** Sends member removals for all groups of the user to the guests who cannot access the user. */
  async leaveAll(tx: Transaction, user: UserRow): Promise<void> {
    const userIds = await this.access.guestsWithoutAccess(tx, user)
    if (userIds.length === 0) return
    await this.#emitRemoved({ userIds }, tx, user.id, await this.#allGroupsOf(tx, user))
  }

  /** Sends member additions for all groups of the user to all active users. */
  async enterAll(tx: Transaction, user: UserRow): Promise<void> {
    await this.#emitAdded(tx, groupsEnteredBy(user, await this.#allGroupsOf(tx, user)))
  }

  async #emitAdded(
    tx: Transaction,
    entered: ReadonlyMap<number, readonly number[]>,
  ): Promise<void> {
    if (entered.size === 0) return
    const audience = await this.#everyone(tx)
    const deactivated = await this.#deactivatedAmong(tx, [...entered.keys()])
    for (const [group_id, userIds] of entered) {
      const mark = deactivated.has(group_id) ? { isDeactivated: true as const } : {}
      tx.emit(userGroupMembersAdded(audience, { group_id, user_ids: [...userIds], ...mark }))
    }
  }

  async #emitRemoved(
    audience: Audience,
    tx: Transaction,
    userId: number,
    groupIds: readonly number[],
  ): Promise<void> {
    if (groupIds.length === 0) return
    const deactivated = await this.#deactivatedAmong(tx, groupIds)
    for (const group_id of groupIds) {
      const mark = deactivated.has(group_id) ? { isDeactivated: true as const } : {}
      tx.emit(userGroupMembersRemoved(audience, { group_id, user_ids: [userId], ...mark }))
    }
  }

  async #everyone(tx: Transaction): Promise<Audience> {
    return { audienceId: await this.activeUsers.audience(tx) }
  }

  async #deactivatedAmong(
    tx: Transaction,
    groupIds: readonly number[],
  ): Promise<ReadonlySet<number>> {
    const groups = await this.groups.findNamed(tx, groupIds)
    return new Set(groups.filter((group) => group.is_deactivated).map(({ id }) => id))
  }

  /** The system groups of which the user is a direct member, that of the role first. */
  async #groupsOfRole(
    tx: Transaction,
    user: Pick<UserRow, 'role' | 'joined_at_milliseconds'>,
  ): Promise<number[]> {
    const { settings } = await this.organizations.require(tx.organizationId)
    const joinedAtSeconds = Math.floor(user.joined_at_milliseconds / 1000)
    const names = systemGroupsOf(
      { role: user.role, joinedAtSeconds },
      settings.waiting_period_threshold,
      nowSeconds(this.clock),
    )
    const ids = await this.groups.systemGroupIds(tx)
    return names.map((name) => ids.get(name)).filter((id) => id !== undefined)
  }

  /** The same, and the named groups of which the user is a direct member. */
  async #allGroupsOf(tx: Transaction, user: UserRow): Promise<number[]> {
    const own = await this.groups.findNamed(tx, await this.groups.groupIdsOf(tx, user.id))
    return [
      ...(await this.#groupsOfRole(tx, user)),
      ...own.map(({ id }) => id).sort((a, b) => a - b),
    ]
  }
}

function groupsEnteredBy(
  user: Pick<UserRow, 'id'>,
  groupIds: readonly number[],
): ReadonlyMap<number, readonly number[]> {
  return new Map(groupIds.map((groupId) => [groupId, [user.id]]))
}

/**
 * Sends events about group memberships when an account is deactivated or reactivated. This is a
 * separate step because of the order of events: those about channels come before these, but a role
 * change sends those about groups before those about channels.
 */
@perServer()
export class AccountGroups implements AccountStep {
  constructor(@inject(RoleGroups) private readonly groups: RoleGroups) {}

  /** Users who can access the user get the deactivation event; other guests only get these. */
  async afterDeactivate(tx: Transaction, user: UserRow): Promise<void> {
    await this.groups.leaveAll(tx, user)
  }

  async reactivated(tx: Transaction, user: UserRow): Promise<void> {
    await this.groups.enterAll(tx, user)
  }
}
