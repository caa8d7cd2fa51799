import type { InjectionToken } from 'tsyringe'

import type { Role } from '../../../domain/users/actor.js'
import type { Transaction } from '../../../storage/index.js'
import type { UserRow } from './users-table.js'

/** A step that another resource runs when an account changes, in the same transaction. */
export interface AccountStep {
  /** Called before the events about the deactivation of a user or bot. */
  beforeDeactivate?(tx: Transaction, user: UserRow): Promise<void>
  /** Called after the events about the deactivation. */
  afterDeactivate?(tx: Transaction, user: UserRow): Promise<void>
  /** Called before the events about the reactivation, if the user or bot is not active. */
  beforeReactivate?(tx: Transaction, user: UserRow): Promise<void>
  /** Called after the events about the reactivation of a user or bot. */
  reactivated?(tx: Transaction, user: UserRow): Promise<void>
  /** Called before the picture of `user` is replaced or removed, if they have an uploaded one. */
  uploadedAvatarReplaced?(tx: Transaction, user: UserRow): Promise<void>
  /** Called after the events about the new role of `user`. */
  roleChanged?(tx: Transaction, user: UserRow, oldRole: Role): Promise<void>
}

/** A step that another resource runs when an API key is replaced, in the same transaction. */
export interface KeyReplacedStep {
  /** Called for users and bots. */
  keyReplaced(tx: Transaction, userId: number): Promise<void>
}

export const AccountStepToken: InjectionToken<AccountStep> = Symbol('AccountStep')
export const KeyReplacedStepToken: InjectionToken<KeyReplacedStep> = Symbol('KeyReplacedStep')
