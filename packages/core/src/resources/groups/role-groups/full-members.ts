import { inject, injectAll } from 'tsyringe'

import { Role } from '../../../domain/users/actor.js'
import type { Audience } from '../../../events/event.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import type { Transaction } from '../../../storage/index.js'
import {
  ActiveUsers,
  OrganizationRepository,
  organizationStateOf,
} from '../../organization/organizations/index.js'
import { UserRepository } from '../../people/users/index.js'
import {
  GroupChangeStepToken,
  UserGroupRepository,
  userGroupMembersAdded,
  userGroupMembersRemoved,
  type FullMemberChange,
  type GroupChangeStep,
} from '../user-groups/index.js'

const daySeconds = 86_400
/**
 * Approximate number of members promoted in one transaction; members who joined in the same
 * millisecond stay together.
 */
const membersPerPromotion = 1000

/**
 * Sends events when users enter or leave the group of full members, because time passes or the
 * waiting period changes. Permission checks do not depend on these events: they compute full
 * membership from the clock.
 */
@perServer()
export class FullMembers {
  constructor(
    @inject(UserGroupRepository) private readonly groups: UserGroupRepository,
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(ActiveUsers) private readonly activeUsers: ActiveUsers,
    @injectAll(GroupChangeStepToken) private readonly changeSteps: readonly GroupChangeStep[],
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /** Marks all current full members of a new organization as announced. */
  async begin(tx: Transaction, waitingPeriodDays: number): Promise<void> {
    await this.organizations.setFullMembersJoinedUntil(tx, this.#latestJoin(waitingPeriodDays))
  }

  /**
   * Sends events for the users who enter or leave the group because the waiting period has changed.
   */
  async changeWaitingPeriod(tx: Transaction, oldDays: number, newDays: number): Promise<void> {
    const [before, after] = [this.#latestJoin(oldDays), this.#latestJoin(newDays)]
    const userIds = await this.users.listActiveIdsJoinedBetween(
      tx,
      Role.member,
      Math.min(before, after),
      Math.max(before, after),
    )
    await this.organizations.setFullMembersJoinedUntil(tx, after)
    await this.#emit(tx, newDays > oldDays ? { left: userIds } : { entered: userIds })
  }

  /**
   * Sends events for members whose waiting period has ended and who were not announced yet, however
   * long ago it ended.
   *
   * @returns whether there may be more of them.
   */
  async promote(tx: Transaction): Promise<boolean> {
    const organization = organizationStateOf(await this.organizations.lockCurrent(tx))
    const { waiting_period_threshold } = organization.settings
    const known = await this.organizations.fullMembersJoinedUntil(tx)
    const { createdAtSeconds } = organization
    const after = known ?? this.#latestJoin(waiting_period_threshold, createdAtSeconds)
    const latest = this.#latestJoin(waiting_period_threshold)
    if (latest <= after) return false
    const cut = await this.users.findNthJoinedBetween(
      tx,
      Role.member,
      after,
      latest,
      membersPerPromotion,
    )
    const until = cut ?? latest
    const entered = await this.users.listActiveIdsJoinedBetween(tx, Role.member, after, until)
    await this.organizations.setFullMembersJoinedUntil(tx, until)
    await this.#emit(tx, { entered })
    return cut !== undefined
  }

  /** The last millisecond at which a full member can have joined. */
  #latestJoin(waitingPeriodDays: number, atSeconds = nowSeconds(this.clock)): number {
    return (atSeconds - waitingPeriodDays * daySeconds) * 1000 + 999
  }

  async #emit(tx: Transaction, change: FullMemberChange): Promise<void> {
    const { entered = [], left = [] } = change
    const group_id = (await this.groups.systemGroupIds(tx)).get('role:fullmembers')
    if (entered.length + left.length === 0 || group_id === undefined) return
    const afterwards: (() => Promise<void>)[] = []
    for (const step of this.changeSteps) {
      const emitAfterwards = await step.aging(tx, group_id, change)
      if (emitAfterwards !== undefined) afterwards.push(emitAfterwards)
    }
    const everyone: Audience = { audienceId: await this.activeUsers.audience(tx) }
    if (left.length > 0) tx.emit(userGroupMembersRemoved(everyone, { group_id, user_ids: left }))
    if (entered.length > 0) {
      tx.emit(userGroupMembersAdded(everyone, { group_id, user_ids: entered }))
    }
    for (const emitAfterwards of afterwards) await emitAfterwards()
  }
}
