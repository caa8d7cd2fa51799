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
