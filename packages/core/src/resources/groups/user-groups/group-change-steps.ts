import type { InjectionToken } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import type { Transaction } from '../../../storage/index.js'

/**
 * A step that another resource runs when `actor` adds or removes members of a group, in the same
 * transaction, after the events about the change.
 */
export interface MembershipStep {
  membersAdded(
    tx: Transaction,
    actor: Actor,
    groupName: string,
    userIds: readonly number[],
  ): Promise<void>
  membersRemoved(
    tx: Transaction,
    actor: Actor,
    groupName: string,
    userIds: readonly number[],
  ): Promise<void>
}

export const MembershipStepToken: InjectionToken<MembershipStep> = Symbol('MembershipStep')

/** Users who enter or leave the group of full members. */
export interface FullMemberChange {
  readonly entered?: readonly number[] | undefined
  readonly left?: readonly number[] | undefined
}

/**
 * A step that another resource runs when the members of a group change, in the same transaction.
 */
export interface GroupChangeStep {
  /**
   * Called before users or groups enter or leave the group.
   *
   * @returns a function to call after the events about the change; undefined for none.
   */
  changing(tx: Transaction, groupId: number): Promise<(() => Promise<void>) | undefined>

  /**
   * The same for changes of the full members, because of time or the waiting period. The clock and
   * the settings may already reflect the change.
   */
  aging(
    tx: Transaction,
    fullMembersId: number,
    change: FullMemberChange,
  ): Promise<(() => Promise<void>) | undefined>
}

export const GroupChangeStepToken: InjectionToken<GroupChangeStep> = Symbol('GroupChangeStep')
