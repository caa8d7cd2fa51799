import type { InjectionToken } from 'tsyringe'

import type { Role } from '../../domain/actor.js'
import type { Transaction } from '../../storage/index.js'
import type { UserRow } from './user-repository.js'

/** What another noun does about a change of an account, in the transaction that makes it. */
export interface AccountStep {
  /** Called before the others are told that a user or bot is deactivated. */
  beforeDeactivate?(tx: Transaction, user: UserRow): Promise<void>
  /** Called after the others were told. */
  afterDeactivate?(tx: Transaction, user: UserRow): Promise<void>
  /** Called after the others were told that a user or bot is active again. */
  reactivated?(tx: Transaction, user: UserRow): Promise<void>
  /** Called after the others were told of the role that `user` has now. */
  roleChanged?(tx: Transaction, user: UserRow, oldRole: Role): Promise<void>
  /** Called when a user or bot has another API key. */
  keyReplaced?(tx: Transaction, userId: number): Promise<void>
}

/** Asked for the steps each time, because the nouns behind them know the users in turn. */
export const AccountStepsToken: InjectionToken<() => readonly AccountStep[]> =
  Symbol('AccountSteps')
