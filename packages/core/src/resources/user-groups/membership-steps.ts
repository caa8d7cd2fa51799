import type { InjectionToken } from 'tsyringe'

import type { Actor } from '../../domain/actor.js'
import type { Transaction } from '../../storage/index.js'

/**
 * What another noun does about members of a group that `actor` adds or removes, in the transaction
 * that does it; called after all users were told.
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

/** Asked for the steps each time, because the nouns behind them know the groups in turn. */
export const MembershipStepsToken: InjectionToken<() => readonly MembershipStep[]> =
  Symbol('MembershipSteps')
