import type { InjectionToken } from 'tsyringe'

import type { Transaction } from '../../storage/index.js'

/** Members whose waiting period is over now, and others for whom it is not any more. */
export interface FullMemberChange {
  readonly entered?: readonly number[] | undefined
  readonly left?: readonly number[] | undefined
}

/** What another noun does about a change of who is in a group, in the transaction that makes it. */
export interface GroupChangeStep {
  /**
   * Called before users or groups enter or leave the group.
   *
   * @returns what is to be called after all users were told of the change; undefined for nothing.
   */
  changing(tx: Transaction, groupId: number): Promise<(() => Promise<void>) | undefined>

  /**
   * The same where time or the waiting period lets users enter or leave the group of the full
   * members; whether the clock and the settings say so already does not matter.
   */
  aging(
    tx: Transaction,
    fullMembersId: number,
    change: FullMemberChange,
  ): Promise<(() => Promise<void>) | undefined>
}

/** Asked for the steps each time, because the nouns behind them know the groups in turn. */
export const GroupChangeStepsToken: InjectionToken<() => readonly GroupChangeStep[]> =
  Symbol('GroupChangeSteps')
