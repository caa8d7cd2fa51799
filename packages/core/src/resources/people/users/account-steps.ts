import type { InjectionToken } from 'tsyringe'

import type { Role } from '../../../domain/actor.js'
import type { Transaction } from '../../../storage/index.js'
import type { UserRow } from './user-rows.js'

/** A step that another resource runs when an account changes, in the same transaction. */
export interface AccountStep {
  /** Called before the events about the deactivation of a user or bot. */
  beforeDeactivate?(tx: Transaction, user: UserRow): Promise<void>
  /** Called after the events about the deactivation. */
  afterDeactivate?(tx: Transaction, user: UserRow): Promise<void>
  /** Called after the events about the reactivation of a user or bot. */
  reactivated?(tx: Transaction, user: UserRow): Promise<void>
  /** Called after the events about the new role of `user`. */
  roleChanged?(tx: Transaction, user: UserRow, oldRole: Role): Promise<void>
  /** Called when the API key of a user or bot is replaced. */
  keyReplaced?(tx: Transaction, userId: number): Promise<void>
}

/**
 * Resolved on each use, because the implementing resources depend on this module: injecting the
 * steps themselves would be circular.
 */
export const AccountStepsToken: InjectionToken<() => readonly AccountStep[]> =
  Symbol('AccountSteps')
